import { describe, expect, test } from "vitest";
import { askBash } from "./ask.ts";
import { buildReveal } from "./build.ts";
import { corpusOf } from "./corpus.ts";
import { record, recordedLines } from "./fixtures.ts";
import { differences } from "./report.ts";

// Answers of bash 5.2 that need no compiler. ORACLE_RECORD=1 writes them anew, with the bash of this machine.
const builtin = buildReveal();
if (process.env.ORACLE_RECORD === "1" && builtin.kind === "built") {
  const lines = corpusOf({ seed: 1, perFamily: 220, mutated: 3000 });
  record(
    lines,
    await askBash(
      lines.map(({ text }) => text),
      builtin.path,
    ),
  );
}

describe("our reading of the recorded lines and bash's own", () => {
  const recorded = recordedLines();
  const found = differences(
    recorded.map(({ line }) => line),
    recorded.map(({ answer }) => answer),
  );

  test("there are enough of them", () => {
    expect(recorded.length).toBeGreaterThan(2000);
  });

  test.each(["missed", "misread"] as const)("nothing is %s", (kind) => {
    expect(found.filter((each) => each.kind === kind)).toEqual([]);
  });

  test.each(["extra", "accepted"] as const)("little is %s", (kind) => {
    expect(found.filter((each) => each.kind === kind).length).toBeLessThan(recorded.length * 0.01);
  });

  // Denser than the live corpus: here every other line is written to be read wrongly.
  test("few valid texts are refused", () => {
    const valid = recorded.filter(({ answer }) => answer.valid).length;
    expect(found.filter(({ kind }) => kind === "refused").length).toBeLessThan(valid * 0.05);
  });
});
