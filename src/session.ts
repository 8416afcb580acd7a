import { resolve } from "node:path";
import { check, checkGuard, type Guard, guardAt, guardWith, type RunOptions, run } from "./guard.ts";
import type { Result } from "./result/index.ts";

/** What a session keeps from one command to the next. */
export interface SessionOptions {
  /** Exported variables too, not only the directory. */
  readonly keepExports?: boolean;
}

/** Commands that run one after the other, each where the one before it ended. */
export interface Session {
  readonly cwd: string;
  /** Judges and runs like `run`, in the session's directory; waits for the commands before it. */
  run(commandLine: string, options?: RunOptions): Promise<Result>;
  /** Judges what `run` would run now. */
  check(commandLine: string): Result;
  /** The way out of a directory that was removed. */
  moveTo(directory: string): void;
}

/** Starts a session in the guard's directory. The policy stays the one that the guard was opened with. */
export function createSession(guard: Guard, { keepExports = false }: SessionOptions = {}): Session {
  checkGuard("createSession", guard);
  let current = guard;
  let last: Promise<unknown> = Promise.resolve();
  const runNow = async (commandLine: string, options: RunOptions): Promise<Result> => {
    const result = await run(current, commandLine, { ...options, ...(keepExports ? { captureExports: true } : {}) });
    current = after(current, result);
    return result;
  };
  return {
    get cwd() {
      return current.surroundings.cwd;
    },
    run(commandLine, options = {}) {
      // A command must not be judged for a directory that another is about to leave.
      const next = last.then(() => runNow(commandLine, options));
      last = next.catch(() => {});
      return next;
    },
    check: (commandLine) => check(current, commandLine).result,
    moveTo(directory) {
      current = guardAt(current, resolve(current.surroundings.cwd, directory));
    },
  };
}

/** The guard as the command left the world; what it did not come to say stays. */
function after(guard: Guard, { execution }: Result): Guard {
  if (execution === undefined) return guard;
  const moved = execution.cwd_known ? guardAt(guard, execution.cwd) : guard;
  return execution.exports === undefined ? moved : guardWith(moved, execution.exports);
}
