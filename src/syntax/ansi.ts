const SIMPLE = new Map([
  ["n", 10],
  ["t", 9],
  ["r", 13],
  ["a", 7],
  ["b", 8],
  ["e", 27],
  ["E", 27],
  ["f", 12],
  ["v", 11],
  ["\\", 92],
  ["'", 39],
  ['"', 34],
  ["?", 63],
]);

/**
 * Decodes the body of `$'…'` as bash does: a NUL ends the text, bytes above 127 are read as UTF-8 together with their
 * neighbours, an unknown escape stays with its backslash.
 */
export function decodeAnsi(body: string): string {
  const bytes: number[] = [];
  for (let i = 0; i < body.length; ) {
    const c = body[i] ?? "";
    if (c !== "\\") {
      const character = String.fromCodePoint(body.codePointAt(i) ?? 0);
      bytes.push(...Buffer.from(character));
      i += character.length;
      continue;
    }
    const decoded = decodeEscape(body, i + 1);
    if (decoded.bytes.includes(0)) break;
    bytes.push(...decoded.bytes);
    i = decoded.next;
  }
  return Buffer.from(bytes).toString("utf8");
}

interface Escape {
  readonly bytes: readonly number[];
  readonly next: number;
}

function decodeEscape(body: string, i: number): Escape {
  const c = body[i] ?? "";
  const simple = SIMPLE.get(c);
  if (simple !== undefined) return { bytes: [simple], next: i + 1 };
  if (/[0-7]/.test(c)) return numeric(body, i, /^[0-7]{1,3}/, 8);
  if (c === "x" && body[i + 1] === "{") return bracedHex(body, i + 2);
  if (c === "x")
    return /^[0-9a-fA-F]/.test(body.slice(i + 1))
      ? numeric(body, i + 1, /^[0-9a-fA-F]{1,2}/, 16)
      : literal("\\x", i + 1);
  if (c === "u") return codePoint(body, i, 4);
  if (c === "U") return codePoint(body, i, 8);
  if (c === "c") return control(body, i + 1);
  return literal(`\\${c}`, i + Math.max(1, c.length));
}

function literal(text: string, next: number): Escape {
  return { bytes: [...Buffer.from(text)], next };
}

function numeric(body: string, i: number, digits: RegExp, base: number): Escape {
  const text = digits.exec(body.slice(i, i + 3))?.[0] ?? "";
  return { bytes: [Number.parseInt(text, base) & 255], next: i + text.length };
}

/** `\\x{…}`: bash takes all hexadecimal digits and keeps the lowest byte; without one it is a NUL. */
function bracedHex(body: string, i: number): Escape {
  const digits = /^[0-9a-fA-F]*/.exec(body.slice(i))?.[0] ?? "";
  const end = i + digits.length;
  return { bytes: [Number.parseInt(digits.slice(-2) || "0", 16)], next: body[end] === "}" ? end + 1 : end };
}

function codePoint(body: string, i: number, length: number): Escape {
  const text = /^[0-9a-fA-F]*/.exec(body.slice(i + 1, i + 1 + length))?.[0] ?? "";
  if (text === "") return literal(`\\${body[i]}`, i + 1);
  const value = Number.parseInt(text, 16);
  if (value === 0) return { bytes: [0], next: i + 1 + text.length };
  const character = value <= 0x10ffff ? String.fromCodePoint(value) : "\ufffd";
  return literal(character, i + 1 + text.length);
}

function control(body: string, i: number): Escape {
  const c = body[i];
  if (c === undefined) return literal("\\c", i);
  const next = c === "\\" && body[i + 1] === "\\" ? i + 2 : i + 1;
  return { bytes: [c === "?" ? 127 : c.toUpperCase().charCodeAt(0) & 31], next };
}
