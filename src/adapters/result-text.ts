import type { Result, ResultExecution } from "../result/index.ts";

/** A result as the text a model reads: the output, then in brackets what the output does not say; or the denial. */
export function resultText(result: Result): string {
  if (result.denial !== undefined) return result.denial.message;
  const { execution } = result;
  if (execution === undefined) return "";
  const output = execution.output.replace(/\n$/, "");
  const notes = notesOf(execution, result.cwd).map((note) => `[${note}]`);
  return [output, ...notes].filter((line) => line !== "").join("\n") || "[exit status 0, no output]";
}

function notesOf(execution: ResultExecution, before: string): readonly string[] {
  const { exit, truncated, background, waiting, cwd } = execution;
  const notes = [exitNote(exit)];
  if (truncated !== null) {
    const where = truncated.file === null ? "" : `, the whole output is in ${truncated.file}`;
    notes.push(`${truncated.omitted_bytes} bytes left out${where}`);
  }
  if (waiting !== null) notes.push(`it was waiting for input: ${waiting}`);
  for (const { pid, command } of background) notes.push(`still running in the background: ${pid} ${command}`);
  if (cwd !== before) notes.push(`the directory is now ${cwd}`);
  return notes.filter((note) => note !== "");
}

function exitNote(exit: ResultExecution["exit"]): string {
  switch (exit.kind) {
    case "exited":
      return exit.code === 0 ? "" : `exit status ${exit.code}`;
    case "signaled":
      return `killed by ${exit.signal}`;
    case "timed-out":
      return `timed out after ${exit.after_ms / 1000} s, everything it started was ended`;
    case "cancelled":
      return exit.by === "waiting" ? "ended because it waited for input" : `cancelled by ${exit.by}`;
  }
}
