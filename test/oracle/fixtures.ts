import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BashAnswer } from "./answer.ts";
import type { Line } from "./corpus.ts";

/** A line of the corpus with what bash made of it. */
export interface Recorded {
  readonly line: Line;
  readonly answer: BashAnswer;
}

const FOLDER = resolve(import.meta.dirname, "fixtures");

/** Every recorded line, in the order of the files. */
export function recordedLines(): Recorded[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));
  return files.flatMap((name) =>
    readFileSync(join(FOLDER, name), "utf8")
      .split("\n")
      .filter((json) => json !== "")
      .map((json) => {
        const { text, family, ...answer } = JSON.parse(json) as Line & Omit<BashAnswer, "complete">;
        return { line: { text, family }, answer: { ...answer, complete: true } };
      }),
  );
}

/** Writes the lines and answers that are chosen for the recording, a file for each kind of line; returns how many. */
export function record(lines: readonly Line[], answers: readonly BashAnswer[]): number {
  const chosen = new Map<string, string[]>();
  const seen = new Map<string, number>();
  lines.forEach(({ text, family }, i) => {
    const before = seen.get(family) ?? 0;
    seen.set(family, before + 1);
    const answer = answers[i];
    if (answer?.complete !== true || before % everyOf(family) !== 0) return;
    const { valid, commands, redirects } = answer;
    const file = fileOf(family);
    chosen.set(file, [...(chosen.get(file) ?? []), JSON.stringify({ text, family, valid, commands, redirects })]);
  });
  for (const [file, rows] of chosen) writeFileSync(join(FOLDER, file), `${rows.join("\n")}\n`);
  return [...chosen.values()].reduce((sum, rows) => sum + rows.length, 0);
}

/** Of the written lines all are kept, of the others each so-and-so-many-th. */
function everyOf(family: Line["family"]): number {
  if (family === "written") return 1;
  return family === "places" || family === "mutated" ? 7 : 6;
}

function fileOf(family: Line["family"]): string {
  return family === "written" || family === "places" || family === "mutated" ? `${family}.jsonl` : "generated.jsonl";
}
