import { type BitPattern, bitPattern, reachedBits } from "./bit-search.ts";
import { optionalTail, type SubjectWord, startOfWords, subjectLength, textsOf } from "./subject.ts";
import { searches } from "./token-search.ts";

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

/**
 * Whether some filling of the holes makes the pattern match: the set of reachable places in the pattern is carried over the
 * text, and a hole reaches every later place. May say yes too often for characters outside the basic plane, never no.
 */
function matchesPossibly(wildcard: Wildcard, words: readonly SubjectWord[], asPath = false): boolean {
  if (!mayAgree(wildcard, words)) return false;
  if (wildcard.read.length * subjectLength(words) > SEARCH_STEPS) return true;
  if (!mayEndSo(wildcard, words)) return false;
  const bits = bitsOf(wildcard);
  const fold = wildcard.windows ? foldWindows : asWritten;
  if (bits === undefined) return searches(wildcard, words, fold, asPath);
  const end = reachedBits(bits, words, fold, asPath);
  const ends = 1 << bits.length;
  return (end & (wildcard.shorter === undefined ? ends : ends | (ends >> optionalTail))) !== 0;
}

function asWritten(text: string): string {
  return text;
}

const bitsBefore = new WeakMap<Wildcard, { readonly bits: BitPattern | undefined }>();

function bitsOf(wildcard: Wildcard): BitPattern | undefined {
  const known = bitsBefore.get(wildcard) ?? { bits: bitPattern(wildcard.read) };
  bitsBefore.set(wildcard, known);
  return known.bits;
}

/** Whether the literal beginnings agree as far as both are known: most patterns are told apart by that alone. */
function mayAgree(wildcard: Wildcard, words: readonly SubjectWord[]): boolean {
  const written = startOfWords(words);
  const start = wildcard.windows ? foldWindows(written) : written;
  return start.length < wildcard.start.length ? wildcard.start.startsWith(start) : start.startsWith(wildcard.start);
}

/** The same for the literal ends. */
function mayEndSo({ parts, windows }: Wildcard, words: readonly SubjectWord[]): boolean {
  const end = endOfWords(words);
  const last = parts.at(-1) ?? "";
  const wanted = last.slice(last.lastIndexOf("?") + 1);
  // Most often there is none.
  if (wanted === "" || end === "") return true;
  const written = windows ? foldWindows(end) : end;
  return written.length < wanted.length ? wanted.endsWith(written) : written.endsWith(wanted);
}

/** The literal text that the last word certainly ends with; empty when it may be absent. */
function endOfWords(words: readonly SubjectWord[]): string {
  const last = words.at(-1);
  if (last === undefined || last.optional) return "";
  const end = typeof last.value === "string" ? last.value : last.value.pieces.at(-1);
  return typeof end === "string" ? end : "";
}
