import { check } from "../guard.ts";
import { renderDiagnostic } from "../text/index.ts";
import { CWD_OPTION, JSON_OPTION, type Parsed, POLICY_OPTION, type Terminal, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { explain, renderExplanation } from "./explain.ts";
import { commandLineOf, openFor } from "./open.ts";
import { paintFor } from "./paint.ts";

export const policyExplainVerb: Verb = {
  name: "policy explain",
  summary: "why a command line is judged as it is, stage by stage; the same as `check --explain`",
  usage: ["policy explain 'TEXT' [--json]"],
  options: [JSON_OPTION, POLICY_OPTION, CWD_OPTION],
  examples: [
    [
      "guarded-sh policy explain 'sudo rm -rf build'",
      "segments, words, rules that matched and the nearest that did not",
    ],
    ["guarded-sh policy explain --json 'git push -f' | jq '.explain[].near'", ""],
  ],
  run: runExplain,
};

const STATUS = { allow: EXIT.ok, ask: EXIT.ask, deny: EXIT.deny } as const;

async function runExplain(parsed: Parsed, terminal: Terminal): Promise<number> {
  const commandLine = commandLineOf(policyExplainVerb, parsed);
  return printExplanation(commandLine, openFor(policyExplainVerb, parsed, terminal), parsed.is("json"), terminal);
}

/** Judges a command line and prints the trace of it; the status of `check`. */
export function printExplanation(
  commandLine: string,
  guard: Parameters<typeof check>[0],
  json: boolean,
  terminal: Terminal,
): number {
  const checked = check(guard, commandLine);
  const explanation = explain(guard, checked);
  if (json) terminal.stdout.write(`${JSON.stringify({ ...checked.result, explain: explanation })}\n`);
  else {
    terminal.stdout.write(`${renderExplanation(checked.result, explanation, paintFor(terminal.colours))}\n`);
    for (const diagnostic of checked.segmentation.diagnostics.slice(0, 3)) {
      terminal.stderr.write(`${renderDiagnostic(diagnostic)}\n`);
    }
  }
  return STATUS[checked.result.decision];
}
