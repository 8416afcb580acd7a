// Finding where a construct ends, the way bash's own reader does: quotes, escapes and nested constructs are skipped.

/** Offset after a `'…'` whose opening quote is at `i`; the text's end when it is not closed. */
export function afterSingle(text: string, i: number): number {
  const end = text.indexOf("'", i + 1);
  return end < 0 ? text.length : end + 1;
}

/** Offset after a `$'…'` whose quote is at `i`. */
export function afterAnsi(text: string, i: number): number {
  for (let j = i + 1; j < text.length; j++) {
    if (text[j] === "\\") j++;
    else if (text[j] === "'") return j + 1;
  }
  return text.length;
}

/** Offset after a `"…"` whose quote is at `i`; nested expansions may hold quotes of their own. */
export function afterDouble(text: string, i: number): number {
  for (let j = i + 1; j < text.length; ) {
    const c = text[j];
    if (c === "\\") j += 2;
    else if (c === '"') return j + 1;
    else if (c === "`") j = afterBackquote(text, j);
    else if (c === "$" && (text[j + 1] === "(" || text[j + 1] === "{")) j = afterPair(text, j + 1);
    else j++;
  }
  return text.length;
}

/** Offset after a backquoted body whose opening backquote is at `i`. */
export function afterBackquote(text: string, i: number): number {
  for (let j = i + 1; j < text.length; j++) {
    if (text[j] === "\\") j++;
    else if (text[j] === "`") return j + 1;
  }
  return text.length;
}

const CLOSERS = new Map([
  ["(", ")"],
  ["{", "}"],
  ["[", "]"],
]);

/** Offset after the bracket that closes the one at `i`; `text.length + 1` when nothing closes it. */
export function afterPair(text: string, i: number): number {
  const open = text[i] ?? "";
  const close = CLOSERS.get(open) ?? "";
  let depth = 0;
  for (let j = i; j < text.length; ) {
    const c = text[j];
    if (c === "\\") j += 2;
    else if (c === "'") j = afterSingle(text, j);
    else if (c === '"') j = afterDouble(text, j);
    else if (c === "`") j = afterBackquote(text, j);
    else if (c === "$" && text[j + 1] === "'") j = afterAnsi(text, j + 1);
    else if (j > i && c === "$" && (text[j + 1] === "(" || text[j + 1] === "{")) j = afterPair(text, j + 1);
    else {
      j++;
      if (c === open) depth++;
      else if (c === close && --depth === 0) return j;
    }
  }
  return text.length + 1;
}

/** Offset after the parenthesis that closes the one at `i` when only quotes hide one: how bash looks for the end of `((`. */
function afterParentheses(text: string, i: number): number {
  let depth = 0;
  for (let j = i; j < text.length; ) {
    const c = text[j];
    if (c === "\\") j += 2;
    else if (c === "'") j = afterSingle(text, j);
    else if (c === '"') j = afterDouble(text, j);
    else if (c === "`") j = afterBackquote(text, j);
    else {
      j++;
      if (c === "(") depth++;
      else if (c === ")" && --depth === 0) return j;
    }
  }
  return text.length + 1;
}

/**
 * Whether the `((` at `i` is arithmetic: bash reads to the parenthesis that closes the second one, and it is arithmetic
 * if another one follows at once; else it reads the text again as nested subshells. Gives the end, or undefined.
 */
export function arithmeticEnd(text: string, i: number): number | undefined {
  const inner = afterParentheses(text, i + 1);
  return inner <= text.length && text[inner] === ")" ? inner + 1 : undefined;
}

/** Skips line continuations: bash drops backslash-newline before it looks at the next character. */
export function skipContinuations(text: string, i: number): number {
  let at = i;
  while (text[at] === "\\" && text[at + 1] === "\n") at += 2;
  return at;
}
