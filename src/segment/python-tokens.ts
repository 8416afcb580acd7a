/** One token of a Python text. `parts` are the expressions inside an f-string. */
export interface PythonToken {
  readonly kind: "name" | "number" | "string" | "sign" | "line";
  readonly text: string;
  /** Of a string that is known as it is written: no prefix, no escape. */
  readonly value?: string;
  readonly parts?: readonly (readonly PythonToken[])[];
}

const PREFIX = "(?<prefix>[A-Za-z]{0,2})";
const LONG = `'''(?:[^\\\\]|\\\\[\\s\\S])*?'''|"""(?:[^\\\\]|\\\\[\\s\\S])*?"""`;
const SHORT = `'(?:[^'\\\\\\n]|\\\\[\\s\\S])*'|"(?:[^"\\\\\\n]|\\\\[\\s\\S])*"`;
const TOKEN = new RegExp(
  [
    `${PREFIX}(?<string>${LONG}|${SHORT})`,
    // `1or x` and `1..real` are not numbers alone.
    "(?<number>(?:0[xX][\\da-fA-F]+|\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)(?![\\w.]))",
    "(?<name>[A-Za-z_]\\w*)",
    "(?<line>\\n)",
    "(?<gap>[ \\t\\f]+|\\\\\\n|#[^\\n]*)",
    "(?<sign>\\*\\*=?|//=?|>>=?|<<=?|[-+*/%&|^<>=!:]=|->|[-+*/%&|^~<>=:.,;()[\\]{}])",
  ].join("|"),
  "y",
);

/**
 * The tokens of a Python text, gaps and comments left out; undefined where something stands that is none, or may be another
 * one to another version of Python: a name with other than ASCII letters, a coding comment, an f-string with quotes of its own kind.
 */
export function pythonTokens(text: string): readonly PythonToken[] | undefined {
  // A carriage return alone ends a line, and with it a comment.
  if (/#.*coding[:=]/.test(text) || /[\0\r]/.test(text)) return undefined;
  const tokens: PythonToken[] = [];
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) return undefined;
    // What stands inside an f-string is read with the same pattern.
    at = TOKEN.lastIndex;
    const { prefix = "", string, number, name, line, sign } = groups;
    if (string !== undefined) {
      const token = stringToken(prefix.toLowerCase(), string);
      if (token === undefined) return undefined;
      tokens.push(token);
    } else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (line !== undefined) tokens.push({ kind: "line", text: line });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
  }
  return tokens;
}

const PREFIXES: ReadonlySet<string> = new Set(["", "r", "b", "u", "br", "rb", "f", "fr", "rf"]);

function stringToken(prefix: string, quoted: string): PythonToken | undefined {
  if (!PREFIXES.has(prefix)) return undefined;
  const width = /^(?:'''|""")/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(width, -width);
  if (!prefix.includes("f")) {
    const plain = prefix === "" && !inner.includes("\\");
    return { kind: "string", text: quoted, ...(plain && { value: inner }) };
  }
  const parts = partsOf(inner);
  return parts && { kind: "string", text: quoted, parts };
}

// Behind it no bracket closes, so that its colon stands in none: a slice or a dictionary has one.
const FORMAT = /(?:![rsa])?(?::[^:[\](){}'"]*)?$/;

/** The tokens between the braces; a format with an expression in it is looked at as if it were one itself. */
function partsOf(inner: string): readonly (readonly PythonToken[])[] | undefined {
  const parts: (readonly PythonToken[])[] = [];
  for (let at = 0; at < inner.length; at++) {
    const c = inner[at];
    if (c !== "{" && c !== "}") continue;
    if (inner[at + 1] === c) {
      at++;
      continue;
    }
    const end = c === "{" ? braceEnd(inner, at) : -1;
    const text = inner.slice(at + 1, end);
    if (end < 0 || text.includes("\\") || text.includes("#")) return undefined;
    const tokens = pythonTokens(text.replace(FORMAT, " "));
    if (tokens === undefined) return undefined;
    parts.push(tokens);
    at = end;
  }
  return parts;
}

/** The brace that closes the one at `start`; braces inside it are balanced, those in strings counted as well. */
function braceEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}
