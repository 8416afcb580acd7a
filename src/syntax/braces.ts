import { afterAnsi, afterBackquote, afterDouble, afterPair, afterSingle } from "./scan.ts";

/**
 * Brace expansion as bash does it, on the text of a word before anything else: `a{b,c}` gives `ab` and `ac`, `{1..3}`
 * a sequence. Undefined when the word has none to expand; an empty list when it would make more than `most` words.
 */
export function expandBraces(text: string, most: number): readonly string[] | undefined {
  if (!text.includes("{")) return undefined;
  const budget = { left: most };
  const words = expand(text, budget, 0);
  if (budget.left < 0) return [];
  return words.length === 1 && words[0] === text ? undefined : words;
}

interface Budget {
  left: number;
}

function expand(text: string, budget: Budget, depth: number): string[] {
  if (depth > 64) budget.left = -1;
  if (budget.left < 0) return [];
  for (let i = 0; i < text.length; ) {
    if (text[i] === "{") {
      const group = groupAt(text, i);
      if (group !== undefined) return combine(text.slice(0, i), group.items, text.slice(group.end), budget, depth);
      i++;
    } else i = skipQuoted(text, i);
  }
  return [text];
}

function combine(before: string, items: readonly string[], rest: string, budget: Budget, depth: number): string[] {
  const tails = expand(rest, budget, depth + 1);
  const words: string[] = [];
  for (const item of items) {
    for (const head of expand(item, budget, depth + 1)) {
      budget.left -= tails.length;
      if (budget.left < 0) return [];
      for (const tail of tails) words.push(before + head + tail);
    }
  }
  return words;
}

/** Offset after one character, or after a whole quoted or expanded part, in which braces mean nothing. */
function skipQuoted(text: string, i: number): number {
  switch (text[i]) {
    case "\\":
      return i + 2;
    case "'":
      return afterSingle(text, i);
    case '"':
      return afterDouble(text, i);
    case "`":
      return afterBackquote(text, i);
    case "$":
      if (text[i + 1] === "'") return afterAnsi(text, i + 1);
      return text[i + 1] === "{" || text[i + 1] === "(" ? afterPair(text, i + 1) : i + 1;
    case "<":
    case ">":
      return text[i + 1] === "(" ? afterPair(text, i + 1) : i + 1;
    default:
      return i + 1;
  }
}

/** The alternatives of the brace group at `i`, if it is one. */
function groupAt(text: string, i: number): { readonly items: readonly string[]; readonly end: number } | undefined {
  const items: string[] = [];
  let depth = 0;
  let from = i + 1;
  for (let j = i; j < text.length; ) {
    const c = text[j];
    if (c === "{") depth++;
    if (c === "," && depth === 1) {
      items.push(text.slice(from, j));
      from = j + 1;
    }
    if (c === "}" && --depth === 0) {
      const body = text.slice(from, j);
      if (items.length > 0) return { items: [...items, body], end: j + 1 };
      const sequence = sequenceOf(body);
      return sequence === undefined ? undefined : { items: sequence, end: j + 1 };
    }
    j = c === "{" || c === "}" || c === "," ? j + 1 : skipQuoted(text, j);
  }
  return undefined;
}

const NUMBERS = /^([+-]?\d+)\.\.([+-]?\d+)(?:\.\.([+-]?\d+))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([+-]?\d+))?$/;
const LONGEST_SEQUENCE = 2048;

function sequenceOf(body: string): string[] | undefined {
  const numbers = NUMBERS.exec(body);
  if (numbers !== null) {
    const [, first = "", last = "", step] = numbers;
    // A leading zero makes all numbers equally wide.
    const width = /^[+-]?0\d|^[+-]?\d+\.\.[+-]?0\d/.test(body) ? Math.max(first.length, last.length) : 0;
    return counted(Number(first), Number(last), Number(step ?? 1)).map((n) => padded(n, width));
  }
  const letters = LETTERS.exec(body);
  if (letters === null) return undefined;
  const [, first = "", last = "", step] = letters;
  return counted(first.charCodeAt(0), last.charCodeAt(0), Number(step ?? 1)).map((n) => String.fromCharCode(n));
}

function padded(n: number, width: number): string {
  return n < 0 ? `-${String(-n).padStart(width - 1, "0")}` : String(n).padStart(width, "0");
}

function counted(first: number, last: number, step: number): number[] {
  const by = Math.max(1, Math.abs(step)) * (first <= last ? 1 : -1);
  const values: number[] = [];
  for (let n = first; by > 0 ? n <= last : n >= last; n += by) {
    values.push(n);
    if (values.length > LONGEST_SEQUENCE) break;
  }
  return values;
}
