import { accessSync, constants, statSync } from "node:fs";
import { CLOSE_DESCRIPTORS } from "./descriptors.ts";
import type { Exit } from "./exit.ts";
import { type Launch, MAX_ARGUMENT_BYTES } from "./launch.ts";

type NotStarted = Extract<Exit, { kind: "not-started" }>;

/** What keeps a launch from starting, as far as it can be known before; undefined if nothing does. */
export function startFault(launch: Launch): NotStarted | undefined {
  if (!isDirectory(launch.cwd)) {
    return fault(
      "no-directory",
      `the directory \`${launch.cwd}\` does not exist or cannot be entered`,
      "pass another one",
    );
  }
  if (!isProgram(launch.shell)) {
    return fault("no-shell", `no bash at \`${launch.shell}\``, "give the absolute path of a bash");
  }
  if (launch.scriptFile === undefined && Buffer.byteLength(launch.commandLine) >= MAX_ARGUMENT_BYTES) {
    const limit = `${MAX_ARGUMENT_BYTES - 1} bytes`;
    return fault(
      "too-long",
      `the text is longer than the system passes to bash (${limit})`,
      "write it to a file and run that",
    );
  }
  return undefined;
}

/** The end of a launch that the system refused. */
export function systemFault(code: "no-terminal" | "no-spool" | "system", what: string, error: unknown): NotStarted {
  const help: Record<typeof code, string> = {
    "no-terminal": "check that /dev/pts is mounted and that @lydell/node-pty has a binary for this system",
    "no-spool": "name a directory that can be written",
    system: "check the limits on processes, memory and the length of the environment",
  };
  return fault(code, `${what}: ${error instanceof Error ? error.message : String(error)}`, help[code]);
}

/** Program and arguments: the boundary's argv if there is one, bash with the text, and the text's own parameters. */
export function argvOf(launch: Launch): [string, ...string[]] {
  const options = ["--noprofile", "--norc", ...(launch.shellArguments ?? [])];
  const shell: [string, ...string[]] = [launch.shell, ...options, ...sourceOf(launch)];
  const [program, ...rest] = [...(launch.prefix ?? []), ...shell];
  return [program ?? launch.shell, ...rest];
}

/** The same by way of a shell that closes our descriptors first, where no file can say it to the one that runs the text. */
export function argvWithoutFiles(launch: Launch): [string, ...string[]] {
  const shell = argvOf({ ...launch, prefix: [] });
  const closing = ["--noprofile", "--norc", "-c", `${CLOSE_DESCRIPTORS}exec "$0" "$@"`];
  const [program, ...rest] = [...(launch.prefix ?? []), launch.shell, ...closing, ...shell];
  return [program ?? launch.shell, ...rest];
}

/** `--`: without it a text that begins with - or + would be options. */
function sourceOf({ commandLine, scriptFile, name, parameters = [] }: Launch): string[] {
  if (scriptFile !== undefined) return ["--", scriptFile, ...parameters];
  return ["-c", "--", commandLine, ...(name === undefined ? [] : [name, ...parameters])];
}

function fault(code: NotStarted["code"], message: string, help: string): NotStarted {
  return { kind: "not-started", code, message: message.replaceAll("\n", " "), help };
}

function isDirectory(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
