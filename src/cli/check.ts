import { check, nearMissesOf } from "../guard.ts";
import { type Result, renderTree } from "../result/index.ts";
import { renderDiagnostic } from "../text/index.ts";
import {
  CWD_OPTION,
  JSON_OPTION,
  type Parsed,
  POLICY_OPTION,
  SKILL_OPTION,
  type Terminal,
  UsageError,
  type Verb,
} from "./command.ts";
import { EXIT } from "./exit.ts";
import { commandLineOf, openFor } from "./open.ts";
import { paintFor } from "./paint.ts";

export const checkVerb: Verb = {
  name: "check",
  summary: "judge a command line and run nothing",
  usage: ["check 'TEXT' [--json] [--explain]", "check --stdin-jsonl"],
  options: [
    JSON_OPTION,
    { name: "explain", help: "say how every word is read, which rules matched and which nearly did" },
    {
      name: "stdin-jsonl",
      help: 'judge one {"id","command","cwd"?,"policy"?} a line, answer one JSON a line, in order; the directory may be one of another machine',
    },
    POLICY_OPTION,
    SKILL_OPTION,
    CWD_OPTION,
  ],
  examples: [
    [
      "guarded-sh check 'git add -A && rm -rf build | tee log'",
      "a tree of all segments, each with the rule that decides and where it is written",
    ],
    ["guarded-sh check --json 'sudo systemctl restart x' | jq .decision", ""],
  ],
  run: runCheck,
};

const STATUS = { allow: EXIT.ok, ask: EXIT.ask, deny: EXIT.deny } as const;

async function runCheck(parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.is("stdin-jsonl")) {
    if (parsed.operands.length > 0)
      throw new UsageError("--stdin-jsonl takes no operand: the command lines come on standard input", checkVerb);
    const { checkLines } = await import("./check-lines.ts");
    return checkLines(openFor(checkVerb, parsed, terminal), terminal);
  }
  const commandLine = commandLineOf(checkVerb, parsed);
  const guard = openFor(checkVerb, parsed, terminal);
  if (parsed.is("explain")) {
    const { printExplanation } = await import("./policy-explain.ts");
    return printExplanation(commandLine, guard, parsed.is("json"), terminal);
  }
  const checked = check(guard, commandLine);
  if (parsed.is("json")) terminal.stdout.write(`${JSON.stringify(checked.result)}\n`);
  else {
    const tree = renderTree(checked.result, paintFor(terminal.colours), nearMissesOf(guard, checked));
    terminal.stdout.write(`${tree}\n`);
    for (const snippet of snippetsOf(checked)) terminal.stderr.write(`${snippet}\n`);
  }
  return statusOf(checked.result);
}

function statusOf(result: Result): number {
  return STATUS[result.decision];
}

function snippetsOf({ segmentation }: ReturnType<typeof check>): readonly string[] {
  return segmentation.diagnostics.slice(0, 3).map((diagnostic) => renderDiagnostic(diagnostic));
}
