import type { CodeReading } from "./code.ts";
import type { CodeFacts } from "./spec.ts";
import { matchesWildcard } from "./wildcard.ts";

/**
 * Whether a program text does nothing but print: statements that are literals, arithmetic on them, and calls of what the
 * entry lists. The grammar is so small that Python, JavaScript, Ruby, Perl, PHP and Lua all read it the same way; a text
 * with anything else in it is not understood.
 */
export function printsReading(text: string, facts: CodeFacts): CodeReading | undefined {
  if (COMMENT.test(text.replace(STRING, '""'))) return undefined;
  const statements = tokensOf(text);
  const files: string[] = [];
  return statements?.every((tokens) => readStatement(tokens, facts, files)) ? { files } : undefined;
}

function readStatement(tokens: readonly Token[], facts: CodeFacts, files: string[]): boolean {
  const { calls = [], names = [], lines = [], loads = [] } = facts;
  const line = tokens.map(({ text: part }) => part).join(" ");
  if (lines.some((pattern) => matchesWildcard(pattern, line))) return true;
  const reader: Reader = { tokens, at: 0, names: new Set(names), loads, files };
  if (calls.includes(tokens[0]?.text ?? "")) reader.at++;
  return readList(reader) && reader.at === tokens.length;
}

interface Token {
  readonly kind: "string" | "number" | "name" | "sign";
  readonly text: string;
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
  readonly names: ReadonlySet<string>;
  readonly loads: readonly string[];
  readonly files: string[];
}

// A backslash only in front of what is a letter of its own in all of these languages; nothing that any of them fills in.
const STRING = /'(?:[^'\\\n\r\u2028\u2029]|\\[nt\\'"])*'|"(?:[^"\\\n\r\u2028\u2029$@#{}`]|\\[nt\\'"])*"/g;
// Signs that begin a comment in one of them.
const COMMENT = /--|\/\/|\/\*|#|\+\+/;
const TOKEN = new RegExp(
  `(?<string>${STRING.source})|(?<number>\\d+(?:\\.\\d+)?)|(?<name>[A-Za-z_]\\w*(?:\\.\\w+)*(?:\\(\\))?)|(?<sign>[-+*/%.,()])`,
  "y",
);
const GAP = /[ \t]*/y;

/** The tokens of each statement; undefined where something else stands. */
function tokensOf(text: string): Token[][] | undefined {
  const statements: Token[][] = [[]];
  for (let at = 0; at < text.length; ) {
    GAP.lastIndex = at;
    at += GAP.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    if (text[at] === ";" || text[at] === "\n") {
      statements.push([]);
      at++;
      continue;
    }
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    const found = Object.entries(groups ?? {}).find(([, part]) => part !== undefined);
    if (found === undefined) return undefined;
    const [kind, part = ""] = found;
    statements.at(-1)?.push({ kind: kind as Token["kind"], text: part });
    at += part.length;
  }
  return statements.filter((tokens) => tokens.length > 0);
}

/** Values with commas between them, or none. */
function readList(reader: Reader): boolean {
  if (ends(reader)) return true;
  for (;;) {
    if (!readValue(reader)) return false;
    if (reader.tokens[reader.at]?.text !== ",") return true;
    reader.at++;
  }
}

function ends({ tokens, at }: Reader): boolean {
  return at >= tokens.length || tokens[at]?.text === ")";
}

/** Operands with signs between them: behind an operand a slash or a percent sign begins nothing in any of the languages. */
function readValue(reader: Reader): boolean {
  for (;;) {
    if (!readOperand(reader)) return false;
    const sign = reader.tokens[reader.at];
    if (sign?.kind !== "sign" || sign.text === "," || sign.text === "(" || sign.text === ")") return true;
    reader.at++;
    if (sign.text === "*" && reader.tokens[reader.at]?.text === "*") reader.at++;
  }
}

function readOperand(reader: Reader): boolean {
  if (reader.tokens[reader.at]?.text === "-") reader.at++;
  const token = reader.tokens[reader.at++];
  if (token === undefined) return false;
  if (token.kind === "name" && reader.loads.includes(token.text)) return readLoaded(reader);
  if (token.kind === "name") return reader.names.has(token.text);
  if (token.text !== "(") return token.kind !== "sign";
  return readList(reader) && reader.tokens[reader.at++]?.text === ")";
}

// The path of a file whose text is only data, to whoever loads it.
const DATA = /^["']((?:\.{1,2}\/|\/)[\w./@-]+\.json)["']$/;

/** `require('./package.json').version`: data of a file, and what it is named by. */
function readLoaded(reader: Reader): boolean {
  const [open, path, close] = reader.tokens.slice(reader.at, reader.at + 3);
  const file = DATA.exec(path?.text ?? "")?.[1];
  if (open?.text !== "(" || file === undefined || close?.text !== ")") return false;
  reader.files.push(file);
  reader.at += 3;
  while (reader.tokens[reader.at]?.text === "." && /^\w+(?:\.\w+)*$/.test(reader.tokens[reader.at + 1]?.text ?? ""))
    reader.at += 2;
  return true;
}
