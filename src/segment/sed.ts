import { HOLE, type LanguageEscape, type ProgramText } from "./languages.ts";

/**
 * What a sed script does beyond editing what it prints: `e` and the `e` flag of `s` run commands, `w`, `W` and the `w`
 * flag write files, `r` and `R` read them. Read as GNU sed 4.9 reads it; what is not understood counts as doing it.
 */
export function sedProgram(script: string): ProgramText {
  const cursor: Cursor = { text: script, at: 0, brackets: true, escapes: new Map(), files: [], commands: [] };
  if (!readScript(cursor)) {
    cursor.escapes.set(UNKNOWN.name, UNKNOWN);
    cursor.commands.push(HOLE);
  }
  if (!script.includes("[")) return result(cursor);
  // Older ones end a regular expression at a delimiter in brackets too. Mostly the rest is then no script at all.
  const plain: Cursor = { ...cursor, at: 0, brackets: false, escapes: new Map(), files: [], commands: [] };
  if (readScript(plain)) {
    for (const [name, each] of plain.escapes) cursor.escapes.set(name, each);
    cursor.commands.push(...plain.commands);
  }
  return result(cursor);
}

function result({ escapes, files, commands }: Cursor): ProgramText {
  return { escapes: [...escapes.values()], files, commands };
}

interface Cursor {
  readonly text: string;
  at: number;
  /** A delimiter in a bracket expression ends nothing. */
  readonly brackets: boolean;
  readonly escapes: Map<string, LanguageEscape>;
  readonly files: { readonly access: "read" | "write"; readonly path: string }[];
  /** What `e` runs; a hole where that is what the pattern space holds. */
  readonly commands: string[];
}

const UNKNOWN: LanguageEscape = { escape: "unknown", name: "sed", message: "a sed command that is not understood" };
const RUNS: LanguageEscape = { escape: "runs", name: "e", message: "the sed command `e` runs a command" };
const WRITES: LanguageEscape = { escape: "writes", name: "w", message: "the sed command `w` writes a file" };

/** Whether all of the script is understood. */
function readScript(cursor: Cursor): boolean {
  for (;;) {
    skip(cursor, /[ \t\n;]*/y);
    if (cursor.at >= cursor.text.length) return true;
    if (!readAddresses(cursor) || !readCommand(cursor)) return false;
  }
}

/** Moves behind what matches here, and returns it. The pattern is sticky and matches the empty text too. */
function skip(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const [found = ""] = pattern.exec(cursor.text) ?? [];
  cursor.at += found.length;
  return found;
}

// A number may be one that is not known: U+E000.
const ADDRESS = /(?:[\d\uE000]+(?:[ \t]*~[ \t]*[\d\uE000]+)?|[+~][ \t]*[\d\uE000]+|\$)?/y;

function readAddresses(cursor: Cursor): boolean {
  const first = readAddress(cursor);
  if (first === undefined) return false;
  if (first) {
    skip(cursor, /[ \t]*/y);
    if (skip(cursor, /(?:,[ \t]*)?/y) !== "" && readAddress(cursor) !== true) return false;
  }
  skip(cursor, /[ \t]*!?[ \t]*/y);
  return true;
}

/** Whether an address stands here; undefined for one that does not end. */
function readAddress(cursor: Cursor): boolean | undefined {
  if (skip(cursor, ADDRESS) !== "") return true;
  const opener = skip(cursor, /(?:\/|\\[!-~])?/y);
  if (opener === "") return false;
  if (!skipDelimited(cursor, opener.at(-1) ?? "", "regex")) return undefined;
  skip(cursor, /[ \tIM]*/y);
  return true;
}

/** Moves behind the closing delimiter; false without one on this line. */
function skipDelimited(cursor: Cursor, delimiter: string, kind: "regex" | "text"): boolean {
  const { text, brackets } = cursor;
  for (let i = cursor.at; i < text.length; i++) {
    const c = text[i];
    // The delimiter comes first, also when it is a backslash or a bracket.
    if (c === delimiter) {
      cursor.at = i + 1;
      return true;
    }
    if (c === "\n") return false;
    if (c === "\\") i++;
    else if (c === "[" && kind === "regex" && brackets) {
      i = bracketEnd(text, i + 1);
      if (i < 0) return false;
    }
  }
  return false;
}

