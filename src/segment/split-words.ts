import { holeValue, type Value } from "./value.ts";

const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;
const WORDS = /^(?:'[^']*'|"[^"]*"|[^'"])*$/;

/**
 * The words that `env -S` makes of one word: split at blanks, quotes removed. A text with an escape, a comment or a
 * variable, whose rules differ from the shell's, gives one word that nobody knows.
 */
export function splitWords(value: Value): readonly Value[] {
  if (typeof value !== "string") return [value];
  if (/[\\$#]/.test(value) || !WORDS.test(value)) return [holeValue({ cause: "input", text: value }, true)];
  return (value.match(WORD) ?? []).map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}
