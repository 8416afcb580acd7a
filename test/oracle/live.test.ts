import { beforeAll, describe, expect, test } from "vitest";
import type { BashAnswer } from "./answer.ts";
import { askBash } from "./ask.ts";
import { buildReveal } from "./build.ts";
import { compare } from "./compare.ts";
import { corpusOf } from "./corpus.ts";
import { differences, type Found, figures, ourReading } from "./report.ts";
import { shrink } from "./shrink.ts";

// The whole corpus, answered by the bash of this machine. ORACLE_SEED and ORACLE_FACTOR ask for others and more.
const seed = Number(process.env.ORACLE_SEED ?? 1);
const factor = Number(process.env.ORACLE_FACTOR ?? 1);
const builtin = buildReveal();

if (builtin.kind === "missing") test.skip(`bash itself was not asked: ${builtin.why}`, () => {});
else
  describe("our reading of the corpus and bash's own", () => {
    const lines = corpusOf({ seed, perFamily: 220 * factor, mutated: 3000 * factor });
    let answers: BashAnswer[] = [];
    let found: Found[] = [];

    beforeAll(async () => {
      answers = await askBash(
        lines.map(({ text }) => text),
        builtin.path,
      );
      found = differences(lines, answers);
      console.info(figures(lines, answers, found));
    }, 600_000);

    test("the corpus is large, and bash has much to say of it", () => {
      expect(lines.length).toBeGreaterThan(10_000);
      expect(answers.filter(({ valid, complete }) => valid && complete).length).toBeGreaterThan(lines.length / 2);
    });

    // What only we have, or only we accept, makes an answer stricter or is never run: few are no fault.
    test.each(["extra", "accepted"] as const)("little is %s", (kind) => {
      expect(found.filter((each) => each.kind === kind).length).toBeLessThan(lines.length * 0.01);
    });

    test.each(["missed", "misread"] as const)("nothing is %s", async (kind) => {
      expect(await shortest(found.filter((each) => each.kind === kind))).toEqual([]);
    });

    test("few valid texts are refused", () => {
      const valid = answers.filter((answer) => answer.valid).length;
      expect(found.filter(({ kind }) => kind === "refused").length).toBeLessThan(valid * 0.03);
    });

    /** The first of the found texts, made short, so that the report shows what they are about. */
    async function shortest(some: readonly Found[]): Promise<unknown[]> {
      const shown: unknown[] = [];
      for (const { text, kind } of some.slice(0, 8)) {
        const short = await shrink(text, async (texts) => {
          const again = await askBash(texts, builtinPath());
          return texts.map((each, i) => compare(again[i]!, ourReading(each))?.kind === kind);
        });
        shown.push({ text: short, ...compare((await askBash([short], builtinPath()))[0]!, ourReading(short)) });
      }
      return some.length > shown.length ? [...shown, `and ${some.length - shown.length} more`] : shown;
    }

    function builtinPath(): string {
      return builtin.kind === "built" ? builtin.path : "";
    }
  });
