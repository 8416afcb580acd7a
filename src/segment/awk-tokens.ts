/** A token of an awk program; `text` of a string or regular expression is what stands between its delimiters. */
export interface AwkToken {
  readonly kind: "word" | "number" | "string" | "regex" | "line" | "sign";
  readonly text: string;
}

// So many ways to read one program are followed; with more it counts as not understood.
const READINGS = 64;

/**
 * Every way in which an awk may split a program into tokens: a slash behind a parenthesis divides or begins a regular
 * expression, and awks differ in whether a slash in brackets ends one. Undefined when there are too many ways.
 */
export function awkReadings(program: string): readonly (readonly AwkToken[])[] | undefined {
  const done: AwkToken[][] = [];
  const open: Reading[] = [{ at: 0, tokens: [] }];
  for (let reading = open.pop(); reading !== undefined; reading = open.pop()) {
    const others = readOn(program, reading);
    if (others === undefined) done.push(reading.tokens);
    else open.push(...others);
    if (done.length + open.length > READINGS) return undefined;
  }
  return done;
}

interface Reading {
  at: number;
  readonly tokens: AwkToken[];
}

// In front of a value, behind which a slash divides.
const BEGINS = new Set(["print", "printf", "return", "in", "else", "do", "exit", "next"]);
// Keywords of some awks only, and those that are values as well.
const EITHER = new Set(["case", "default", "delete", "getline", "length", "nextfile"]);

/** Reads to the end, or to a slash that can be read in several ways: then the readings that go on from it. */
function readOn(program: string, reading: Reading): readonly Reading[] | undefined {
  while (reading.at < program.length) {
    const token = tokenAt(program, reading.at);
    if (token === undefined) {
      const ways = slashesAt(program, reading);
      if (ways.length !== 1) return ways;
      reading.tokens.splice(0, reading.tokens.length, ...(ways[0]?.tokens ?? []));
      reading.at = ways[0]?.at ?? program.length;
      continue;
    }
    if (token.text !== "" || token.kind === "string") reading.tokens.push(token);
    reading.at += token.length;
  }
  return undefined;
}

const BLANK = /(?:[ \t\r\f\v]|\\\r?\n|#[^\n]*)+/y;
const WORD = /[A-Za-z_]\w*/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const STRING = /"((?:[^"\\]|\\[\s\S])*)(?:"|$)/y;
const SIGN = /\+\+|--|\|\||&&|>>|\|&|[<>=!+\-*%^]=|[\s\S]/y;

/** The token here, blanks and comments as an empty one; undefined at a slash. */
function tokenAt(program: string, at: number): (AwkToken & { readonly length: number }) | undefined {
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(program);
  };
  if (program[at] === "/") return undefined;
  if (program[at] === "\n") return { kind: "line", text: "\n", length: 1 };
  const blank = read(BLANK);
  if (blank !== null) return { kind: "sign", text: "", length: blank[0].length };
  const string = read(STRING);
  if (string !== null) return { kind: "string", text: string[1] ?? "", length: string[0].length };
  const word = read(WORD);
  if (word !== null) return { kind: "word", text: word[0], length: word[0].length };
  const number = read(NUMBER);
  if (number !== null) return { kind: "number", text: number[0], length: number[0].length };
  const text = read(SIGN)?.[0] ?? "";
  return { kind: "sign", text, length: text.length };
}

/** The readings from a slash on: as division, and as a regular expression with each end that it may have. */
function slashesAt(program: string, { at, tokens }: Reading): readonly Reading[] {
  const role = slashRole(tokens.at(-1));
  const ways: Reading[] = [];
  if (role !== "regex") ways.push({ at: at + 1, tokens: [...tokens, { kind: "sign", text: "/" }] });
  if (role === "division") return ways;
  for (const end of regexEnds(program, at + 1)) {
    ways.push({ at: end, tokens: [...tokens, { kind: "regex", text: program.slice(at + 1, end - 1) }] });
  }
  return ways;
}

function slashRole(before: AwkToken | undefined): "division" | "regex" | "either" {
  switch (before?.kind) {
    case undefined:
    case "line":
      return "regex";
    case "number":
      return "division";
    case "word":
      if (EITHER.has(before.text)) return "either";
      return BEGINS.has(before.text) ? "regex" : "division";
    case "string":
    case "regex":
      return "either";
    case "sign":
      if (before.text === "]") return "division";
      return [")", "++", "--", "$", "\uE000"].includes(before.text) ? "either" : "regex";
  }
}

/** Where a regular expression can end, by what a bracket expression hides: nothing, or slashes up to one of its ends. */
function regexEnds(program: string, start: number): readonly number[] {
  const ways = [
    { hides: false },
    { hides: true },
    { hides: true, first: true },
    { hides: true, first: true, inner: true },
    { hides: true, first: true, nested: true },
  ];
  const ends = ways.map((way) => regexEnd(program, start, way));
  return [...new Set(ends.filter((end) => end !== undefined))];
}

interface Brackets {
  /** A slash in brackets does not end it. */
  readonly hides: boolean;
  /** A closing bracket that comes first is one of the characters. */
  readonly first?: boolean;
  /** `[:alpha:]` and its kin are seen. */
  readonly inner?: boolean;
  /** Each opening bracket wants a closing one. */
  readonly nested?: boolean;
}

function regexEnd(program: string, start: number, way: Brackets): number | undefined {
  let depth = 0;
  for (let i = start; i < program.length && program[i] !== "\n"; i++) {
    const c = program[i];
    if (c === "\\") i++;
    else if (c === "/" && !(depth > 0 && way.hides)) return i + 1;
    else if (c === "]") depth = Math.max(0, depth - 1);
    else if (c === "[" && depth === 0) {
      depth = 1;
      if (program[i + 1] === "^") i++;
      if (way.first && program[i + 1] === "]") i++;
    } else if (c === "[" && way.nested) depth++;
    else if (c === "[" && way.inner) i = elementEnd(program, i);
  }
  return undefined;
}

/** Offset of the last character of `[:name:]`, or of the bracket when it begins none. */
function elementEnd(program: string, at: number): number {
  const found = /^\[([.:=])[^\n/\]]*\1\]/.exec(program.slice(at, at + 32));
  return found === null ? at : at + found[0].length - 1;
}
