import { closeSync, readFileSync, writeSync } from "node:fs";
import { CLOSE_DESCRIPTORS } from "./descriptors.ts";
import { createPrivateFile, removeQuietly, spoolPath } from "./spool.ts";

/*
 * The text that runs is what was judged, as the argument of `-c`. Everything else that has to happen in the same shell
 * stands in a file of ours that bash reads before it, through BASH_ENV (the user's own is scrubbed). Against a wrapping
 * `eval "$1"` this keeps $0, $-, $LINENO, the wording of syntax errors, BASH_EXECUTION_STRING and `exec`. What differs
 * from a bare `bash -c`, only where the directory is reported: `trap` lists an EXIT trap; the last program is forked,
 * not put in the shell's place; and, if the text says `exec` or `trap`, a DEBUG trap costs some microseconds a command.
 * One move is missed: a `cd` that is the very last command of an EXIT trap of the text.
 */

/** What the shell is asked to do besides the text. */
export interface Prologue {
  /** Report the directory, and after `exec` or under the text's own EXIT trap the last one known. */
  readonly directory: boolean;
  readonly exports: boolean;
  /** Become the controlling terminal of the shell, so that password prompts find it. */
  readonly terminal?: string;
}

/** What the shell reported. */
export interface Report {
  readonly directory: string | undefined;
  readonly exports: Record<string, string> | undefined;
}

/** Writes the prologue of a run and returns its path, the value for BASH_ENV. Throws what the system says. */
export function writePrologue(spoolDirectory: string, id: string, prologue: Prologue, text: string): string {
  const path = spoolPath(spoolDirectory, id, "prologue");
  const descriptor = createPrivateFile(path);
  writeSync(descriptor, prologueText(spoolDirectory, id, prologue, text));
  closeSync(descriptor);
  return path;
}

/** Reads what the shell reported and removes the files of the run that are of no use afterwards. */
export function takeReport(spoolDirectory: string, id: string): Report {
  if (spoolDirectory === "") return { directory: undefined, exports: undefined };
  const directory = readQuietly(spoolPath(spoolDirectory, id, "directory"))?.replace(/\n$/, "");
  const exported = readQuietly(spoolPath(spoolDirectory, id, "exports"));
  for (const kind of ["prologue", "directory", "exports", "stdin"] as const) {
    removeQuietly(spoolPath(spoolDirectory, id, kind));
  }
  return {
    directory: directory?.startsWith("/") ? directory : undefined,
    exports: exported === undefined ? undefined : parseEnvironment(exported),
  };
}

/**
 * Whether the text could change the shell's directory. No is certain: without expansions, and with quotes taken away, it
 * does not contain the name of anything that could. Such a text gets no trap.
 */
export function mayMove(text: string): boolean {
  const bare = text
    .replace(/\\\n/g, "")
    .replace(/["'\\]/g, "")
    .replace(/\$[$?!#]/g, "");
  return /[$`*?[{]|cd|pushd|popd|eval|source|(?:^|[\s;&|(!])\.\s/.test(bare);
}

function prologueText(spoolDirectory: string, id: string, { directory, exports, terminal }: Prologue, text: string) {
  const path = (kind: "directory" | "exports") => quote(spoolPath(spoolDirectory, id, kind));
  const report = `builtin pwd >| ${path("directory")}`;
  const atExit = [
    "trap - DEBUG",
    directory ? report : "",
    exports ? `/usr/bin/env -0 >| ${path("exports")}` : "",
  ].filter(Boolean);
  // The redirection hides `set -x`, and what a DEBUG trap of the text prints for our commands.
  const trap = (body: string, event: string) => `trap -- ${quote(`{ ${body}; } >/dev/null 2>&1 || :`)} ${event}\n`;
  // EXIT does not fire at `exec`, and the text may set its own: then the last directory before a command counts.
  const early = `[[ $PWD == "\${__guarded_sh_directory-}" ]] || { __guarded_sh_directory=$PWD; ${report}; }`;
  return [
    "unset -v BASH_ENV\n",
    CLOSE_DESCRIPTORS,
    terminal === undefined ? "" : `{ : <${quote(terminal)}; } 2>/dev/null\n`,
    atExit.length > 1 ? trap(atExit.join("; "), "EXIT") : "",
    ': "$BASH"\n',
    directory && /exec|trap/.test(text.replace(/["'\\]/g, "")) ? trap(early, "DEBUG") : "",
  ].join("");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Variables that belong to the shell that ended, not to the one that comes next. */
const NOT_KEPT = /^(?:GUARDED_SH_RUN|BASH_ENV|BASH_FUNC_.*|_|SHLVL|PWD|OLDPWD)$/;

function parseEnvironment(text: string): Record<string, string> {
  const pairs = text.split("\0").flatMap((entry): [string, string][] => {
    const at = entry.indexOf("=");
    return at <= 0 || NOT_KEPT.test(entry.slice(0, at)) ? [] : [[entry.slice(0, at), entry.slice(at + 1)]];
  });
  return Object.fromEntries(pairs);
}
