import { LIMITS } from "../text/index.ts";
import type { Reading } from "./reading.ts";
import { type Dynamic, type Hole, type Value, valueFrom } from "./value.ts";

/**
 * The word lists that an invocation stands for when a word that is one of a few, or may be one, changes how the others are
 * read: an option, or the text of an awk or sed program. Undefined when it can be judged as it is.
 */
export function variantsOf(words: readonly Value[], reading: Reading): readonly (readonly Value[])[] | undefined {
  const programs = new Set(
    reading.evaluated.flatMap(({ role, index }) => (role === "awk-program" || role === "sed-script" ? [index] : [])),
  );
  let lists: Value[][] = [[]];
  let varied = false;
  for (const [index, word] of words.entries()) {
    const all = typeof word === "string" ? [[word]] : readingsOf(word);
    const matters =
      all.length > 1 &&
      (programs.has(index) || all.some(([first]) => typeof first === "string" && first.startsWith("-")));
    varied ||= matters;
    // Without choices the lists grow in place: copying them for each word is quadratic.
    if (matters) lists = lists.flatMap((list) => all.map((more) => [...list, ...more]));
    else for (const list of lists) list.push(word);
    if (lists.length > LIMITS.choices) return undefined;
  }
  return varied ? lists : undefined;
}

/** What a word can be, each as the words that bash makes of it; a hole that may be anything stays among them. */
function readingsOf(word: Dynamic): readonly (readonly Value[])[] {
  const at = word.pieces.findIndex((piece) => typeof piece !== "string" && (piece.choices ?? piece.may) !== undefined);
  const piece = word.pieces[at];
  if (piece === undefined || typeof piece === "string") return [[word]];
  const texts = piece.choices ?? piece.may ?? [];
  const filled = (text: string | Hole) =>
    valueFrom(
      word.pieces.map((other, i) => (i === at ? text : other)),
      word.splits,
    );
  const known = texts.map((text): readonly Value[] => {
    const value = filled(text);
    return typeof value === "string" && word.splits ? value.split(/[ \t\n]+/).filter((part) => part !== "") : [value];
  });
  return piece.choices === undefined ? [[filled({ cause: piece.cause, text: piece.text })], ...known] : known;
}
