import type { Agent } from "./agent.ts";
import { hookCommand } from "./agent.ts";
import { ASKS, behaviour, hooksFile, inScope, NEVER, OPEN, settingsChange, snakeEvent } from "./claude-like.ts";
import { MORE_AGENTS } from "./table-more.ts";

const claudeCode: Agent = {
  name: "claude-code",
  title: "Claude Code",
  about:
    "Claude Code calls a `PreToolUse` hook before each tool. An allow of guarded-sh skips Claude Code's own question, but not its own deny and ask rules.",
  changes: (scope, starting) => [
    settingsChange(
      inScope(scope, ".claude/settings.json", "~/.claude/settings.json"),
      "PreToolUse",
      "Bash",
      starting,
      "claude-code",
      10,
    ),
  ],
  event: snakeEvent("Bash"),
  behaviour: behaviour("PreToolUse", "Bash", ASKS, true, "600 s by default", OPEN),
  shell: `Set in \`env\` of \`settings.json\` (version 2.0.65 or later):

\`\`\`json
{ "env": { "CLAUDE_CODE_SHELL": "/path/to/a/folder/bash" } }
\`\`\`

The name of the file has to be \`bash\` or \`zsh\`: make a symlink \`bash\` to \`guarded-sh\` in a folder of its own. Claude Code then runs everything through it, its own start-up scripts included.`,
  notes: [
    "Claude Code moves its directory with `cd`; the policy of `CLAUDE_PROJECT_DIR` counts wherever it has moved to.",
    "In headless mode (`-p`) nobody can be asked: Claude Code turns an ask into a denial.",
  ],
};

const codex: Agent = {
  name: "codex",
  title: "Codex",
  about: "Codex takes over Claude Code's hook format. It does not honour an ask.",
  changes: (scope, starting) => [
    {
      kind: "toml",
      path: inScope(scope, ".codex/config.toml", "~/.codex/config.toml"),
      text: `[[hooks.PreToolUse]]
matcher = "${starting.allTools ? "*" : "Bash"}"

[[hooks.PreToolUse.hooks]]
type = "command"
command = ${JSON.stringify(hookCommand(starting, "codex"))}
timeout = 10
`,
    },
  ],
  event: snakeEvent("Bash", { turn_id: "self-test", model: "self-test" }),
  behaviour: behaviour("PreToolUse", "Bash", NEVER, true, "600 s by default", OPEN),
  shell:
    "Codex runs the user's shell of the password database, or the first `bash` on PATH when that is none of bash, zsh and sh; it ignores `$SHELL`. Put a folder with a symlink `bash` to `guarded-sh` first on the PATH that Codex is started with. The shell runs inside Codex's own confinement: its state folder may be read-only there.",
  notes: [
    "A project's `.codex/config.toml` counts only in a project that Codex trusts, and Codex may want new hooks reviewed with `/hooks` first.",
    "Versions that know hooks as a feature want `hooks = true` under `[features]`.",
  ],
};

const gemini: Agent = {
  name: "gemini",
  title: "Gemini CLI",
  about: "Gemini CLI calls `BeforeTool` hooks. What is denied goes to the model as the tool's error, the turn goes on.",
  changes: (scope, starting) => [
    settingsChange(
      inScope(scope, ".gemini/settings.json", "~/.gemini/settings.json"),
      "BeforeTool",
      "run_shell_command",
      starting,
      "gemini",
      10_000,
      { name: "guarded-sh" },
    ),
  ],
  event: (command, cwd) => ({
    payload: {
      session_id: "self-test",
      transcript_path: "",
      cwd,
      hook_event_name: "BeforeTool",
      timestamp: "1970-01-01T00:00:00.000Z",
      tool_name: "run_shell_command",
      tool_input: { command },
    },
  }),
  behaviour: behaviour(
    "BeforeTool",
    "run_shell_command",
    "yes, in versions that know the decision `ask`; older ones ask by their own settings",
    true,
    "60,000 ms by default",
    "exit status 1: the command runs; other statuses deny",
  ),
  shell:
    "Gemini CLI runs the first `bash` on PATH in a pty. Put a folder with a symlink `bash` to `guarded-sh` first on the PATH that it is started with.",
  notes: [
    "Headless (`-p`) version 0.61 waits for an answer that nobody gives when it is told to ask: add `--approver none` to the hook's command there.",
  ],
};

