import type { Cell } from "./scan.ts";
import { type Piece, type Value, valueFrom } from "./value.ts";

/** The words joined by blanks, as programs do that hand them to a shell. */
export function joinWords(words: readonly Value[]): Value {
  const pieces: Piece[] = [];
  for (const [position, word] of words.entries()) {
    if (position > 0) pieces.push(" ");
    pieces.push(...(typeof word === "string" ? [word] : word.pieces));
  }
  return valueFrom(pieces, false);
}

/** The indices that the words take up, the last excluded. */
export function extent(cells: readonly Cell[]): readonly [number, number] {
  return [cells[0]?.index ?? 0, (cells.at(-1)?.index ?? 0) + 1];
}
