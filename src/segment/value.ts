/**
 * What a shell word evaluates to, as far as the text alone tells. A string is a word that bash will see exactly so;
 * otherwise literal parts and holes.
 */
export type Value = string | Dynamic;

export interface Dynamic {
  readonly pieces: readonly Piece[];
  /** An unquoted expansion: bash may make no word of it, or several. */
  readonly splits: boolean;
}

export type Piece = string | Hole;

/** A part of a word that only bash can know when it runs. */
export interface Hole {
  readonly cause: HoleCause;
  /** As written, for people: `$HOME`, `$(date)`, `*.ts`. */
  readonly text: string;
  /** The only values it can have, when there are few (`for x in a b`). */
  readonly choices?: readonly string[];
  /** Values that the text itself gives it, among others that nobody knows (`${x:-text}`). */
  readonly may?: readonly string[];
  /** What else is known of it, each a way to fill it; they may only tighten: `{}` of `find -name x`. */
  readonly fills?: readonly (readonly Piece[])[];
}

export type HoleCause =
  | "variable" // set by something guarded-sh did not see
  | "command" // the output of a substitution
  | "process" // the path of a process substitution
  | "arithmetic"
  | "path" // a glob: bash puts the names of files there
  | "directory" // a part of a path below an unknown directory
  | "input" // words from standard input, as `xargs` appends them
  | "limit"; // a value that was too large to follow

/** The value with every hole as it was written: what to show, never what to match. */
export function shownValue(value: Value): string {
  if (typeof value === "string") return value;
  return value.pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

/** Whether bash surely makes one word of it: nothing that is split, or vanishes, or stands for the names of files. */
export function isOneWordFor(value: Value): boolean {
  if (typeof value === "string") return true;
  if (value.pieces.some((piece) => typeof piece !== "string" && piece.cause === "path")) return false;
  return !value.splits;
}

/** The element of a list of words; undefined where one in front of it, or itself, may be several words or none. */
export function wordAt(words: readonly Value[] | undefined, index: number): Value | undefined {
  return words?.slice(0, index + 1).every(isOneWordFor) ? words[index] : undefined;
}

/** The literal text that a value certainly begins with. */
export function literalStart(value: Value): string {
  if (typeof value === "string") return value;
  const first = value.pieces[0];
  return typeof first === "string" ? first : "";
}

/** The values that a value can have, its holes filled with their choices; itself when there are too many, or holes without. */
export function alternativesOf(value: Value, limit: number): readonly Value[] {
  if (typeof value === "string") return [value];
  let made: readonly (readonly Piece[])[] = [[]];
  for (const piece of value.pieces) {
    const fillings: readonly Piece[] = typeof piece === "string" ? [piece] : (piece.choices ?? [piece]);
    made = made.flatMap((pieces) => fillings.map((filling) => [...pieces, filling]));
    if (made.length > limit) return [value];
  }
  return made.map((pieces) => valueFrom(pieces, value.splits));
}

/** One hole as a whole word. */
export function holeValue(hole: Hole, splits = false): Dynamic {
  return { pieces: [hole], splits };
}

/** A value from pieces: neighbouring literals joined, a string when nothing is left open. */
export function valueFrom(pieces: readonly Piece[], splits: boolean): Value {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
    else if (piece !== "") joined.push(piece);
  }
  if (joined.every((piece) => typeof piece === "string")) return joined.join("");
  return { pieces: joined, splits };
}
