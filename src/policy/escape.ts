import type { ReadEscape } from "../segment/reading.ts";
import type { Rule } from "./rule.ts";

/** Whether an allow rule names what an option or verb does beyond its program's name. */
export function namesEscape(rule: Rule, found: ReadEscape): boolean {
  if (rule.catchAll) return true;
  if (found.spellings.some((spelling) => rule.flags.includes(spelling))) return true;
  const words = rule.command?.words ?? [];
  return words.some((word) => found.spellings.some((spelling) => namesSpelling(literalPart(word), spelling)));
}

function literalPart(word: string): string {
  const wildcard = word.search(/[*?]/);
  return wildcard < 0 ? word : word.slice(0, wildcard);
}

// `--output-format` does not name `--output`, `--output=*` does; `-ni` names `-i`.
function namesSpelling(word: string, spelling: string): boolean {
  if (word === spelling || word.startsWith(`${spelling}=`)) return true;
  if (!/^-[A-Za-z0-9]$/.test(spelling)) return false;
  return word.startsWith(spelling) || (/^-[A-Za-z0-9]{2,4}$/.test(word) && word.includes(spelling.slice(1), 1));
}
