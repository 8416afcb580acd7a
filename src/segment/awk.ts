import { type AwkToken, awkReadings } from "./awk-tokens.ts";
import type { LanguageEscape, ProgramText } from "./languages.ts";

/**
 * What an awk program does beyond reading its input and printing: `system()`, pipes to and from commands, output into
 * files, `getline` from files, and gawk's ways to load code. Of every way in which an awk may read it, all count.
 */
export function awkProgram(program: string): ProgramText {
  const escapes = new Map<string, LanguageEscape>();
  const files = new Map<string, ProgramText["files"][number]>();
  const readings = awkReadings(program);
  if (readings === undefined || readings.length === 0) escapes.set(UNKNOWN.name, UNKNOWN);
  for (const tokens of readings ?? []) {
    for (const each of escapesOf(tokens)) escapes.set(each.name, each);
    for (const file of filesOf(tokens)) {
      if (file.path === undefined) escapes.set(COMPUTED.name, COMPUTED);
      else files.set(`${file.access} ${file.path}`, { access: file.access, path: file.path });
    }
  }
  return { escapes: [...escapes.values()], files: [...files.values()] };
}

const UNKNOWN: LanguageEscape = { escape: "unknown", name: "awk", message: "an awk program that is not understood" };
const RUNS: LanguageEscape = { escape: "runs", name: "system", message: "`system()` runs a command" };
const PIPES: LanguageEscape = { escape: "runs", name: "|", message: "a pipe runs a command" };
const LOADS: LanguageEscape = { escape: "unknown", name: "@", message: "`@` loads code or calls by name" };
const EXTENDS: LanguageEscape = { escape: "unknown", name: "extension", message: "`extension` loads code" };
const WRITES: LanguageEscape = { escape: "writes", name: ">", message: "`>` after `print` writes a file" };
const COMPUTED: LanguageEscape = {
  escape: "unknown",
  name: "getline",
  message: "`getline` reads a file whose name the program computes",
};
const READS: LanguageEscape = { escape: "unknown", name: "ARGV", message: "`ARGV` changes which files are read" };

const NAMED = new Map([
  ["system", RUNS],
  ["|", PIPES],
  ["|&", PIPES],
  ["@", LOADS],
  ["extension", EXTENDS],
  ["ARGV", READS],
]);

function escapesOf(tokens: readonly AwkToken[]): readonly LanguageEscape[] {
  const found: LanguageEscape[] = [];
  for (const { kind, text } of tokens) {
    const named = kind === "word" || kind === "sign" ? NAMED.get(text) : undefined;
    if (named !== undefined) found.push(named);
  }
  if (outputs(tokens).some(({ path }) => path === undefined || !STREAMS.has(path))) found.push(WRITES);
  return found;
}

const STREAMS = new Set(["/dev/stdout", "/dev/stderr", "/dev/null", "/dev/tty"]);

interface NamedFile {
  readonly access: "read" | "write";
  /** Undefined when the program computes it. */
  readonly path: string | undefined;
}

function filesOf(tokens: readonly AwkToken[]): readonly NamedFile[] {
  // A computed name of an output is an escape of its own.
  return [...outputs(tokens).filter(({ path }) => path !== undefined), ...inputs(tokens)];
}

/** `print … > "file"`: a comparison in a print statement needs parentheses in awk. */
function outputs(tokens: readonly AwkToken[]): readonly NamedFile[] {
  const found: NamedFile[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "word" || (text !== "print" && text !== "printf")) continue;
    for (const sign of signsOf(tokens, at + 1, [">", ">>"]))
      found.push({ access: "write", path: nameAt(tokens, sign + 1) });
  }
  return found;
}

/** `getline < "file"` and `getline line < "file"`. */
function inputs(tokens: readonly AwkToken[]): readonly NamedFile[] {
  const found: NamedFile[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "word" || text !== "getline") continue;
    const [sign] = signsOf(tokens, at + 1, ["<"]);
    if (sign !== undefined) found.push({ access: "read", path: nameAt(tokens, sign + 1) });
  }
  return found;
}

/** Where one of the signs stands outside parentheses, up to the end of the statement or of what surrounds it. */
function signsOf(tokens: readonly AwkToken[], start: number, signs: readonly string[]): readonly number[] {
  const found: number[] = [];
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as AwkToken;
    if (kind === "line" ? !continues(tokens[at - 1]) : kind === "sign" && (text === ";" || text === "}")) break;
    if (kind !== "sign") continue;
    if (text === "(") depth++;
    else if (text === ")" && --depth < 0) break;
    else if (depth === 0 && signs.includes(text)) found.push(at);
  }
  return found;
}

/** A statement goes on behind these at the end of a line. */
function continues(before: AwkToken | undefined): boolean {
  return before?.kind === "line" || (before?.kind === "sign" && [",", "&&", "||", "?", ":", "{"].includes(before.text));
}

/** The name that a string gives, when nothing is joined to it. */
function nameAt(tokens: readonly AwkToken[], at: number): string | undefined {
  const [name, next] = [tokens[at], tokens[at + 1]];
  if (name?.kind !== "string" || name.text.includes("\\")) return undefined;
  const ends =
    next === undefined || next.kind === "line" || (next.kind === "sign" && [";", "}", ")"].includes(next.text));
  return ends ? name.text : undefined;
}
