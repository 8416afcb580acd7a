import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { describedNames, entryLayers, findEntry } from "../../src/segment/dictionary.ts";

const root = resolve(import.meta.dirname, "../..");
const { indexText } = await import(join(root, "scripts/arity-index.mjs"));

test("index.txt is what `npm run arity:index` writes", () => {
  expect(readFileSync(join(root, "arity/index.txt"), "utf8")).toBe(indexText());
});

test("every name in the index has an entry", () => {
  expect(describedNames().filter((name) => findEntry(name)?.names === undefined)).toEqual([]);
});

test("a name that nobody described has none", () => {
  const names = ["no-such-program", "", "toString", "__proto__", "constructor", "../index", "curated/git"];
  expect(names.map((name) => [findEntry(name), entryLayers(name)])).toEqual(names.map(() => [undefined, []]));
});
