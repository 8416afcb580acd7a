import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fstatSync } from "node:fs";
import { Census, RUN_VARIABLE } from "./census.ts";
import { endTree } from "./ending.ts";
import { type Execution, notStarted } from "./execution.ts";
import type { Exit } from "./exit.ts";
import type { Launch } from "./launch.ts";
import { mayMove, type Report, takeReport, writePrologue } from "./prologue.ts";
import { makeSpoolDirectory } from "./spool.ts";
import { argvOf, startFault, systemFault } from "./start.ts";
import { watchOverRun } from "./watcher.ts";

/** Passed on to the shell. A terminal sends SIGINT and SIGQUIT to the whole group itself. */
const PASSED_ON = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
/** A command that is over before this is not watched over: starting the watcher would cost more than the command. */
const WATCH_AFTER_MS = 50;

/** What a pipe run needs; there is no output to keep, so nothing is written to disk unless `captureState` asks for it. */
export type PipeLaunch = Omit<Launch, "spoolDirectory" | "maxOutputBytes"> & Partial<Launch>;

/**
 * Runs a command line on this process's own descriptors: what it reads and writes does not pass through here, signals
 * are passed on, the end is the shell's. Without `captureState` nothing is added to the shell, so its directory at the
 * end is not known.
 */
export async function runInPipes(launch: PipeLaunch, options: { signal?: AbortSignal } = {}): Promise<Execution> {
  const whole: Launch = { spoolDirectory: "", maxOutputBytes: 0, ...launch };
  const fault = startFault(whole);
  if (fault !== undefined) return notStarted(fault, launch.cwd);
  const started = performance.now();
  const id = randomUUID();
  const target: { child?: ChildProcess } = {};
  // Before the start: the command may be told to end sooner than we come back from starting it.
  const stopPassing = passSignalsOn(target);
  try {
    const child = start(whole, id);
    target.child = child;
    if (child.pid === undefined) {
      const [error] = await once(child, "error");
      return notStarted(systemFault("system", "bash could not be started", error), launch.cwd);
    }
    const exit = await untilExit(child, new Census(id, child.pid, false), whole, id, options.signal);
    const durationMs = Math.round(performance.now() - started);
    return { ...notStarted(CANCELLED, launch.cwd), exit, durationMs, ...stateOf(whole, id) };
  } catch (error) {
    // Node throws some of what the system refuses, an argument list that is too long for one.
    return notStarted(systemFault("system", "bash could not be started", error), launch.cwd);
  } finally {
    stopPassing();
  }
}

const CANCELLED = { kind: "cancelled", by: "caller" } as const;

function stateOf({ captureState, commandLine, spoolDirectory, cwd }: Launch, id: string): Partial<Execution> {
  if (captureState === undefined) return { cwdKnown: false };
  const { directory, exports }: Report = takeReport(spoolDirectory, id);
  return {
    cwd: directory ?? cwd,
    cwdKnown: directory !== undefined || !mayMove(commandLine),
    ...(exports === undefined ? {} : { exports }),
  };
}

function prologueOf({ captureState, commandLine, spoolDirectory }: Launch, id: string): { BASH_ENV?: string } {
  if (captureState === undefined) return {};
  makeSpoolDirectory(spoolDirectory);
  const prologue = { directory: mayMove(commandLine), exports: captureState.exports };
  return { BASH_ENV: writePrologue(spoolDirectory, id, prologue, commandLine) };
}

function start(launch: Launch, id: string): ChildProcess {
  const [program, ...argv] = argvOf(launch);
  const outer = launch.env[RUN_VARIABLE];
  return spawn(program, argv, {
    stdio: ["inherit", "inherit", "inherit", ...jobServer(launch.env)],
    cwd: launch.cwd,
    env: {
      ...launch.env,
      PWD: launch.cwd,
      [RUN_VARIABLE]: outer === undefined ? id : `${outer}:${id}`,
      ...prologueOf(launch, id),
    },
  });
}

/** `make` hands its job slots to sub-makes through two descriptors that Node would keep from them. */
function jobServer(env: Readonly<Record<string, string>>): (number | "ignore")[] {
  const found = /--jobserver-(?:auth|fds)=(\d+),(\d+)/.exec(env.MAKEFLAGS ?? "");
  const wanted = found === null ? [] : [Number(found[1]), Number(found[2])].filter(isPipe);
  const last = Math.max(2, ...wanted);
  if (last > 64) return [];
  return Array.from({ length: last - 2 }, (_, at) => (wanted.includes(at + 3) ? at + 3 : "ignore"));
}

function isPipe(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFIFO();
  } catch {
    return false;
  }
}

async function untilExit(child: ChildProcess, census: Census, launch: Launch, id: string, signal?: AbortSignal) {
  const exited = once(child, "exit");
  let ended: Exit | undefined;
  let ending: Promise<void> | undefined;
  const end = (exit: Exit) => {
    ended ??= exit;
    ending ??= endTree(census);
  };
  const onAbort = () => end(CANCELLED);
  const { timeoutMs } = launch;
  const limit =
    timeoutMs === undefined ? undefined : setTimeout(() => end({ kind: "timed-out", afterMs: timeoutMs }), timeoutMs);
  const stop = [watchLater(launch.shell, id, child.pid ?? 0), () => clearTimeout(limit)];
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  const [code, name] = await exited;
  await ending;
  signal?.removeEventListener("abort", onAbort);
  for (const step of stop) step();
  return ended ?? ((name === null ? { kind: "exited", code } : { kind: "signaled", signal: name }) satisfies Exit);
}

function passSignalsOn(target: { child?: ChildProcess }): () => void {
  const listeners = PASSED_ON.map((name) => {
    const listener = () => {
      const fromTerminal = (name === "SIGINT" || name === "SIGQUIT") && process.stdin.isTTY === true;
      if (!fromTerminal) target.child?.kill(name);
    };
    process.on(name, listener);
    return { name, listener };
  });
  return () => {
    for (const { name, listener } of listeners) process.off(name, listener);
  };
}

function watchLater(shell: string, id: string, root: number): () => void {
  let stop = () => {};
  const timer = setTimeout(() => {
    stop = watchOverRun(shell, id, root, false);
  }, WATCH_AFTER_MS);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
