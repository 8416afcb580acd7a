import { optionalTail, type SubjectWord } from "./subject.ts";
import type { Wildcard } from "./wildcard.ts";

const STAR = -1;
const ONE = -2;
const SLASH = 47;
const DOT = 46;

/**
 * Whether some filling of the words makes a pattern of any length match: the set of reachable places in it is carried over
 * the text. `fold`: how a text is compared.
 */
export function searches(
  wildcard: Wildcard,
  words: readonly SubjectWord[],
  fold: (text: string) => string,
  asPath: boolean,
): boolean {
  const pattern = tokensOf(wildcard);
  const start = new Uint8Array(pattern.length + 1);
  start[0] = 1;
  openStars(pattern, start);
  // Words that may be absent: nothing may have been written yet, and then no blank stands in front of the next word.
  let untouched: Uint8Array | undefined = start;
  let written: Uint8Array | undefined;
  for (const word of words) {
    const from = union(untouched, written === undefined ? undefined : step(pattern, written, 32));
    const read = walkWord(pattern, from, word, fold, asPath);
    written = word.optional ? union(read, written) : read;
    if (!word.optional) untouched = undefined;
    if (untouched === undefined && isEmpty(written)) return false;
  }
  const end = union(untouched, written);
  const short = wildcard.shorter === undefined ? -1 : pattern.length - optionalTail;
  return end[pattern.length] === 1 || (short >= 0 && end[short] === 1);
}

function tokensOf({ read }: Wildcard): Int32Array {
  const tokens = new Int32Array(read.length);
  for (let i = 0; i < read.length; i++) {
    const unit = read.charCodeAt(i);
    tokens[i] = unit === 42 ? STAR : unit === 63 ? ONE : unit;
  }
  return tokens;
}

function walkWord(
  pattern: Int32Array,
  from: Uint8Array,
  { value }: SubjectWord,
  fold: (text: string) => string,
  asPath: boolean,
): Uint8Array {
  let states = from;
  const pieces = typeof value === "string" ? [value] : value.pieces;
  for (const [i, piece] of pieces.entries()) {
    if (typeof piece !== "string") {
      const name = asPath && piece.cause === "path" && !piece.text.includes("/") && !piece.text.includes("**");
      const before = pieces[i - 1];
      const first = name && typeof before === "string" && before.endsWith("/") && !piece.text.startsWith(".");
      states = name ? reachInName(pattern, states, first) : reachLater(states);
      continue;
    }
    states = walkText(pattern, states, fold(piece));
  }
  return states;
}

function walkText(pattern: Int32Array, from: Uint8Array, text: string): Uint8Array {
  let states = Uint8Array.from(from);
  let spare = new Uint8Array(from.length);
  for (let i = 0; i < text.length; i++) {
    const next = step(pattern, states, text.charCodeAt(i), spare.fill(0));
    spare = states;
    states = next;
    if (isEmpty(states)) break;
  }
  return states;
}

function step(
  pattern: Int32Array,
  states: Uint8Array,
  unit: number,
  next: Uint8Array<ArrayBuffer> = new Uint8Array(states.length),
): Uint8Array<ArrayBuffer> {
  const inPair = unit >= 0xd800 && unit <= 0xdbff;
  for (let at = 0; at < pattern.length; at++) {
    if (states[at] !== 1) continue;
    const wanted = pattern[at];
    if (wanted === STAR || (wanted === ONE && inPair)) next[at] = 1;
    if (wanted === unit || wanted === ONE) next[at + 1] = 1;
  }
  openStars(pattern, next);
  return next;
}

/** A star may be empty: who stands in front of one also stands behind it. */
function openStars(pattern: Int32Array, states: Uint8Array): void {
  for (let at = 0; at < pattern.length; at++) if (states[at] === 1 && pattern[at] === STAR) states[at + 1] = 1;
}

function reachLater(states: Uint8Array): Uint8Array {
  const first = states.indexOf(1);
  return first < 0 ? states : new Uint8Array(states.length).fill(1, first);
}

/** The same for a name that a glob stands for: not over a slash, and at the start of a name not over a dot. */
function reachInName(pattern: Int32Array, states: Uint8Array, first: boolean): Uint8Array {
  const next = Uint8Array.from(states);
  for (let start = 0; start < states.length; start++) {
    if (states[start] !== 1 || (first && pattern[start] === DOT)) continue;
    for (let at = start; at < pattern.length && pattern[at] !== SLASH; at++) next[at + 1] = 1;
  }
  openStars(pattern, next);
  return next;
}

function union(a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array {
  if (a === undefined) return b ?? new Uint8Array(0);
  if (b === undefined) return a;
  return a.map((state, at) => state | (b[at] ?? 0));
}

function isEmpty(states: Uint8Array | undefined): boolean {
  return states === undefined || !states.includes(1);
}
