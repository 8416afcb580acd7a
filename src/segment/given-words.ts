import { LIMITS } from "../text/index.ts";
import type { Collection } from "./collect.ts";
import type { Flow } from "./flow.ts";
import type { Wrapped } from "./peel.ts";
import type { Inner, ReadOption } from "./reading.ts";
import { pipedText } from "./stdin.ts";
import { type Hole, type Piece, type Value, valueFrom } from "./value.ts";

/** The lines that a wrapper hands on as words, where the text itself says them: `echo -exec | xargs find`. */
export function givenLines(
  collection: Collection,
  wrapped: Wrapped,
  inner: Extract<Inner, { kind: "argv" }>,
): readonly string[] | undefined {
  if (!wrapped.reading.spec?.appends || (!inner.appends && inner.placeholder === undefined)) return undefined;
  const text = pipedText(collection, wrapped.place.stdin);
  if (text === undefined || /["'\\]/.test(text) || wrapped.reading.options.some(takesOtherwise)) return undefined;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > LIMITS.choices ? undefined : lines;
}

/** `xargs -n 2`: the words of each run. */
export function groupsOf({ reading }: Wrapped, lines: readonly string[]): readonly (readonly string[])[] | undefined {
  const option = reading.options.findLast(({ facts }) => facts?.takes === "groups");
  if (option === undefined) return undefined;
  const size = Number(option.values[0]);
  const words = lines.flatMap(blankWords);
  if (!Number.isInteger(size) || size < 1) return undefined;
  return Array.from({ length: Math.ceil(words.length / size) }, (_, i) => words.slice(i * size, (i + 1) * size));
}

export function filledWith(word: Value, placeholder: string, line: string): Value {
  if (placeholder === "") return word;
  if (typeof word === "string") return word.replaceAll(placeholder, line);
  const pieces = word.pieces.map((piece) => (typeof piece === "string" ? piece.replaceAll(placeholder, line) : piece));
  return valueFrom(pieces, word.splits);
}

/** What is known of the words a placeholder stands for: where the command runs elsewhere, their names count from here. */
export function fillsOf({ fills, moved }: Extract<Inner, { kind: "argv" }>, { directories }: Flow): Hole["fills"] {
  if (fills === undefined || !moved || directories === undefined) return fills;
  return fills.flatMap((fill) => {
    const absolute = typeof fill[0] === "string" && fill[0].startsWith("/");
    return absolute ? [fill] : directories.map((directory): readonly Piece[] => [`${directory}/`, ...fill]);
  });
}

/** A word in which a placeholder stands for words that nobody knows. */
export function replaced(
  word: Value,
  placeholder: string,
  fills: Hole["fills"],
  found: readonly Piece[] | undefined,
): Value {
  const pieces = typeof word === "string" ? [word] : word.pieces;
  const hole: Hole = { cause: "input", text: placeholder, ...(fills !== undefined && { fills }) };
  const stand = found ?? [hole];
  const open = pieces.flatMap((piece): Piece[] =>
    typeof piece === "string" && placeholder !== ""
      ? piece.split(placeholder).flatMap((part, i) => (i === 0 ? [part] : [...stand, part]))
      : [piece],
  );
  return valueFrom(open, typeof word === "string" ? false : word.splits);
}

/** An option that nobody knows may take them in any way. */
function takesOtherwise({ facts }: ReadOption): boolean {
  return facts === undefined || facts.takes === "otherwise";
}

export function blankWords(line: string): readonly string[] {
  return line.split(/\s+/).filter((word) => word !== "");
}
