import { matchesExample } from "../examples.ts";
import { makeRule } from "../rule.ts";
import { importClaude } from "./claude.ts";
import { importCodex } from "./codex.ts";
import { importCopilot } from "./copilot.ts";
import { importGemini } from "./gemini.ts";
import { ImportError, type Imported, type ImportedRule, lost, withoutLoosening } from "./imported.ts";
import { importOpenCode } from "./opencode.ts";

/** Every agent whose rules can be read, with what its file is. */
export const AGENTS = {
  claude: { reads: importClaude, file: "settings.json" },
  codex: { reads: importCodex, file: "default.rules" },
  gemini: { reads: importGemini, file: "settings.json or a policy in TOML" },
  opencode: { reads: importOpenCode, file: "opencode.json" },
  copilot: { reads: importCopilot, file: "a script with --allow-tool and --deny-tool" },
} as const satisfies Record<string, { reads: (text: string) => Imported; file: string }>;

export type Agent = keyof typeof AGENTS;

const OTHER_NAMES: ReadonlyMap<string, Agent> = new Map<string, Agent>([
  ["claude-code", "claude"],
  ["codex-cli", "codex"],
  ["gemini-cli", "gemini"],
  ["copilot-cli", "copilot"],
]);

/** The agent of that name. */
export function agentNamed(name: string): Agent | undefined {
  return Object.hasOwn(AGENTS, name) ? (name as Agent) : OTHER_NAMES.get(name);
}

/** The rules of an agent as rules of guarded-sh. INVARIANT: what was denied there is not allowed here. Throws an `ImportError`. */
export function importRules(agent: Agent, text: string): Imported {
  const { reads, file } = AGENTS[agent];
  const nul = text.indexOf("\0");
  if (nul >= 0)
    throw new ImportError("nul-byte", "the file holds a NUL character", "give a text file", {
      start: nul,
      end: nul + 1,
    });
  const read = reads(text);
  // A file of something else may be read without a fault, and hold nothing.
  const none = read.items.length > 0 ? [] : [lost("the whole file", `no rule is in it; ${file} of ${agent} is wanted`)];
  const imported = withoutLoosening({ ...read, items: [...read.items, ...none] });
  return {
    ...imported,
    items: imported.items.map((item) => (item.kind === "rule" ? { kind: "rule", ...withTrueExamples(item) } : item)),
  };
}

/** An example is kept where it holds: of a rule with alternatives only one matches it, and a deny here may match more. */
function withTrueExamples(imported: ImportedRule): ImportedRule {
  const { match, notMatch, ...rest } = imported;
  if (match === undefined && notMatch === undefined) return imported;
  const setting = { home: "/", env: new Map<string, string>(), windows: false, patterns: "paths" } as const;
  const origin = { source: { name: "imported", text: "" }, span: { start: 0, end: 0 } };
  const { tool, pattern, decision } = imported;
  const text = {
    tool,
    pattern,
    decision,
    flags: [],
    does: [],
    reason: undefined,
    suggest: undefined,
    match: [],
    notMatch: [],
    origin,
  };
  const rule = makeRule(text, "imported", setting);
  const holds = (example: string) => matchesExample(rule, example, { cwd: "/", home: "/", env: setting.env });
  return {
    ...rest,
    match: (match ?? []).filter(holds),
    notMatch: (notMatch ?? []).filter((example) => !holds(example)),
  };
}
