import type { Dynamic, Value } from "../segment/value.ts";
import type { SubjectWord } from "./subject.ts";

/** A short pattern as masks: bit `i` stands for its token `i`, the bit behind the last one for its end. */
export interface BitPattern {
  /** By ASCII unit, then by any other. */
  readonly ascii: Int32Array;
  readonly others: ReadonlyMap<number, number>;
  readonly stars: number;
  readonly ones: number;
  readonly slashes: number;
  readonly dots: number;
  readonly length: number;
}

/** Tokens that fit into the bits of a number, the end of the pattern counted. */
const MOST_TOKENS = 29;

/** The masks of a pattern that is read with single stars; undefined for one that is too long. */
export function bitPattern(read: string): BitPattern | undefined {
  if (read.length > MOST_TOKENS) return undefined;
  const ascii = new Int32Array(128);
  const others = new Map<number, number>();
  const masks = { stars: 0, ones: 0 };
  for (let at = 0; at < read.length; at++) {
    const unit = read.charCodeAt(at);
    if (unit === 42) masks.stars |= 1 << at;
    else if (unit === 63) masks.ones |= 1 << at;
    else if (unit < 128) ascii[unit] = (ascii[unit] ?? 0) | (1 << at);
    else others.set(unit, (others.get(unit) ?? 0) | (1 << at));
  }
  return { ascii, others, ...masks, slashes: ascii[47] ?? 0, dots: ascii[46] ?? 0, length: read.length };
}

/** The places in the pattern that some filling of the words can reach, as bits. `fold`: how a text is compared. */
export function reachedBits(
  pattern: BitPattern,
  words: readonly SubjectWord[],
  fold: (text: string) => string,
  asPath: boolean,
): number {
  // Words that may be absent: nothing may have been written yet, and then no blank stands in front of the next word.
  let untouched = opened(pattern, 1);
  let written = 0;
  for (const { value, optional } of words) {
    const read = walkWord(pattern, untouched | stepped(pattern, written, 32), value, fold, asPath);
    written = optional ? read | written : read;
    if (!optional) untouched = 0;
    if ((untouched | written) === 0) return 0;
  }
  return untouched | written;
}

function walkWord(
  pattern: BitPattern,
  from: number,
  value: Value,
  fold: (text: string) => string,
  asPath: boolean,
): number {
  if (typeof value === "string") return walkText(pattern, from, fold(value));
  let states = from;
  value.pieces.forEach((piece, i) => {
    if (typeof piece === "string") states = walkText(pattern, states, fold(piece));
    else states = asPath && isName(piece) ? reachInName(pattern, states, value, i) : reachLater(pattern, states);
  });
  return states;
}

function isName({ cause, text }: Exclude<Dynamic["pieces"][number], string>): boolean {
  return cause === "path" && !text.includes("/") && !text.includes("**");
}

function walkText(pattern: BitPattern, from: number, text: string): number {
  let states = from;
  for (let i = 0; i < text.length && states !== 0; i++) states = stepped(pattern, states, text.charCodeAt(i));
  return states;
}

function stepped(pattern: BitPattern, states: number, unit: number): number {
  const { ascii, others, stars, ones } = pattern;
  const literal = unit < 128 ? (ascii[unit] as number) : (others.get(unit) ?? 0);
  const inPair = unit >= 0xd800 && unit <= 0xdbff;
  return opened(pattern, ((states & (literal | ones)) << 1) | (states & (inPair ? stars | ones : stars)));
}

/** A star may be empty: who stands in front of one also stands behind it. */
function opened({ stars }: BitPattern, states: number): number {
  return states | ((states & stars) << 1);
}

function reachLater({ length }: BitPattern, states: number): number {
  const lowest = states & -states;
  return lowest === 0 ? 0 : ((1 << (length + 1)) - 1) & ~(lowest - 1);
}

/** The same for a name that a glob stands for: not over a slash, and at the start of a name not over a dot. */
function reachInName(pattern: BitPattern, states: number, { pieces }: Dynamic, i: number): number {
  const [before, piece] = [pieces[i - 1], pieces[i]];
  const glob = typeof piece === "object" ? piece.text : "";
  const first = typeof before === "string" && before.endsWith("/") && !glob.startsWith(".");
  let going = first ? states & ~pattern.dots : states;
  for (let at = 0; at < pattern.length; at++) going |= (going & ~pattern.slashes & (1 << at)) << 1;
  return opened(pattern, states | going);
}
