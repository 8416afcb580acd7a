import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describedNames, findEntry } from "../../src/segment/dictionary.ts";
import { readInvocation } from "../../src/segment/read.ts";
import type { Inner, Reading } from "../../src/segment/reading.ts";
import type { Value } from "../../src/segment/value.ts";

const names = describedNames();
const option = fc.constantFrom(
  "-a",
  "-xvf",
  "-c",
  "-e",
  "-n5",
  "--",
  "--help",
  "--file=x",
  "--output",
  "-exec",
  "+x",
  "-C",
);
const plain = fc.constantFrom("a", "b=c", "run", "add", "push", "5", ";", "+", "{}", "(", "!", "xf", "if=a", "-", "");
const hole: fc.Arbitrary<Value> = fc.record({
  pieces: fc.constantFrom(
    [{ cause: "variable" as const, text: "$A" }],
    ["-", { cause: "variable" as const, text: "$A" }],
    ["--file=", { cause: "variable" as const, text: "$A" }],
  ),
  splits: fc.boolean(),
});
const words = fc.tuple(
  fc.constantFrom(...names),
  fc.array(fc.oneof(option, plain, hole, fc.string()), { maxLength: 12 }),
);

function innerIndices(inner: Inner): number[] {
  switch (inner.kind) {
    case "argv":
    case "script":
      return Array.from({ length: inner.to - inner.from }, (_, offset) => inner.from + offset);
    case "file":
    case "package-script":
      return [inner.index];
    case "stdin":
      return [];
  }
}

/** The indices of all words that the reading has a place for. */
function placed(reading: Reading): Set<number> {
  return new Set([
    0,
    ...reading.verbs,
    ...reading.options.flatMap(({ index, valueIndices }) => [index, ...valueIndices]),
    ...reading.operands.map(({ index }) => index),
    ...(reading.terminator === undefined ? [] : [reading.terminator]),
    ...reading.inner.flatMap(innerIndices),
  ]);
}

describe("whatever the words are", () => {
  test("each of them has a place in the reading, whole and in order", () => {
    fc.assert(
      fc.property(words, ([name, rest]) => {
        const reading = readInvocation([name, ...rest], findEntry);
        const have = placed(reading);
        const lost = [name, ...rest].filter(
          (word, index) => !have.has(index) && !["(", ")", "!", ",", "--"].includes(String(word)),
        );
        expect(lost).toEqual([]);
        expect(Math.max(...have)).toBeLessThanOrEqual(rest.length);
        const operands = reading.operands.map(({ index }) => index);
        expect(operands).toEqual([...operands].sort((a, b) => a - b));
      }),
      { numRuns: 3000 },
    );
  });

  test("the prefix is made of words that stand there, the program first", () => {
    fc.assert(
      fc.property(words, ([name, rest]) => {
        const { prefix } = readInvocation([name, ...rest], findEntry);
        let at = 0;
        for (const word of prefix) {
          at = [name, ...rest].indexOf(word, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
        expect(prefix[0]).toBe(name);
      }),
      { numRuns: 1000 },
    );
  });

  test("an option more never takes an inner command away from a wrapper that lists its options", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("timeout", "nice", "env", "sudo", "xargs"),
        fc.constantFrom("--zz", "-Z9", "--zz=1"),
        (name, extra) => {
          const tail = name === "timeout" ? ["5", "rm", "x"] : ["rm", "x"];
          const reading = readInvocation([name, extra, ...tail], findEntry);
          expect(reading.inner.map((inner) => inner.kind === "argv" && inner.words)).toEqual([["rm", "x"]]);
          expect(reading.escapes.map(({ escape: deed }) => deed)).toContain("unknown");
        },
      ),
    );
  });
});
