import type { Execution } from "./execution.ts";
import type { Launch, Size } from "./launch.ts";
import { TerminalRun } from "./terminal-run.ts";

/** What a caller may listen to while a run goes on. */
export interface RunOptions {
  /** Ends the whole run. A reason that is a signal's name (`SIGTERM`) is reported as that signal. */
  readonly signal?: AbortSignal;
  /** The output as it comes, whole characters, escapes included. */
  readonly onOutput?: (text: string) => void;
  /** The output as it comes, byte for byte. */
  readonly onBytes?: (chunk: Uint8Array) => void;
  /** Called when the command begins to wait for input, with the line its question stands on. */
  readonly onPrompt?: (line: string) => void;
}

/** A run that goes on. */
export interface RunningCommand {
  /** Resolves once, however the run ends; rejects only if this program is at fault. */
  readonly execution: Promise<Execution>;
  /** Types text. False if the command has no terminal to read from (`terminalInput`), or has ended. */
  write(text: string): boolean;
  resize(size: Size): void;
}

/** Runs a command line on a terminal of its own. */
export function runInTerminal(launch: Launch, options: RunOptions = {}): RunningCommand {
  const run = new TerminalRun(launch, options);
  return {
    execution: run.execute(),
    write: (text) => run.write(text),
    resize: (size) => run.resize(size),
  };
}
