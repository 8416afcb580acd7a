import { type AwkToken, awkReadings } from "./awk-tokens.ts";
import { HOLE, type LanguageEscape, type ProgramText } from "./languages.ts";

/**
 * What an awk program does beyond reading its input and printing: `system()`, pipes to and from commands, output into
 * files, `getline` from files, and gawk's ways to load code. Of every way in which an awk may read it, all count.
 */
export function awkProgram(program: string): ProgramText {
  const escapes = new Map<string, LanguageEscape>();
  const files = new Map<string, ProgramText["files"][number]>();
  const commands = new Set<string>();
  const readings = awkReadings(program);
  if (readings === undefined || readings.length === 0) {
    escapes.set(UNKNOWN.name, UNKNOWN);
    commands.add(HOLE);
  }
  for (const tokens of readings ?? []) {
    for (const each of escapesOf(tokens)) escapes.set(each.name, each);
    for (const command of commandsOf(tokens)) commands.add(command ?? HOLE);
    for (const file of filesOf(tokens)) {
      if (file.path === undefined && file.access === "read") escapes.set(COMPUTED.name, COMPUTED);
      const path = file.path ?? HOLE;
      files.set(`${file.access} ${path}`, { access: file.access, path });
    }
  }
  return { escapes: [...escapes.values()], files: [...files.values()], commands: [...commands] };
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

const REVEALS: LanguageEscape = {
  escape: "unknown",
  name: "ENVIRON",
  message: "`ENVIRON` holds the whole environment, keys and passwords too",
};

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
  for (const [at, { kind, text }] of tokens.entries()) {
    const named = kind === "word" || kind === "sign" ? NAMED.get(text) : undefined;
    // A command that stands in the program is judged by itself.
    if (named !== undefined && (named.escape !== "runs" || commandAt(tokens, at) === undefined)) found.push(named);
  }
  if (tokens.some(({ text }, at) => text === "ENVIRON" && tokens[at + 2]?.kind !== "string")) found.push(REVEALS);
  if (outputs(tokens).some(({ path }) => path === undefined || !STREAMS.has(path))) found.push(WRITES);
  return found;
}

/** The commands that the program runs; undefined for one that it computes. */
function commandsOf(tokens: readonly AwkToken[]): readonly (string | undefined)[] {
  return tokens.flatMap(({ kind, text }, at) => {
    const runs = (kind === "word" || kind === "sign") && NAMED.get(text)?.escape === "runs";
    return runs ? [commandAt(tokens, at)] : [];
  });
}

/** The command of `system("…")`, `"…" | getline` and `print … | "…"`, when it is one string and nothing is joined to it. */
function commandAt(tokens: readonly AwkToken[], at: number): string | undefined {
  const { text } = tokens[at] as AwkToken;
  const next = tokens[at + 1];
  if (text === "system") {
    const closed = next?.text === "(" && next.kind === "sign" && tokens[at + 3]?.text === ")";
    return closed ? nameAt(tokens, at + 2) : undefined;
  }
  if (next?.kind !== "word" || next.text !== "getline") return nameAt(tokens, at + 1);
  const [before, command] = [tokens[at - 2], tokens[at - 1]];
  const begins =
    before === undefined || before.kind === "line" || (before.kind === "sign" && "{};(!=".includes(before.text));
  return begins && command?.kind === "string" && !command.text.includes("\\") ? command.text : undefined;
}

const STREAMS = new Set(["/dev/stdout", "/dev/stderr", "/dev/null", "/dev/tty"]);

interface NamedFile {
  readonly access: "read" | "write";
  /** Undefined when the program computes it. */
  readonly path: string | undefined;
}

function filesOf(tokens: readonly AwkToken[]): readonly NamedFile[] {
  return [...outputs(tokens), ...inputs(tokens), ...givenFiles(tokens)];
}

// They set what they are given, or an element of it.
const SETTERS = new Set(["getline", "sub", "gsub", "split", "patsplit", "match", "asort", "asorti"]);

/** `ARGV[1] = "file"`: awk reads what stands in ARGV, as if it had been a word. */
function givenFiles(tokens: readonly AwkToken[]): readonly NamedFile[] {
  const sets = tokens.some(({ kind, text }) => kind === "word" && SETTERS.has(text));
  return tokens.flatMap(({ kind, text }, at): readonly NamedFile[] => {
    if (kind !== "word" || (text !== "ARGV" && text !== "SYMTAB")) return [];
    const before = tokens[at - 1]?.text ?? "";
    if (before === "delete" || before === "in") return [];
    const end = tokens[at + 1]?.text === "[" ? closed(tokens, at + 1) : undefined;
    const next = end === undefined ? undefined : tokens[end + 1];
    const changed = next?.kind === "sign" && /^(?:\+\+|--|[+\-*/%^]?=)$/.test(next.text);
    // A whole array is handed to a function that may fill it.
    if (end === undefined || sets || before === "++" || before === "--") return [{ access: "read", path: undefined }];
    if (!changed) return [];
    return [{ access: "read", path: next?.text === "=" ? nameAt(tokens, end + 2) : undefined }];
  });
}

/** Where the bracket that is opened here is closed. */
function closed(tokens: readonly AwkToken[], start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as AwkToken;
    if (kind !== "sign") continue;
    if (text === "[") depth++;
    else if (text === "]" && --depth === 0) return at;
  }
  return undefined;
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
