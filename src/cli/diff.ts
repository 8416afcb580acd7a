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
