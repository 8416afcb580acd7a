/**
 * What bash makes of one word without expansions: quotes and escapes removed. Undefined when it is not one, so that a
 * payload is never anything else than what `eval` or `-c` is given.
 */
export function staticWord(text: string): string | undefined {
  let value = "";
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at);
    if (piece === undefined) return undefined;
    value += piece.value;
    at = piece.end;
  }
  return text === "" ? undefined : value;
}

interface Piece {
  readonly value: string;
  readonly end: number;
}

function pieceAt(text: string, at: number): Piece | undefined {
  const character = text.charAt(at);
  if (character === "'") return singleQuoted(text, at);
  if (character === '"') return doubleQuoted(text, at);
  if (character === "\\") return escaped(text, at);
  // Everything else could be an operator, a glob, a tilde or an expansion.
  return /[A-Za-z0-9_@%+=:,./-]/.test(character) ? { value: character, end: at + 1 } : undefined;
}

function singleQuoted(text: string, at: number): Piece | undefined {
  const end = text.indexOf("'", at + 1);
  return end < 0 ? undefined : { value: text.slice(at + 1, end), end: end + 1 };
}

/** Inside double quotes a backslash stands for itself, except before these and a line's end. */
function doubleQuoted(text: string, at: number): Piece | undefined {
  let value = "";
  for (let i = at + 1; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '"') return { value, end: i + 1 };
    if (character === "$" || character === "`") return undefined;
    if (character !== "\\") {
      value += character;
      continue;
    }
    const next = text.charAt(++i);
    if (next === "\n") continue;
    value += '$`"\\'.includes(next) ? next : `\\${next}`;
  }
  return undefined;
}

function escaped(text: string, at: number): Piece | undefined {
  const next = text.charAt(at + 1);
  // A line's end after a backslash joins lines; none of the frames has one there.
  return next === "" || next === "\n" ? undefined : { value: next, end: at + 2 };
}
