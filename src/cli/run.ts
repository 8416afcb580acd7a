import { constants } from "node:os";
import { endOnSignals, quoteWords, run } from "../guard.ts";
import type { Result } from "../result/index.ts";
import { escapeText } from "../text/index.ts";
import { ASK_OPTIONS, approverOf } from "./approver.ts";
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

export const runVerb: Verb = {
  name: "run",
  summary: "judge a command line, ask if needed, run it on a terminal of its own",
  usage: ["run 'TEXT'", "run -- ARGV…"],
  options: [
    JSON_OPTION,
    { name: "timeout", value: "SECONDS", help: "end the whole run after this long (default 120)" },
    { name: "raw", help: "keep the bytes as the terminal got them" },
    { name: "stdin", value: "TEXT", help: "text on standard input; without it standard input is empty" },
    { name: "max-output", value: "BYTES", help: "most output in the result (default 49152); the whole goes to a file" },
    ...ASK_OPTIONS,
    POLICY_OPTION,
    SKILL_OPTION,
    CWD_OPTION,
  ],
  examples: [
    ["guarded-sh run 'npm test 2>&1 | tail -5'", ""],
    [
      "guarded-sh run --json --timeout 10 -- git commit -m 'fix: a \"b\" c'",
      "the words after -- are quoted, not joined",
    ],
  ],
  run: runRun,
};

async function runRun(parsed: Parsed, terminal: Terminal): Promise<number> {
  const commandLine = lineOf(parsed);
  const guard = openFor(runVerb, parsed, terminal);
  const ending = endOnSignals();
  try {
    const live = parsed.is("json") ? undefined : liveOutput(terminal);
    const result = await run(guard, commandLine, {
      timeoutMs: numberOf(parsed, "timeout", 120) * 1000,
      maxOutputBytes: numberOf(parsed, "max-output", 48 * 1024),
      raw: parsed.is("raw"),
      signal: ending.signal,
      ...(live === undefined ? {} : { onOutput: live.write }),
      ...approverOf(runVerb, parsed, terminal),
      ...(parsed.text("stdin") === undefined ? {} : { stdin: parsed.text("stdin") as string }),
    });
    if (parsed.is("json")) terminal.stdout.write(`${JSON.stringify(result)}\n`);
    else printResult(result, terminal, live);
    return statusOf(result);
  } finally {
    ending.uninstall();
  }
}

/** `run 'TEXT'` takes one command line; `run -- ARGV…` quotes each word. */
function lineOf(parsed: Parsed): string {
  return parsed.operands.length > 1 ? quoteWords(parsed.operands) : commandLineOf(runVerb, parsed);
}

function numberOf(parsed: Parsed, name: string, fallback: number): number {
  const text = parsed.text(name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new UsageError(`--${name} wants a number above 0, not \`${text}\``, runVerb);
  // Some 24 days: a timer cannot wait longer.
  if (name === "timeout" && value > 2_147_483) throw new UsageError("--timeout wants at most 2147483 seconds", runVerb);
  return value;
}

/** Output that a person sees as it comes. */
interface Live {
  readonly write: (text: string) => void;
  /** The last character written, or "". */
  readonly last: () => string;
}

/** A person at a terminal sees it as it comes; whoever reads a pipe gets what the terminal came to show, at the end. */
function liveOutput({ stdout }: Terminal): Live | undefined {
  if (!("isTTY" in stdout) || stdout.isTTY !== true) return undefined;
  let last = "";
  const write = (text: string) => {
    last = text.at(-1) ?? last;
    stdout.write(text);
  };
  return { write, last: () => last };
}

function printResult(result: Result, terminal: Terminal, live: Live | undefined): void {
  if (result.denial !== undefined) {
    terminal.stderr.write(`${result.denial.message}\n`);
    return;
  }
  const { execution } = result;
  if (execution === undefined) return;
  const output = live === undefined ? execution.output : "";
  const end = live === undefined ? (output.at(-1) ?? "") : live.last();
  terminal.stdout.write(end === "" || end === "\n" ? output : `${output}\n`);
  for (const note of notesOf(result)) terminal.stderr.write(`guarded-sh: ${note}\n`);
}

/** What a reader of the output would not see in it. */
export function notesOf({ execution, cwd }: Result): readonly string[] {
  if (execution === undefined) return [];
  const { exit, background, waiting, scope = [] } = execution;
  const notes: string[] = [];
  if (exit.kind === "timed-out")
    notes.push(
      `timed out after ${exit.after_ms / 1000} s, everything it started was ended; use a larger --timeout if it needs longer`,
    );
  if (exit.kind === "signaled") notes.push(`killed by ${exit.signal}`);
  if (exit.kind === "cancelled")
    notes.push(exit.by === "waiting" ? "ended because it waited for input" : `cancelled by ${exit.by}`);
  if (waiting !== null) notes.push(`it was waiting for input: ${waiting}`);
  for (const { pid, command } of background) notes.push(`still running in the background: ${pid} ${command}`);
  for (const { access, path } of scope)
    notes.push(`kept from it by [scope]: ${access}${path === null ? "" : ` ${escapeText(path)}`}`);
  if (execution.cwd !== cwd) notes.push(`the directory at the end: ${execution.cwd}`);
  return notes;
}

/** The program's own status; 124, 125, 126 for what guarded-sh did. */
export function statusOf({ kind, execution }: Result): number {
  if (kind === "failed") return EXIT.failed;
  if (execution === undefined) return EXIT.refused;
  const { exit } = execution;
  switch (exit.kind) {
    case "exited":
      return exit.code;
    case "signaled":
      return 128 + signalNumber(exit.signal);
    case "timed-out":
      return EXIT.timedOut;
    case "cancelled":
      return exit.by.startsWith("SIG") ? 128 + signalNumber(exit.by) : EXIT.timedOut;
  }
}

function signalNumber(name: string): number {
  return new Map<string, number>(Object.entries(constants.signals)).get(name) ?? 0;
}
