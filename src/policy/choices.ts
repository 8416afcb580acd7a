import type { Effect, Segment } from "../segment/segment.ts";
import { type Piece, type Value, valueFrom } from "../segment/value.ts";

/** Alternatives that are judged one by one; beyond, the parts with few values are holes like any other. */
const MOST_ALTERNATIVES = 64;

/** The segment once for each combination of the values that its words can have. */
export function segmentAlternatives(segment: Segment): readonly Segment[] {
  if (!segment.words.some(hasChoices)) return [segment];
  const words = product(segment.words.map(valueAlternatives));
  return words === undefined ? [segment] : words.map((alternative) => ({ ...segment, words: alternative }));
}

/** The effect once for each path that it can have. */
export function effectAlternatives(effect: Effect): readonly Effect[] {
  if (effect.otherPaths.length === 0 && !hasChoices(effect.path)) return [effect];
  const paths = [effect.path, ...effect.otherPaths].flatMap(valueAlternatives);
  const { tool, access, text, span, segment, from, operator } = effect;
  // Every field is written out: copying objects is what the time goes into here.
  return paths.map((path) => ({ tool, access, path, otherPaths: [], text, span, segment, from, operator }));
}

function hasChoices(value: Value): boolean {
  return typeof value !== "string" && value.pieces.some((piece) => typeof piece !== "string" && piece.choices);
}

function valueAlternatives(value: Value): readonly Value[] {
  if (typeof value === "string" || !hasChoices(value)) return [value];
  const alternatives = product(
    value.pieces.map((piece): readonly Piece[] => (typeof piece === "string" ? [piece] : (piece.choices ?? [piece]))),
  );
  return alternatives === undefined ? [value] : alternatives.map((pieces) => valueFrom(pieces, value.splits));
}

function product<T>(sets: readonly (readonly T[])[]): readonly (readonly T[])[] | undefined {
  let rows: (readonly T[])[] = [[]];
  for (const set of sets) {
    if (rows.length * set.length > MOST_ALTERNATIVES) return undefined;
    rows =
      set.length === 1
        ? rows.map((row) => [...row, set[0] as T])
        : rows.flatMap((row) => set.map((item) => [...row, item]));
  }
  return rows;
}
