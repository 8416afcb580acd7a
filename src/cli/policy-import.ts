import { AGENTS, agentNamed, ImportError, importRules, lossesOf, renderToml } from "../policy/import/index.ts";
import { checkExamples, parseToml } from "../policy/index.ts";
import { DiagnosticError, escapeText, nearestWord, wrapFrom } from "../text/index.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { readTextFile } from "./text-file.ts";

const NAMES = Object.keys(AGENTS);

export const policyImportVerb: Verb = {
  name: "policy import",
  summary: "turn another agent's rules into a policy file",
  usage: ["policy import AGENT FILE"],
  options: [],
  examples: [
    [
      "guarded-sh policy import claude .claude/settings.json > guarded-sh.toml",
      "what cannot be carried over is listed, and exit status 1 says so; nothing becomes laxer",
    ],
    [`guarded-sh policy import codex ~/.codex/rules/default.rules`, `agents: ${NAMES.join(", ")}`],
  ],
  run: runImport,
};

async function runImport(parsed: Parsed, terminal: Terminal): Promise<number> {
  const [name, file, ...more] = parsed.operands;
  if (name === undefined || file === undefined || more.length > 0)
    throw new UsageError("policy import takes an agent and a file", policyImportVerb);
  const agent = agentNamed(name);
  if (agent === undefined) throw new UsageError(unknownAgent(name), policyImportVerb);
  const imported = importOf(agent, readTextFile(file, terminal.cwd, policyImportVerb), file);
  const text = renderToml(imported, file);
  checkPolicy(text);
  terminal.stdout.write(text);
  const losses = lossesOf(imported);
  for (const line of losses) terminal.stderr.write(`${wrapFrom(0, `guarded-sh: ${line}`).join("\n")}\n`);
  return losses.length > 0 ? EXIT.found : EXIT.ok;
}

function unknownAgent(name: string): string {
  const near = nearestWord(name, NAMES);
  const hint = near === undefined ? `use ${NAMES.join(", ")}` : `did you mean \`${near}\`?`;
  return `no rules of \`${escapeText(name)}\` can be read, ${hint}`;
}

function importOf(agent: keyof typeof AGENTS, text: string, file: string) {
  try {
    return importRules(agent, text);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const { code, message, help, span } = error;
    throw new DiagnosticError([{ code, severity: "error", message, help, source: { name: file, text }, span }]);
  }
}

/** What is printed must load: its examples are run here as they will be there. */
function checkPolicy(text: string): void {
  const setting = { home: "/", env: new Map<string, string>() };
  const source = { name: "imported policy", text };
  const { document } = parseToml(source, { layer: "given", trusted: true, windows: false, ...setting });
  checkExamples(document, { cwd: "/", ...setting });
}
