/** Edits between two short words: insertions, deletions, changes, each one. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The valid word closest to a mistyped one, if one is close enough to be meant. */
export function nearestWord(word: string, valid: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined;
  const lower = word.toLowerCase();
  let best: { word: string; distance: number } | undefined;
  for (const candidate of valid) {
    const edits = distance(lower, candidate.toLowerCase());
    if (best === undefined || edits < best.distance) best = { word: candidate, distance: edits };
  }
  if (best !== undefined && best.distance <= Math.max(1, Math.floor(word.length / 3))) return best.word;
  return lower.length < SHORTEST_BEGINNING ? undefined : onlyOneBeginning(lower, valid);
}

const SHORTEST_BEGINNING = 3;

/** `claude` is the beginning of `claude-code` and of nothing else. */
function onlyOneBeginning(word: string, valid: Iterable<string>): string | undefined {
  const found = [...valid].filter((candidate) => candidate.toLowerCase().startsWith(word));
  return found.length === 1 ? found[0] : undefined;
}
