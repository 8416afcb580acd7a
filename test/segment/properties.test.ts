import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Segmentation } from "../../src/segment/segment.ts";
import { textAt } from "../../src/text/index.ts";
import { recordedLines } from "../oracle/fixtures.ts";
import { drawFrom, mutated } from "../oracle/mutate.ts";
import { ourReading } from "../oracle/report.ts";

const LINES = recordedLines().map(({ line }) => line.text);
const seed = fc.nat();
const line = fc.constantFrom(...LINES);
const changedLine = fc.tuple(line, seed).map(([text, from]) => mutated(text, LINES, drawFrom(from)));
const anyText = fc.oneof(line, changedLine, fc.string({ unit: "binary", maxLength: 60 }));
const runs = { numRuns: 1500, seed: 20 };

/** Text that bash rewrites before it reads it has no place of its own in the command line. */
const REWRITTEN = /[`\\]|\$\[/;

describe("any text", () => {
  test("is read without an exception, and its parts point into it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { segments, effects, findings, source } = ourReading(text);
        for (const { span, parent } of [
          ...segments.map((s) => s),
          ...effects.map((e) => ({ ...e, parent: e.segment })),
        ]) {
          expect(span.start).toBeLessThanOrEqual(span.end);
          expect(span.end).toBeLessThanOrEqual(source.text.length);
          if (parent !== undefined) expect(parent).toBeLessThan(Math.max(1, segments.length));
        }
        for (const { span } of findings) expect(span.end).toBeLessThanOrEqual(source.text.length);
      }),
      runs,
    );
  });

  test("is read the same each time", () => {
    fc.assert(
      fc.property(changedLine, (text) => {
        expect(ourReading(text)).toEqual(ourReading(text));
      }),
      { ...runs, numRuns: 300 },
    );
  });

  test("holds the text of each of its own segments at the segment's span", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { segments, source } = ourReading(text);
        for (const segment of segments)
          if (segment.origin === "text" && !REWRITTEN.test(text))
            expect(textAt(source, segment.span)).toBe(segment.text);
      }),
      runs,
    );
  });

  test("a parent comes before its children", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { segments } = ourReading(text);
        for (const [i, { parent }] of segments.entries()) if (parent !== undefined) expect(parent).toBeLessThan(i);
      }),
      runs,
    );
  });
});

describe("a text that is read to its end", () => {
  const readable = line.filter((text) => !isRefused(ourReading(text)) && !/<<|\\$|#/.test(text));

  test.each([
    ["a command behind it", (text: string) => `${text}\nzz y`],
    ["a command before it", (text: string) => `zz y\n${text}`],
    ["( )", (text: string) => `(${text}\n)`],
    ["{ }", (text: string) => `{ ${text}\n}`],
    ["if", (text: string) => `if zz; then ${text}\nfi`],
    ["a function", (text: string) => `f() { ${text}\n}; f`],
    ["a substitution", (text: string) => `zz $(${text}\n)`],
    ["a process substitution", (text: string) => `zz <(${text}\n)`],
  ])("keeps its commands with %s, or is refused", (_, around) => {
    fc.assert(
      fc.property(readable, (text) => {
        const wrapped = ourReading(around(text));
        if (isRefused(wrapped)) return;
        const inside = argvOf(wrapped);
        for (const argv of argvOf(ourReading(text))) expect(inside).toContain(argv);
      }),
      { ...runs, numRuns: 400 },
    );
  });
});

function isRefused({ findings }: Segmentation): boolean {
  return findings.some(({ code }) => ["syntax-error", "limit-exceeded", "nul-byte", "opaque-text"].includes(code));
}

function argvOf({ segments }: Segmentation): string[] {
  return segments.filter(({ origin }) => origin === "text").map(({ argv }) => JSON.stringify(argv));
}