const qwen: Agent = {
  name: "qwen",
  title: "Qwen Code",
  about: "Qwen Code has Claude Code's hook format and Gemini's tool names.",
  changes: (scope, starting) => [
    settingsChange(
      inScope(scope, ".qwen/settings.json", "~/.qwen/settings.json"),
      "PreToolUse",
      "^(run_shell_command|Shell|Bash)$",
      starting,
      "qwen",
      10_000,
      { name: "guarded-sh" },
    ),
  ],
  event: snakeEvent("run_shell_command"),
  behaviour: behaviour(
    "PreToolUse",
    "run_shell_command",
    `${ASKS}; headless it is a denial`,
    true,
    "60,000 ms by default",
    OPEN,
  ),
  shell: "As for Gemini CLI: the first `bash` on PATH.",
  notes: [
    "Version 0.15.10 does not take a changed input yet: with `--rewrite` an allowed command runs there as it is.",
  ],
};

const cursor: Agent = {
  name: "cursor",
  title: "Cursor",
  about: "Cursor has an event for each kind of tool. `failClosed` makes a broken hook a no.",
  changes: (scope, starting) => {
    // Read as seconds by some versions and as milliseconds by others: long enough for both.
    const entry = { command: hookCommand(starting, "cursor"), timeout: 10_000, failClosed: true };
    const events = ["beforeShellExecution", ...(starting.allTools ? ["beforeMCPExecution", "beforeReadFile"] : [])];
    return [
      {
        kind: "json",
        path: inScope(scope, ".cursor/hooks.json", "~/.cursor/hooks.json"),
        edits: [
          { kind: "default", at: ["version"], value: 1 },
          ...events.map((event) => ({ kind: "add" as const, at: ["hooks", event], value: entry })),
        ],
      },
    ];
  },
  event: (command, cwd) => ({
    payload: {
      conversation_id: "self-test",
      generation_id: "self-test",
      hook_event_name: "beforeShellExecution",
      cursor_version: "self-test",
      workspace_roots: [cwd],
      command,
      cwd: "",
    },
  }),
  behaviour: behaviour(
    "beforeShellExecution",
    "-",
    "yes for commands and MCP tools; `preToolUse` and `beforeReadFile` cannot ask and deny",
    true,
    "set explicitly",
    "the command runs, unless `failClosed` is true",
  ),
  notes: [
    "Cursor's command line tool supports only the shell events.",
    "`--rewrite` works with the event `preToolUse` only.",
  ],
};

const copilot: Agent = {
  name: "copilot",
  title: "Copilot CLI",
  about: "Copilot CLI calls its hooks for every tool; `--shell-only` leaves all but command lines to it.",
  changes: (scope, starting) => [
    hooksFile(inScope(scope, ".github/hooks/guarded-sh.json", "~/.copilot/hooks/guarded-sh.json"), {
      version: 1,
      hooks: { preToolUse: [{ type: "command", bash: hookCommand(starting, "copilot"), timeoutSec: 10 }] },
    }),
  ],
  event: (command, cwd) => ({
    payload: {
      sessionId: "self-test",
      timestamp: 0,
      cwd,
      toolName: "bash",
      toolArgs: JSON.stringify({ command }),
    },
  }),
  behaviour: behaviour(
    "preToolUse",
    "bash",
    ASKS,
    true,
    "30 s by default",
    "an error denies since 1.0.57, a time-out allows since 1.0.67",
  ),
  notes: ["`powershell` is not bash: it is judged by its own name, as any other tool."],
};

/** Every agent, in the order of the documentation. */
export const AGENTS: readonly Agent[] = [claudeCode, codex, gemini, qwen, cursor, copilot, ...MORE_AGENTS];
