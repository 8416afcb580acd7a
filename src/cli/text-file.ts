import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { readRegularFile } from "../policy/index.ts";
import { escapeText, LIMITS } from "../text/index.ts";
import { UsageError, type Verb } from "./command.ts";

/** The text of a file that an operand names. Throws a `UsageError` of the verb for anything that is no text file. */
export function readTextFile(name: string, cwd: string, verb: Verb): string {
  const read = readRegularFile(resolve(cwd, name), LIMITS.policyBytes);
  if (read.kind === "read" && isUtf8(read.bytes)) return read.bytes.toString("utf8");
  if (read.kind === "read") throw new UsageError(`\`${escapeText(name)}\`: the file is not UTF-8 text`, verb);
  throw new UsageError(
    `\`${escapeText(name)}\`: ${read.message}${read.help === undefined ? "" : `: ${read.help}`}`,
    verb,
  );
}
