import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Place } from "./place.ts";

/** The program that the tests start; another one is tried with `GUARDED_SH_BIN`. */
export const PROGRAM = process.env.GUARDED_SH_BIN ?? join(import.meta.dirname, "../../bin/guarded-sh.js");

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Keep standard input open for lines. */
  readonly input?: true;
}

export interface Started {
  readonly child: ChildProcess;
  readonly done: Promise<Ended>;
  /** What it has written to standard error by now. */
  readonly said: () => string;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program in a place. */
export function start(place: Place, args: readonly string[], options: StartOptions = {}): Started {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: options.cwd ?? place.project,
    env: { ...place.env, ...options.env },
    stdio: [options.input ? "pipe" : "ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const done = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, done, said: () => stderr };
}
