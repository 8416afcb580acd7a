import { readLog } from "../ask/log.ts";
import { stateFolderOf } from "../guard.ts";
import { escapeText, isInside } from "../text/index.ts";
import {
  CWD_OPTION,
  JSON_OPTION,
  type Parsed,
  POLICY_OPTION,
  type Terminal,
  UsageError,
  type Verb,
} from "./command.ts";
import { EXIT } from "./exit.ts";
import { openFor } from "./open.ts";
import { type SuggestedRule, suggestRules } from "./suggest-rules.ts";

export const policySuggestVerb: Verb = {
  name: "policy suggest",
  summary: "the narrowest rules for what people have approved or refused again and again",
  usage: ["policy suggest [--least N] [--json]"],
  options: [
    { name: "least", value: "N", help: "answers that it takes (default 2)" },
    { name: "everywhere", help: "answers given in other projects too" },
    JSON_OPTION,
    POLICY_OPTION,
    CWD_OPTION,
  ],
  examples: [
    ["guarded-sh policy suggest", "the rules that would have answered what you have been asked"],
    ["guarded-sh policy suggest >> guarded-sh.toml", "read them first: each has the commands that it comes from"],
  ],
  run: runSuggest,
};

async function runSuggest(parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.operands.length > 0) throw new UsageError("policy suggest takes no operand", policySuggestVerb);
  const guard = openFor(policySuggestVerb, parsed, terminal);
  const { projectRoot } = guard.context;
  const entries = readLog(stateFolderOf(guard)).filter(
    ({ cwd }) => parsed.is("everywhere") || isInside(cwd, projectRoot),
  );
  const rules = suggestRules(guard, entries, leastOf(parsed));
  if (parsed.is("json")) terminal.stdout.write(`${JSON.stringify(rules)}\n`);
  else if (rules.length > 0) terminal.stdout.write(rules.map(ruleText).join("\n"));
  else terminal.stderr.write("guarded-sh: nothing to suggest: no command was answered the same way often enough\n");
  return EXIT.ok;
}

function leastOf(parsed: Parsed): number {
  const text = parsed.text("least");
  if (text === undefined) return 2;
  const least = Number(text);
  if (!Number.isInteger(least) || least < 1)
    throw new UsageError(`--least wants a whole number above 0, not \`${escapeText(text)}\``, policySuggestVerb);
  return least;
}

const MOST_EXAMPLES = 3;

function ruleText({ tool, pattern, action, times, examples, reason }: SuggestedRule): string {
  const said = action === "allow" ? "approved" : "refused";
  const lines = [
    `# ${said} ${times === 1 ? "once" : `${times} times`}`,
    "[[permissions.rule]]",
    `tool = ${JSON.stringify(tool)}`,
    `pattern = ${JSON.stringify(pattern)}`,
    `action = ${JSON.stringify(action)}`,
    ...(reason === undefined ? [] : [`reason = ${JSON.stringify(reason)}`]),
    ...exampleLines(pattern, examples),
  ];
  return `${lines.join("\n")}\n`;
}

/** Only those that read the same without quotes: an example is a command line, and what is known here is its words. */
function exampleLines(pattern: string, examples: readonly string[]): readonly string[] {
  const plain = examples.filter((text) => /^[\w@%+=:,./ -]+$/.test(text)).slice(0, MOST_EXAMPLES);
  return plain.length === 0 || !/[\w]/.test(pattern) ? [] : [`match = ${JSON.stringify(plain)}`];
}
