import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileWildcard, matchesWildcard } from "../../../src/policy/index.ts";
import { covers, overlaps } from "../../../src/policy/lint/index.ts";

describe("containment of patterns", () => {
  test.each<[wide: string, narrow: string, covers: boolean]>([
    ["*", "", true],
    ["git *", "git push *", true],
    ["git *", "git", true],
    ["git *", "gitk", false],
    ["git*", "git *", true],
    ["git *", "git*", false],
    ["git * x", "git *", false],
    ["rm ?*", "rm *", false],
    ["rm *", "rm ?*", true],
    ["?*", "*", false],
    ["a*b", "a*c*b", true],
    ["a*c*b", "a*b", false],
    ["*a*", "?a?", true],
    ["a?c", "a*c", false],
    ["a *", "a * *", true],
    ["a * *", "a *", false],
    ["a**", "a*", true],
    ["*ab", "*aab", true],
    ["*aab", "*ab", false],
  ])("`%s` covers `%s`: %s", (wide, narrow, expected) => {
    expect(covers(compileWildcard(wide), compileWildcard(narrow))).toBe(expected);
  });

  const pattern = fc.string({ unit: fc.constantFrom("a", "b", " ", "*", "?"), maxLength: 6 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "c"), maxLength: 7 });

  test("a pattern that covers another matches all that the other matches", () => {
    fc.assert(
      fc.property(pattern, pattern, text, (a, b, subject) => {
        const [wide, narrow] = [compileWildcard(a), compileWildcard(b)];
        if (covers(wide, narrow) && matchesWildcard(narrow, subject)) expect(matchesWildcard(wide, subject)).toBe(true);
        if (matchesWildcard(narrow, subject) && matchesWildcard(wide, subject))
          expect(overlaps(wide, narrow)).toBe(true);
      }),
      { numRuns: 5000, seed: 3 },
    );
  });

  test("one that does not cover another misses one of its short texts", () => {
    const letters = ["", "a", "b", " ", "c"];
    const pairs = letters.flatMap((x) => letters.map((y) => x + y));
    const short = [...new Set(pairs.flatMap((x) => pairs.map((y) => x + y)))];
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", " ", "*", "?"), maxLength: 3 }),
        fc.string({ unit: fc.constantFrom("a", " ", "*", "?"), maxLength: 3 }),
        (a, b) => {
          const [wide, narrow] = [compileWildcard(a), compileWildcard(b)];
          const missed = short.some((each) => matchesWildcard(narrow, each) && !matchesWildcard(wide, each));
          expect({ a, b, covers: covers(wide, narrow) }).toEqual({ a, b, covers: !missed });
        },
      ),
      { numRuns: 1500, seed: 4 },
    );
  });
});