/** Offset of the bracket that closes a bracket expression: a backslash means nothing in it, `[.`, `[:` and `[=` do. */
function bracketEnd(text: string, start: number): number {
  let i = start;
  if (text[i] === "^") i++;
  if (text[i] === "]") i++;
  let element: "none" | "opened" | "inside" | "closing" = "none";
  let mark = "";
  for (; i < text.length && text[i] !== "\n"; i++) {
    const c = text[i] ?? "";
    if (c === "]" && (element === "none" || element === "opened")) return i;
    if (element === "none") element = c === "[" ? "opened" : "none";
    else if (element === "opened" && /[.:=]/.test(c)) {
      mark = c;
      element = "inside";
    } else if (element === "opened") element = c === "[" ? "opened" : "none";
    else if (c === mark) element = "closing";
    else if (element === "closing" && c === "]") element = "none";
    else if (!(element === "inside" && c === "[")) element = "inside";
  }
  return -1;
}

function readCommand(cursor: Cursor): boolean {
  const c = cursor.text[cursor.at++] ?? "";
  switch (c) {
    case "#":
      skip(cursor, /[^\n]*/y);
      return true;
    case "{":
      return true;
    case "}":
      return endsHere(cursor);
    case "s":
      return substitute(cursor);
    case "y":
      return readParts(cursor, "text") && endsHere(cursor);
    case "a":
    case "i":
    case "c":
      return readText(cursor);
    case "b":
    case "t":
    case "T":
    case ":":
      return readLabel(cursor);
    case "v":
      skip(cursor, /[ \t]*[\w.]*/y);
      return isAtEnd(cursor);
    case "r":
    case "R":
      return readFile(cursor, "read");
    case "w":
    case "W":
      cursor.escapes.set(WRITES.name, WRITES);
      return readFile(cursor, "write");
    case "e":
      cursor.escapes.set(RUNS.name, RUNS);
      cursor.commands.push(textHere(cursor) || HOLE);
      return true;
    case "q":
    case "Q":
    case "l":
    case "L":
      skip(cursor, /[ \t]*\d*/y);
      return endsHere(cursor);
    default:
      return c !== "" && "=dDFgGhHnNpPxz".includes(c) && endsHere(cursor);
  }
}

/** A command ends with the line, at a semicolon, and in front of a brace or a comment. */
function endsHere(cursor: Cursor): boolean {
  skip(cursor, /[ \t]*/y);
  return isAtEnd(cursor);
}

function isAtEnd({ text, at }: Cursor): boolean {
  return at >= text.length || "\n;}#".includes(text[at] ?? "");
}

/** Some read a label to the end of the line, some to a blank: nothing but the end of blocks may follow on the line. */
function readLabel(cursor: Cursor): boolean {
  skip(cursor, /[ \t]*[\w.-]*/y);
  const { text, at } = cursor;
  return at >= text.length || /[\n;]|[ \t}][ \t};]*(?:[\n;]|$)/y.test(text.slice(at));
}

/** The two parts of `s` and `y`. */
function readParts(cursor: Cursor, first: "regex" | "text"): boolean {
  const delimiter = skip(cursor, /[!-~]?/y);
  return delimiter !== "" && skipDelimited(cursor, delimiter, first) && skipDelimited(cursor, delimiter, "text");
}

function substitute(cursor: Cursor): boolean {
  if (!readParts(cursor, "regex")) return false;
  const flags = skip(cursor, /[gpiImMe\d]*/y);
  if (flags.includes("e")) {
    cursor.escapes.set(RUNS.name, RUNS);
    cursor.commands.push(HOLE);
  }
  if (cursor.text[cursor.at] !== "w") return endsHere(cursor);
  cursor.at++;
  cursor.escapes.set(WRITES.name, WRITES);
  return readFile(cursor, "write");
}

function readFile(cursor: Cursor, access: "read" | "write"): boolean {
  skip(cursor, /[ \t]*/y);
  const path = skip(cursor, /[^\n]*/y);
  cursor.files.push({ access, path });
  return path !== "";
}

/** The text of `a`, `i`, `c`: behind `a\` and a line end, or on the line of the command. */
function readText(cursor: Cursor): boolean {
  const start = skip(cursor, /[ \t]*(?:\\\n?)?/y);
  const { text, at } = cursor;
  if (start.endsWith("\\") && /[ \t]*[\\\n]/y.test(text.slice(at))) return false;
  if (!start.includes("\\") && (at >= text.length || text[at] === "\n")) return false;
  skipText(cursor);
  return true;
}

/** What follows to the end of the line, blanks in front left out. */
function textHere(cursor: Cursor): string {
  skip(cursor, /[ \t]*/y);
  const start = cursor.at;
  skipText(cursor);
  return cursor.text.slice(start, cursor.at);
}

/** It goes on over a line end behind a backslash, but not behind two. */
function skipText(cursor: Cursor): void {
  skip(cursor, /(?:[^\\\n]|\\[\s\S])*\\?/y);
}
