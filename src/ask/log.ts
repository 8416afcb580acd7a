import { appendFileSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../policy/make-folder.ts";

/** One decision that was not simply an allow by rule: one line of JSON. */
export interface LogEntry {
  readonly version: 1;
  /** ISO 8601. */
  readonly at: string;
  readonly session: string;
  readonly project: string;
  readonly cwd: string;
  readonly tool: string;
  /** The command line, or the subject of another tool's call. */
  readonly text: string;
  /** How it ended: `once`, `always`, `granted`, or the kind of the denial. `allowed` only when everything is logged. */
  readonly outcome: string;
  /** What was open, and the first pattern that would have covered it. */
  readonly parts: readonly { readonly tool: string; readonly subject: string; readonly pattern: string | null }[];
  readonly feedback?: string;
}

/** Bytes after which the log is begun anew; the one before is kept beside it. */
const MOST_BYTES = 4 * 1024 * 1024;
const LONGEST_TEXT = 4096;

/** The file that decisions are written to in a state folder. */
export function logFile(stateFolder: string): string {
  return join(stateFolder, "decisions.jsonl");
}

/** Adds a decision to the log. A log that cannot be written changes no decision. */
export function logDecision(stateFolder: string, entry: LogEntry): void {
  const file = logFile(stateFolder);
  const line = `${JSON.stringify({ ...entry, text: entry.text.slice(0, LONGEST_TEXT) })}\n`;
  try {
    makeFolder(stateFolder, 0o700);
    if (sizeOf(file) > MOST_BYTES) renameSync(file, `${file}.1`);
    appendFileSync(file, line, { mode: 0o600 });
  } catch {
    // No room or no right: the decision stands, and it was told to whoever asked.
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** The decisions of the log, oldest first. Lines that cannot be read are left out. */
export function readLog(stateFolder: string): readonly LogEntry[] {
  const file = logFile(stateFolder);
  return [`${file}.1`, file].flatMap(linesOf).flatMap(entryOf);
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function entryOf(line: string): readonly LogEntry[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "version" in value && value.version === 1
      ? [value as LogEntry]
      : [];
  } catch {
    return [];
  }
}
