/** A literal value of a rules file. */
export type Literal = string | boolean | number | null | readonly Literal[];

/** A call at the top of a rules file, all its arguments literal. */
export interface Call {
  readonly kind: "call";
  readonly name: string;
  readonly arguments: ReadonlyMap<string, Literal>;
  readonly text: string;
  readonly line: number;
}

/** A statement that is more than a call with literal arguments. */
export interface Unread {
  readonly kind: "unread";
  readonly text: string;
  readonly line: number;
}

/**
 * The calls of a file in Starlark, read and never run: `name(key = "text", other = ["a", ["b", "c"]])`. Anything else is given back as
 * it stands. Positional arguments are called by their number.
 */
export function readCalls(text: string): readonly (Call | Unread)[] {
  const found: (Call | Unread)[] = [];
  const reader: Reader = { text, at: 0 };
  for (skip(reader); reader.at < text.length; skip(reader)) {
    const start = reader.at;
    const line = text.slice(0, start).split("\n").length;
    try {
      const call = readCall(reader);
      found.push({ kind: "call", ...call, text: text.slice(start, reader.at).trim(), line });
    } catch (error) {
      if (!(error instanceof NotLiteral)) throw error;
      reader.at = endOfStatement(text, start);
      found.push({ kind: "unread", text: text.slice(start, reader.at).trim(), line });
    }
  }
  return found;
}

interface Reader {
  readonly text: string;
  at: number;
}

class NotLiteral extends Error {}

function readCall(reader: Reader): Pick<Call, "name" | "arguments"> {
  const name = take(reader, /[A-Za-z_]\w*/y);
  expect(reader, "(");
  const values = new Map<string, Literal>();
  for (let i = 0; !accept(reader, ")"); i++) {
    if (i > 0) {
      expect(reader, ",");
      if (accept(reader, ")")) break;
    }
    const key = peek(reader, /([A-Za-z_]\w*)\s*=(?!=)/y)?.[1];
    if (key !== undefined) {
      take(reader, /[A-Za-z_]\w*/y);
      expect(reader, "=");
    }
    values.set(key ?? String(i), readLiteral(reader, 0));
  }
  // More on the line would be an expression.
  if (peek(reader, /[ \t]*[^\s#;]/y) !== undefined && !/\n/.test(gapBefore(reader))) throw new NotLiteral();
  accept(reader, ";");
  return { name, arguments: values };
}

function gapBefore({ text, at }: Reader): string {
  return /^\s*/.exec(text.slice(at))?.[0] ?? "";
}

const DEEPEST = 16;

function readLiteral(reader: Reader, depth: number): Literal {
  if (depth > DEEPEST) throw new NotLiteral();
  skip(reader);
  const { text, at } = reader;
  const first = text[at];
  if (first === "[" || first === "(") return readList(reader, first === "[" ? "]" : ")", depth);
  if (/^[rb]?["']/i.test(text.slice(at, at + 2))) return readStrings(reader);
  const word = peek(reader, /True|False|None|-?\d+(?![\w.])/y)?.[0];
  if (word === undefined) throw new NotLiteral();
  reader.at += word.length;
  if (/\w/.test(text[reader.at] ?? "")) throw new NotLiteral();
  return word === "True" ? true : word === "False" ? false : word === "None" ? null : Number(word);
}

function readList(reader: Reader, close: string, depth: number): Literal {
  reader.at++;
  const items: Literal[] = [];
  while (!accept(reader, close)) {
    items.push(readLiteral(reader, depth + 1));
    if (!accept(reader, ",")) {
      expect(reader, close);
      break;
    }
  }
  return items;
}

/** Texts joined by `+`. */
function readStrings(reader: Reader): string {
  let text = readString(reader);
  while (accept(reader, "+")) {
    skip(reader);
    text += readString(reader);
  }
  return text;
}

function readString(reader: Reader): string {
  const raw = peek(reader, /[rR](?=["'])/y) !== undefined;
  if (raw) reader.at++;
  const quote = peek(reader, /"""|'''|"|'/y)?.[0];
  if (quote === undefined) throw new NotLiteral();
  const start = reader.at + quote.length;
  let end = start;
  while (!reader.text.startsWith(quote, end)) {
    if (end >= reader.text.length || (quote.length === 1 && reader.text[end] === "\n")) throw new NotLiteral();
    end += reader.text[end] === "\\" ? 2 : 1;
  }
  reader.at = end + quote.length;
  const inside = reader.text.slice(start, end);
  return raw ? inside : unescaped(inside);
}

const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
  ["\n", ""],
]);

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, char: string) => {
    const value = ESCAPES.get(char);
    if (value === undefined) throw new NotLiteral();
    return value;
  });
}

function skip(reader: Reader): void {
  const gap = /(?:\s|#[^\n]*|\\\n)*/y;
  gap.lastIndex = reader.at;
  reader.at += gap.exec(reader.text)?.[0].length ?? 0;
}

function peek({ text, at }: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function take(reader: Reader, pattern: RegExp): string {
  const found = peek(reader, pattern)?.[0];
  if (found === undefined) throw new NotLiteral();
  reader.at += found.length;
  return found;
}

function accept(reader: Reader, text: string): boolean {
  skip(reader);
  if (!reader.text.startsWith(text, reader.at)) return false;
  reader.at += text.length;
  return true;
}

function expect(reader: Reader, text: string): void {
  if (!accept(reader, text)) throw new NotLiteral();
}

/** Up to the next line that begins a statement: at the margin, and no closing bracket. */
function endOfStatement(text: string, start: number): number {
  const next = /\n(?=[^\s#)\]}])/g;
  next.lastIndex = start;
  return next.exec(text)?.index ?? text.length;
}
