import type { Exit } from "./exit.ts";

/** A process of a run that was left running. */
export interface BackgroundProcess {
  readonly pid: number;
  readonly command: string;
}

/** What was left out of an output, and where the whole of it is. */
export interface Truncation {
  readonly omittedBytes: number;
  /** Path of the spool file (mode 0600); undefined if it could not be written. */
  readonly file: string | undefined;
  /** False if the file holds only the beginning: its own limit or a full disk. */
  readonly complete: boolean;
}

/** What a run left behind. The same shape however it ended. */
export interface Execution {
  readonly exit: Exit;
  /** What a person would read on the terminal; with `raw`, the bytes read as UTF-8. */
  readonly output: string;
  /** Only with `raw`: the bytes themselves, head and tail with the marker between when truncated. */
  readonly bytes?: Uint8Array;
  readonly truncated: Truncation | null;
  readonly durationMs: number;
  /** The shell's directory at the end; the one at the start if it cannot be known. */
  readonly cwd: string;
  readonly cwdKnown: boolean;
  readonly background: readonly BackgroundProcess[];
  /** The command was waiting for input when it ended, was ended, or ran into its limit. */
  readonly waiting: { readonly line: string } | null;
  /** Only with `captureState.exports`, and only if the shell came to say it. */
  readonly exports?: Readonly<Record<string, string>>;
}

/** The execution of something that was never started. */
export function notStarted(exit: Extract<Exit, { kind: "not-started" | "cancelled" }>, cwd: string): Execution {
  return { exit, output: "", truncated: null, durationMs: 0, cwd, cwdKnown: true, background: [], waiting: null };
}
