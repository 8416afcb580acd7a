import { literalStart, type Value } from "../segment/value.ts";

/** One word of what a pattern is matched against. */
export interface SubjectWord {
  readonly value: Value;
  /** bash may make no word of it, so that its blank is not there either. */
  readonly optional: boolean;
}

/** Combinations of absent words that are looked at one by one. */
const ABSENT_WORDS = 4;

/** Length of the ` *` that is optional at the end of a pattern, in characters. */
export const optionalTail = 2;

/** A word as bash would pass it on: an unquoted expansion and nothing else may leave no word at all. */
export function subjectWord(value: Value): SubjectWord {
  if (typeof value === "string") return { value, optional: false };
  return { value, optional: value.splits && value.pieces.every((piece) => typeof piece !== "string") };
}

/** The words joined by blanks, or undefined when a word is not static. */
export function staticText(words: readonly SubjectWord[]): string | undefined {
  let text = "";
  for (const [i, word] of words.entries()) {
    if (typeof word.value !== "string" || word.optional) return undefined;
    text = i === 0 ? word.value : `${text} ${word.value}`;
  }
  return text;
}

/** Every text the words can be, a mark in place of each hole; undefined when there are too many, or the mark occurs. */
export function textsOf(words: readonly SubjectWord[], mark: string): string[] | undefined {
  const optional = words.filter((word) => word.optional).length;
  if (optional > ABSENT_WORDS) return undefined;
  let texts: (string | undefined)[] = [undefined];
  for (const word of words) {
    const marked = markedText(word.value, mark);
    if (marked === undefined) return undefined;
    const present = texts.map((text) => (text === undefined ? marked : `${text} ${marked}`));
    texts = word.optional ? [...texts, ...present] : present;
  }
  return texts.map((text) => text ?? "");
}

/** The literal text that the joined words certainly begin with. */
export function startOfWords(words: readonly SubjectWord[]): string {
  let start = "";
  for (const [i, { value, optional }] of words.entries()) {
    // Behind a word that may be absent, not even the blank is certain.
    if (optional) return start;
    const before = i === 0 ? "" : " ";
    if (typeof value !== "string") return start + before + literalStart(value);
    start += before + value;
  }
  return start;
}

/** Characters of all words together, holes counted as one. */
export function subjectLength(words: readonly SubjectWord[]): number {
  let length = 0;
  for (const { value } of words) {
    if (typeof value === "string") length += value.length + 1;
    else for (const piece of value.pieces) length += typeof piece === "string" ? piece.length + 1 : 2;
  }
  return length;
}

function markedText(value: Value, mark: string): string | undefined {
  const literal =
    typeof value === "string" ? value : value.pieces.filter((piece) => typeof piece === "string").join("");
  // The mark is half a character; text with other halves (never valid UTF-8) could pair with it.
  if (/[\ud800-\udfff]/u.test(literal)) return undefined;
  return typeof value === "string"
    ? value
    : value.pieces.map((piece) => (typeof piece === "string" ? piece : mark)).join("");
}
