import { isCatchAll, type Wildcard } from "./wildcard.ts";

const STAR = -1;
const ONE = -2;
const OTHER = -3;

/** Pairs of states that are looked at; beyond, the answer is no. */
const MOST_STATES = 20_000;

/**
 * Whether every text that `narrow` matches is matched by `wide`. Exact for our wildcards, the optional ` *` at the end included: both
 * are read as automata, and the states of `wide` are followed as sets along every text of `narrow`.
 */
export function covers(wide: Wildcard, narrow: Wildcard): boolean {
  if (isCatchAll(wide.read) || wide.read === narrow.read) return true;
  if (beginsOtherwise(wide.read, narrow.read)) return false;
  const [outer, inner] = [automatonOf(wide), automatonOf(narrow)];
  const letters = [...new Set([...outer.tokens, ...inner.tokens].filter((token) => token >= 0)), OTHER];
  const seen = new Set<string>();
  const open: [number, readonly number[]][] = [[0, closed(outer, [0])]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [state, states] = pair;
    const key = `${state}:${states.join(",")}`;
    if (seen.has(key)) continue;
    if (seen.size >= MOST_STATES) return false;
    seen.add(key);
    if (inner.ends.has(state) && !states.some((each) => outer.ends.has(each))) return false;
    const token = inner.tokens[state];
    if (token === undefined) continue;
    if (token === STAR) open.push([state + 1, states]);
    const next = token === STAR ? state : state + 1;
    for (const letter of token >= 0 ? [token] : letters) open.push([next, step(outer, states, letter)]);
  }
  return true;
}

/** Most rules are about another program: their beginnings tell, and no automaton has to. */
function beginsOtherwise(wide: string, narrow: string): boolean {
  const [a, b] = [literalStart(wide), literalStart(narrow)];
  const common = Math.min(a.length, b.length);
  return a.slice(0, common) !== b.slice(0, common);
}

function literalStart(pattern: string): string {
  const end = pattern.search(/[*?]/);
  return end < 0 ? pattern : pattern.slice(0, end);
}

/** Whether some text is matched by both. */
export function overlaps(a: Wildcard, b: Wildcard): boolean {
  const [left, right] = [automatonOf(a), automatonOf(b)];
  const seen = new Set<number>();
  const open: [number, number][] = [[0, 0]];
  const add = (i: number, j: number) => {
    const key = i * (right.tokens.length + 1) + j;
    if (!seen.has(key)) {
      seen.add(key);
      open.push([i, j]);
    }
  };
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [i, j] = pair;
    if (left.ends.has(i) && right.ends.has(j)) return true;
    const [x, y] = [left.tokens[i], right.tokens[j]];
    if (x === STAR) add(i + 1, j);
    if (y === STAR) add(i, j + 1);
    if (x === undefined || y === undefined) continue;
    if (x >= 0 && y >= 0 && x !== y) continue;
    add(x === STAR ? i : i + 1, y === STAR ? j : j + 1);
  }
  return false;
}

interface Automaton {
  /** Code points, `STAR` or `ONE`. */
  readonly tokens: readonly number[];
  /** States in which a text may end. */
  readonly ends: ReadonlySet<number>;
}

function automatonOf({ read }: Wildcard): Automaton {
  const tokens = [...read].map((char) => (char === "*" ? STAR : char === "?" ? ONE : (char.codePointAt(0) ?? 0)));
  const ends = new Set([tokens.length]);
  if (read.endsWith(" *")) ends.add(tokens.length - 2);
  return { tokens, ends };
}

function step({ tokens, ...rest }: Automaton, states: readonly number[], letter: number): readonly number[] {
  const next = new Set<number>();
  for (const state of states) {
    const token = tokens[state];
    if (token === STAR) next.add(state);
    if (token === ONE || token === letter) next.add(state + 1);
  }
  return closed({ tokens, ...rest }, [...next]);
}

/** A star may be empty. */
function closed({ tokens }: Automaton, states: readonly number[]): readonly number[] {
  const all = new Set(states);
  for (const state of all) if (tokens[state] === STAR) all.add(state + 1);
  return [...all].sort((a, b) => a - b);
}
