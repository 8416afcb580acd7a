import { expect, test } from "vitest";
import { corpusOf } from "../oracle/corpus.ts";
import { drawFrom, mutated } from "../oracle/mutate.ts";
import { ourReading } from "../oracle/report.ts";
import { type Slow, timed } from "./time.ts";

// `npm run fuzz`. FUZZ_LINES for fewer lines or more, FUZZ_SEED for others.
const LINES = Number(process.env.FUZZ_LINES ?? 1_000_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const MILLISECONDS = 50;
const LONGEST = 4096;

test(`${LINES} mutated lines: no exception, none over ${MILLISECONDS} ms`, { timeout: 3_600_000 }, () => {
  const pool = corpusOf({ seed: SEED, perFamily: 100, mutated: 0 }).map(({ text }) => text);
  const draw = drawFrom(SEED);
  const faults: string[] = [];
  const slow: Slow[] = [];
  let bytes = 0;
  const start = performance.now();
  for (let done = 0; done < LINES && faults.length < 20; done++) {
    const text = grown(pool, draw).slice(0, LONGEST);
    bytes += text.length;
    try {
      const milliseconds = timed(() => ourReading(text), MILLISECONDS);
      if (milliseconds > MILLISECONDS) slow.push({ text, milliseconds });
    } catch (error) {
      faults.push(`${JSON.stringify(text)}: ${error}`);
    }
    if (done % 100 === 99) pool[draw(pool.length)] = text; // so that changes add up
  }
  const seconds = (performance.now() - start) / 1000;
  console.info(`${LINES} lines, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(0)} s; ${slow.length} slow`);
  expect(faults).toEqual([]);
  expect(slow).toEqual([]);
});

/** A mutated line; one of sixteen is several put together, up to the longest that is measured. */
function grown(pool: readonly string[], draw: (limit: number) => number): string {
  const pick = () => pool[draw(pool.length)] ?? "";
  const text = draw(16) > 0 ? pick() : Array.from({ length: 1 + draw(60) }, pick).join(draw(2) === 0 ? "\n" : "; ");
  return mutated(text, pool, draw);
}
