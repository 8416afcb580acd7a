import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LINT_CODES } from "../../../src/policy/lint/index.ts";

test("docs/lint.md has a row for every code, with its severity and meaning", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/lint.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (\w+) \| [^|]*\| ([^|]+) \|/gm)].map(
    ([, code, severity, means]) => ({
      code,
      severity,
      means,
    }),
  );
  expect(rows).toEqual(Object.entries(LINT_CODES).map(([code, { severity, means }]) => ({ code, severity, means })));
});
