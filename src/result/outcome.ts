import type { Execution } from "../exec/index.ts";
import { denialText, refusalsOf } from "./denial.ts";
import type { DenialKind, Result, ResultExecution } from "./result.ts";

/** The kind of denial that a judged text gets when its decision is deny. */
export function denialKindOf(result: Result): DenialKind {
  const kind = refusalsOf(result)[0]?.reason.kind;
  if (kind === "finding" || kind === "nothing") return "finding";
  return kind === "default" ? "default" : "rule";
}

/** The result of a text that was refused: nothing of it has run. `rules`: what a person could add so that it is not asked. */
export function deniedResult(
  result: Result,
  kind: DenialKind,
  feedback?: string,
  rules: readonly string[] = [],
): Result {
  const message = denialText(result, kind, feedback, rules);
  const person = kind === "rejected" || kind === "corrected" || kind === "cascade";
  const denial = { kind, message, ...(feedback === undefined ? {} : { feedback }), ran: false } as const;
  return { ...result, kind: person ? "rejected" : "denied", is_error: true, denial };
}

/** The result of a text that guarded-sh could not judge or start: nothing of it has run. */
export function failedResult(command: string, cwd: string, message: string, result?: Result): Result {
  const empty: Result = {
    version: 1,
    kind: "failed",
    is_error: true,
    command,
    cwd,
    decision: "deny",
    segments: [],
    effects: [],
    findings: [],
    because: [],
  };
  const text = `guarded-sh: failed, nothing was run\n${message}`;
  return {
    ...(result ?? empty),
    kind: "failed",
    is_error: true,
    denial: { kind: "failed", message: text, ran: false },
  };
}

/** The result of a text that ran, however it ended. */
export function ranResult(result: Result, execution: Execution): Result {
  const { exit } = execution;
  if (exit.kind === "not-started")
    return failedResult(result.command, result.cwd, `${exit.message}\nhelp: ${exit.help}`, result);
  return {
    ...result,
    kind: "ran",
    is_error: !(exit.kind === "exited" && exit.code === 0),
    execution: executionOf(execution, exit),
  };
}

function executionOf(execution: Execution, exit: Exclude<Execution["exit"], { kind: "not-started" }>): ResultExecution {
  const { output, truncated, durationMs, cwd, cwdKnown, background, waiting, exports } = execution;
  return {
    exit: exitOf(exit),
    output,
    truncated: truncated && {
      omitted_bytes: truncated.omittedBytes,
      file: truncated.file ?? null,
      complete: truncated.complete,
    },
    duration_ms: durationMs,
    cwd,
    cwd_known: cwdKnown,
    background,
    waiting: waiting?.line ?? null,
    ...(exports === undefined ? {} : { exports }),
  };
}

function exitOf(exit: Exclude<Execution["exit"], { kind: "not-started" }>): ResultExecution["exit"] {
  switch (exit.kind) {
    case "exited":
    case "signaled":
      return exit;
    case "timed-out":
      return { kind: "timed-out", after_ms: exit.afterMs };
    case "cancelled":
      return { kind: "cancelled", by: exit.by === "signal" ? exit.signal : exit.by };
  }
}
