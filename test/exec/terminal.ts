import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Execution,
  type Launch,
  type RunOptions,
  runInTerminal,
  terminalEnvironment,
} from "../../src/exec/index.ts";

/** Full sizes of what `npm test` does in small: GUARDED_SH_HEAVY=1. */
export const HEAVY = process.env.GUARDED_SH_HEAVY === "1";

/** A directory that is removed with the returned function. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "guarded-sh-exec-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A launch of a text with short limits, in `directory`. */
export function launch(directory: string, commandLine: string, more: Partial<Launch> = {}): Launch {
  return {
    commandLine,
    shell: "/bin/bash",
    cwd: directory,
    env: terminalEnvironment({ PATH: process.env.PATH, HOME: directory, LANG: "C.UTF-8" }),
    timeoutMs: 60_000,
    maxOutputBytes: 49_152,
    spoolDirectory: join(directory, "spool"),
    ...more,
  };
}

/** Runs a text on a terminal. */
export function run(
  directory: string,
  commandLine: string,
  more: Partial<Launch> = {},
  options: RunOptions = {},
): Promise<Execution> {
  return runInTerminal(launch(directory, commandLine, more), options).execution;
}

/** Pids of living processes whose command line contains a text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const state = readFileSync(`/proc/${name}/stat`, "latin1").replace(/^.*\) /s, "")[0];
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " ");
      return state !== "Z" && command.includes(text) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Pids of living processes that work in a directory and whose command line contains a text. */
export function processesIn(directory: string, text: string): number[] {
  return processesWith(text).filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === directory;
    } catch {
      return false;
    }
  });
}

/** How many living processes are `sleep SECONDS`: not those that are only told to start it. */
export function sleeping(seconds: string): number {
  return processesWith(`sleep ${seconds}`).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(`sleep\0${seconds}`);
    } catch {
      return false;
    }
  }).length;
}

/** Waits until a condition holds; false after the limit. */
export async function until(condition: () => boolean, limitMs: number): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; ) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}
