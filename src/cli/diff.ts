const CONTEXT = 3;

/** The change from one text to another as a unified diff; empty when there is none. `undefined`: there is no file. */
export function unifiedDiff(name: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const old = linesOf(before);
  const now = linesOf(after);
  // What init changes is one run of lines: everything before and after it is the same.
  const head = sameFrom(old, now, (i) => [old[i], now[i]]);
  const tail = sameFrom(old.slice(head), now.slice(head), (i) => [old[old.length - 1 - i], now[now.length - 1 - i]]);
  const start = Math.max(0, head - CONTEXT);
  const end = Math.min(tail, CONTEXT);
  const hunk = [
    ...old.slice(start, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + end).map((line) => ` ${line}`),
  ];
  const range = (lines: readonly string[]) => {
    const count = lines.length - tail + end - start;
    return `${count === 0 ? 0 : start + 1},${count}`;
  };
  const title = (text: string | undefined) => (text === undefined ? "/dev/null" : name);
  return [`--- ${title(before)}`, `+++ ${title(after)}`, `@@ -${range(old)} +${range(now)} @@`, ...hunk].join("\n");
}

/** The lines that were taken out of a text (`-`) and put into it (`+`), in order; what is the same is left out. */
export function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const head = sameFrom(old, now, (i) => [old[i], now[i]]);
  const [left, right] = [old.slice(head), now.slice(head)];
  const tail = sameFrom(left, right, (i) => [left[left.length - 1 - i], right[right.length - 1 - i]]);
  return differing(left.slice(0, left.length - tail), right.slice(0, right.length - tail));
}

/** By the longest common part: most lines stay. */
function differing(old: readonly string[], now: readonly string[]): readonly string[] {
  const longest = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    const row = longest[i] ?? [];
    for (let j = now.length - 1; j >= 0; j--)
      row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const lines: string[] = [];
  for (let [i, j] = [0, 0]; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) [i, j] = [i + 1, j + 1];
    else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) lines.push(`-${old[i++]}`);
    else lines.push(`+${now[j++]}`);
  }
  return lines;
}

function linesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

function sameFrom(
  old: readonly string[],
  now: readonly string[],
  at: (i: number) => readonly [string | undefined, string | undefined],
): number {
  const most = Math.min(old.length, now.length);
  for (let i = 0; i < most; i++) {
    const [a, b] = at(i);
    if (a !== b) return i;
  }
  return most;
}
