import { lstatSync, readFileSync, statSync } from "node:fs";
import facts from "./inert.json" with { type: "json" };
import { staticWord } from "./static-word.ts";

const MOST_BYTES = 1024 * 1024;

/** Whether a start-up file is missing, or returns at once in a shell that is not interactive. */
export function isInertStartup(path: string): boolean {
  const text = textOf(path);
  if (text === undefined) return false;
  const statements = text.replace(/^(?:[ \t]*(?:#[^\n]*)?\n)*/, "");
  return statements.trim() === "" || facts.startup.some((guard) => new RegExp(`^\\s*${guard}`).test(statements));
}

/** Whether a snapshot of a shell is missing, or says only what is so anyway: nothing in it can change what a text means. */
export function isInertSnapshot(path: string, env: ReadonlyMap<string, string>): boolean {
  const text = textOf(path);
  return text?.split("\n").every((line) => isInertLine(line, env)) === true;
}

function isInertLine(line: string, env: ReadonlyMap<string, string>): boolean {
  const { lines, set } = facts.snapshot;
  if (lines.some((known) => new RegExp(`^(?:${known})$`).test(line))) return true;
  const option = /^set -o ([a-z-]+)$/.exec(line)?.[1];
  if (option !== undefined) return set.includes(option);
  const [, sign, name = ""] = /^shopt -([su]) ([a-z0-9_]+)$/.exec(line) ?? [];
  if (sign !== undefined) {
    return sign === "s" ? facts.snapshot["shopt -s"].includes(name) : !facts.snapshot["shopt -u except"].includes(name);
  }
  const [, variable = "", value = ""] = /^(?:export|declare -x) ([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
  return variable !== "" && staticWord(value) === env.get(variable);
}

/** Whether writing to a path can only make or fill that very file: a link in its place would be followed. */
export function isPlainTarget(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch (error) {
    return isMissing(error);
  }
}

/** The text of a file, "" when there is none; undefined when it cannot be known. */
function textOf(path: string): string | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return "";
    const stat = statSync(path);
    // Reading a FIFO would wait for somebody who writes to it.
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch (error) {
    return isMissing(error) ? "" : undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
