import { writeSync } from "node:fs";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import type { Terminal } from "./command.ts";
import { messageOf } from "./error-message.ts";
import { EXIT } from "./exit.ts";
import { hookVerb, refusalOf } from "./hook.ts";
import { isShellCall } from "./shell.ts";

/** The terminal of this process. When standard output can no longer be written, the process ends. */
export function ownTerminal(argv: readonly string[] = process.argv.slice(2)): Terminal {
  const { env } = process;
  const watched = new Set<Writable>();
  const watch = (stream: Writable, onError: (error: Error) => void) => {
    if (!watched.has(stream)) stream.on("error", onError);
    watched.add(stream);
    return stream;
  };
  // Read only when used: a stream that Node has opened costs time, and its descriptor is no longer as we were given it.
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return watch(process.stdout, (error) => {
        // Whoever serves clients ends in its own order.
        if (process.stdout.listenerCount("error") === 1) endUnwritten(argv, error);
      });
    },
    get stderr() {
      // The exit status says what matters, and there is nowhere left to say more.
      return watch(process.stderr, () => {});
    },
    get colours() {
      return process.stdout.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
    },
    get cwd() {
      return ownDirectory();
    },
    env,
    program: process.argv[1],
  };
}

/** What is thrown where nobody catches it ends the process with one line, never with a stack trace and Node's status. */
export function endOnErrors(argv: readonly string[]): void {
  process.on("uncaughtException", (error) => endUncaught(argv, error));
  process.on("unhandledRejection", (error) => endUncaught(argv, error));
}

/** The status of a call that failed: the *no* of a hook, 125 where 2 could be the program's own status. */
export function failureStatus(argv: readonly string[], terminal: Pick<Terminal, "program">): number {
  if (argv[0] === hookVerb.name) return EXIT.usage;
  return argv[0] === "run" || isShellCall(argv, terminal) ? EXIT.failed : EXIT.usage;
}

function endUncaught(argv: readonly string[], error: unknown): void {
  if (isUnwritten(error)) endUnwritten(argv, error);
  if (argv[0] !== hookVerb.name) {
    writeQuietly(2, `${messageOf(error)}\n`);
    process.exit(failureStatus(argv, { program: process.argv[1] }));
  }
  const { status, stdout, stderr } = refusalOf(argv, messageOf(error));
  writeQuietly(2, stderr);
  process.exit(writeQuietly(1, `${stdout}\n`) ? status : EXIT.usage);
}

function isUnwritten(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && error.syscall === "write";
}

/** A hook whose answer was lost must not look like one that had nothing to say. A reader that has gone wants no more. */
function endUnwritten(argv: readonly string[], error: Error): never {
  const hook = argv[0] === hookVerb.name;
  if (isReaderGone(error) && !hook) process.exit(READER_GONE);
  writeQuietly(2, `guarded-sh: ${unwrittenText(error)}\n`);
  return process.exit(failureStatus(argv, { program: process.argv[1] }));
}

/** The status when whoever read standard output has gone: that of a program which SIGPIPE ended. */
export const READER_GONE = 128 + constants.signals.SIGPIPE;

export function isReaderGone(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
}

/** What is said of standard output that cannot be written. */
export function unwrittenText(error: Error): string {
  return `standard output cannot be written: ${"code" in error ? String(error.code) : error.message}`;
}

function writeQuietly(descriptor: number, text: string): boolean {
  try {
    writeSync(descriptor, text);
    return true;
  } catch {
    return false;
  }
}

function ownDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new Error("missing-directory: the directory that this was started in is gone: `cd` to another one");
  }
}
