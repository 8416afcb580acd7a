import { optionalTail, type SubjectWord, startOfWords, subjectLength, textsOf } from "./subject.ts";

/** A pattern of the seeds' wildcards, taken apart once. `*` is any text, `?` one character, the rest is literal. */
export interface Wildcard {
  readonly pattern: string;
  /** The pattern as it is compared: runs of stars are one star, folded on Windows. */
  readonly read: string;
  /** The texts between the stars; each may hold `?`. */
  readonly parts: readonly string[];
  /** The parts of the pattern without its trailing ` *`, which is optional. */
  readonly shorter: readonly string[] | undefined;
  /** The literal text that every match begins with. */
  readonly start: string;
  readonly windows: boolean;
}

/** How sure a match is when parts of the text are unknown. */
export type Certainty = "certainly" | "possibly" | "no";

/** What stands for a hole while a text is matched: half a character, which no text that bash can be given holds. */
export const HOLE_MARK = "\udc00";

/** States of the search for a possible match; beyond, the answer is `possibly`. */
const SEARCH_STEPS = 2_000_000;

/** Takes a pattern apart. On Windows backslash and slash are equal, and so are upper and lower case. */
export function compileWildcard(pattern: string, windows = false): Wildcard {
  const read = (windows ? foldWindows(pattern) : pattern).replace(/\*{2,}/g, "*");
  const parts = read.split("*");
  const shorter = read.endsWith(" *") ? read.slice(0, -2).split("*") : undefined;
  const first = shorter?.[0] ?? parts[0] ?? "";
  const question = first.indexOf("?");
  return { pattern, read, parts, shorter, start: question < 0 ? first : first.slice(0, question), windows };
}

/** Whether a pattern is nothing but stars. */
export function isCatchAll(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

/** Whether a pattern matches the whole of a text, in time linear in the text. */
export function matchesWildcard(wildcard: Wildcard, text: string): boolean {
  const subject = wildcard.windows ? foldWindows(text) : text;
  if (!subject.startsWith(wildcard.start)) return false;
  return (
    matchesParts(wildcard.parts, subject) || (wildcard.shorter !== undefined && matchesParts(wildcard.shorter, subject))
  );
}

/** Whether a path with holes can match: names that a glob stands for hold no slash, and begin with no dot of their own. */
export function canMatchPath(wildcard: Wildcard, path: SubjectWord): boolean {
  return matchesPossibly(wildcard, [path], true);
}

/** Whether a pattern matches words joined by single blanks, holes in them being any text. */
export function matchWords(wildcard: Wildcard, words: readonly SubjectWord[]): Certainty {
  if (!mayAgree(wildcard, words)) return "no";
  if (textsOf(words, HOLE_MARK)?.every((text) => matchesCertainly(wildcard, text))) return "certainly";
  return matchesPossibly(wildcard, words) ? "possibly" : "no";
}

function foldWindows(text: string): string {
  return text.replaceAll("\\", "/").toLowerCase();
}

// A star may swallow the mark; a literal or `?` never equals it, so what matches marked matches every filling.
function matchesCertainly(wildcard: Wildcard, text: string): boolean {
  return !wildcard.pattern.includes(HOLE_MARK) && matchesWildcard(wildcard, text);
}

function matchesParts(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? "";
  let at = endOfPart(first, text, 0);
  if (at < 0) return false;
  if (parts.length === 1) return at === text.length;
  const last = startOfLastPart(parts[parts.length - 1] ?? "", text);
  if (last < at) return false;
  for (let i = 1; i < parts.length - 1; i++) {
    // The leftmost place leaves the most room for what follows, so there is never a reason to come back.
    at = findPart(parts[i] ?? "", text, at, last);
    if (at < 0) return false;
  }
  return true;
}

/** Offset after a part that stands at `at`, or -1. */
function endOfPart(part: string, text: string, at: number): number {
  if (!part.includes("?")) return text.startsWith(part, at) ? at + part.length : -1;
  let place = at;
  for (let i = 0; i < part.length; i++) {
    const wanted = part[i];
    if (wanted !== "?") {
      if (text[place] !== wanted) return -1;
      place++;
      continue;
    }
    if (place >= text.length || text[place] === HOLE_MARK) return -1;
    place += startsPair(text, place) ? 2 : 1;
  }
  return place;
}

/** Offset at which the last part begins when it ends with the text, or -1. */
function startOfLastPart(part: string, text: string): number {
  if (!part.includes("?")) return text.endsWith(part) ? text.length - part.length : -1;
  let place = text.length;
  for (let i = part.length - 1; i >= 0; i--) {
    if (place <= 0) return -1;
    const wanted = part[i];
    if (wanted === "?") {
      if (startsPair(text, place - 2)) place -= 2;
      else if (text[place - 1] === HOLE_MARK) return -1;
      else place--;
    } else if (text[--place] !== wanted) return -1;
  }
  return place;
}

/** Offset after the first place at or behind `from` where a part stands and ends by `limit`, or -1. */
function findPart(part: string, text: string, from: number, limit: number): number {
  if (!part.includes("?")) {
    const found = text.indexOf(part, from);
    return found < 0 || found + part.length > limit ? -1 : found + part.length;
  }
  for (let at = from; at <= limit; at++) {
    if (startsPair(text, at - 1)) continue;
    const end = endOfPart(part, text, at);
    if (end >= 0 && end <= limit) return end;
  }
  return -1;
}

function startsPair(text: string, at: number): boolean {
  if (at < 0 || at + 1 >= text.length) return false;
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

const STAR = -1;
const ONE = -2;
const SLASH = 47;
const DOT = 46;

/**
 * Whether some filling of the holes makes the pattern match: the set of reachable places in the pattern is carried over the
 * text, and a hole reaches every later place. May say yes too often for characters outside the basic plane, never no.
 */
function matchesPossibly(wildcard: Wildcard, words: readonly SubjectWord[], asPath = false): boolean {
  if (!mayAgree(wildcard, words)) return false;
  const pattern = tokensOf(wildcard);
  if (pattern.length * subjectLength(words) > SEARCH_STEPS) return true;
  const start = new Uint8Array(pattern.length + 1);
  start[0] = 1;
  openStars(pattern, start);
  // Words that may be absent: nothing may have been written yet, and then no blank stands in front of the next word.
  let untouched: Uint8Array | undefined = start;
  let written: Uint8Array | undefined;
  for (const word of words) {
    const from = union(untouched, written === undefined ? undefined : step(pattern, written, 32));
    const read = walkWord(pattern, from, word, wildcard.windows, asPath);
    written = word.optional ? union(read, written) : read;
    if (!word.optional) untouched = undefined;
    if (untouched === undefined && isEmpty(written)) return false;
  }
  const end = union(untouched, written);
  const short = wildcard.shorter === undefined ? -1 : pattern.length - optionalTail;
  return end[pattern.length] === 1 || (short >= 0 && end[short] === 1);
}

/** Whether the literal beginnings agree as far as both are known: most patterns are told apart by that alone. */
function mayAgree(wildcard: Wildcard, words: readonly SubjectWord[]): boolean {
  const written = startOfWords(words);
  const start = wildcard.windows ? foldWindows(written) : written;
  return start.length < wildcard.start.length ? wildcard.start.startsWith(start) : start.startsWith(wildcard.start);
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
  windows: boolean,
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
    states = walkText(pattern, states, windows ? foldWindows(piece) : piece);
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
