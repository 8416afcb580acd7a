import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { ReasonKind } from "../../src/policy/reason.ts";
import { DIAGNOSTIC_CODES } from "../../src/text/index.ts";

const docs = resolve(import.meta.dirname, "../../docs");

/** The first cells of a page's rows, and how many cells of each row are filled. */
function rowsOf(page: string): ReadonlyMap<string, number> {
  const rows = [...readFileSync(resolve(docs, page), "utf8").matchAll(/^\| `([a-z-]+)` \|(.*)\|$/gm)];
  return new Map(
    rows.map(([, code = "", rest = ""]) => [code, rest.split(" | ").filter((cell) => cell.trim() !== "").length]),
  );
}

// The compiler keeps it complete.
const KINDS: Readonly<Record<ReasonKind, true>> = {
  rule: true,
  "possible-deny": true,
  "possible-ask": true,
  "buried-deny": true,
  "unseen-writes": true,
  finding: true,
  escape: true,
  default: true,
  transparent: true,
  assignment: true,
  inert: true,
  covered: true,
  function: true,
  protection: true,
  off: true,
  nothing: true,
};

test("docs/errors.md has a row for every code, with its meaning and its remedy", () => {
  const rows = rowsOf("errors.md");
  expect([...rows.keys()].sort()).toEqual(Object.keys(DIAGNOSTIC_CODES).sort());
  expect([...rows].filter(([, cells]) => cells !== 2)).toEqual([]);
});

test("docs/reasons.md has a row for every kind of reason", () => {
  const rows = rowsOf("reasons.md");
  expect([...rows.keys()].sort()).toEqual(Object.keys(KINDS).sort());
  expect([...rows].filter(([, cells]) => cells < 2)).toEqual([]);
});
