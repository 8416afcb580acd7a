import type { Agent, Change } from "./agent.ts";
import type { OtherAgent } from "./others.ts";

const SHOWN = {
  program: "guarded-sh",
  module: (name: string) => `guarded-sh/${name}`,
  home: "/home/you",
  allTools: false,
};

const MADE = "<!-- Made from src/adapters/agents by `npm run docs:agents`: change it there. -->";

/** The page of an agent that is configured by `init`. */
export function agentPage(agent: Agent): string {
  const { name, title, about, event, behaviour, shell, notes } = agent;
  const through =
    event === undefined ? "" : `, puts a command that is allowed and one that is not through the written hook`;
  return page([
    `# ${title}`,
    MADE,
    about,
    "## Set it up",
    `\`\`\`sh\nguarded-sh init ${name}            # in this project\nguarded-sh init ${name} --user     # in every project\n\`\`\``,
    `This shows the change as a diff, writes it, writes a starter policy where there is none${through}. \`--dry-run\` only shows it, \`--remove\` undoes it, \`--all-tools\` has every tool judged and not only command lines.`,
    "By hand (`guarded-sh` stands for its absolute path):",
    ...agent.changes("project", SHOWN).map(changeText),
    "## How it behaves",
    table([
      ["event", `\`${behaviour.event}\``],
      ["shell tool", behaviour.tool === "-" ? "the event is about commands only" : `\`${behaviour.tool}\``],
      ["can ask a person", behaviour.asks],
      ["`--rewrite` (the command runs under `guarded-sh run`)", behaviour.rewrites ? "yes" : "no"],
      ["time limit", behaviour.limit],
      ["when the hook itself fails", behaviour.failure],
    ]),
    ...(shell === undefined ? [] : ["## As the agent's shell", shell]),
    ...(notes.length === 0 ? [] : ["## Notes", notes.map((note) => `- ${note}`).join("\n")]),
  ]);
}

/** The page of an agent that is not. */
export function otherPage({ title, about, shell, notes }: OtherAgent): string {
  return page([
    `# ${title}`,
    MADE,
    about,
    ...(shell === undefined ? [] : ["## As the agent's shell", shell]),
    "## As an MCP server",
    "Where the agent speaks MCP, add the server `guarded-sh mcp` and deny the built-in shell tool: see [mcp.md](mcp.md).",
    ...(notes.length === 0 ? [] : ["## Notes", notes.map((note) => `- ${note}`).join("\n")]),
  ]);
}

/** The list of all pages. */
export function indexPage(agents: readonly Agent[], others: readonly OtherAgent[]): string {
  const rows = agents.map(({ name, title, behaviour, shell }) => [
    `[${title}](${name}.md)`,
    `\`init ${name}\``,
    yes(behaviour.asks.startsWith("yes")),
    yes(behaviour.rewrites),
    yes(shell !== undefined),
  ]);
  const more = others.map(({ name, title, shell }) => [
    `[${title}](${name}.md)`,
    "-",
    "-",
    "-",
    yes(shell !== undefined),
  ]);
  return page([
    "# Agents",
    MADE,
    "One policy guards all of them. A hook is asked before each tool call; as a shell guarded-sh sees everything the agent runs; any MCP client can take it as a server ([mcp.md](mcp.md)). What a hook reads and answers is in [hooks.md](../hooks.md).",
    table([...rows, ...more], ["agent", "set up", "asks by itself", "`--rewrite`", "as its shell"]),
  ]);
}

/** How any MCP client takes guarded-sh. */
export function mcpPage(): string {
  return page([
    "# Any MCP client",
    MADE,
    "`guarded-sh mcp` is an MCP server with two tools: `bash` judges and runs a command line, `check` only judges it. Deny the client's own shell tool, or the model will use that.",
    '```json\n{ "mcpServers": { "guarded-sh": { "command": "guarded-sh", "args": ["mcp"] } } }\n```',
    "`bash` takes `command`, `timeout_ms`, `cwd`, `stdin`, `description`, and `background: true`, which answers at once with the number of a job; `job` waits for it. The directory persists between the calls of a client. Results are structured: the result of `run --json` (`guarded-sh/schema/result.schema.json`). A client that can be asked (elicitation) is asked; without it what would be asked is denied at once, or waits in the queue with `--approver queue`. While a command runs the client is told of its progress once a second; a cancelled call ends it.",
    "The policy is that of the directory the server was started in, wherever `cd` leads.",
    "## Over HTTP",
    "```sh\nGUARDED_SH_MCP_SECRET=$(openssl rand -hex 24) guarded-sh mcp --http 7410\n```",
    "It listens on 127.0.0.1 only, at `/mcp`. Every request has to carry `Authorization: Bearer SECRET`; without the variable a secret is made and printed. Requests with another `Host` or from another `Origin` are refused.",
  ]);
}

function page(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}

const yes = (is: boolean) => (is ? "yes" : "no");

function changeText(change: Change): string {
  switch (change.kind) {
    case "json": {
      const root: Record<string, unknown> = {};
      for (const edit of change.edits) place(root, edit.at, edit.kind === "add" ? [edit.value] : edit.value);
      return `\`${change.path}\`:\n\n\`\`\`json\n${JSON.stringify(root, null, 2)}\n\`\`\``;
    }
    case "toml":
      return `\`${change.path}\`:\n\n\`\`\`toml\n${change.text}\`\`\``;
    case "file":
      return `\`${change.path}\`${change.executable ? " (executable)" : ""}:\n\n\`\`\`\n${change.text}\`\`\``;
  }
}

function place(root: Record<string, unknown>, at: readonly (string | number)[], value: unknown): void {
  const [name = "", ...rest] = at.map(String);
  if (rest.length === 0) root[name] = value;
  else {
    const inner = (root[name] ?? {}) as Record<string, unknown>;
    root[name] = inner;
    place(inner, rest, value);
  }
}

function table(rows: readonly (readonly string[])[], head: readonly string[] = ["", ""]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
