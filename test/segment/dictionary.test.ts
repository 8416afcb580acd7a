import { describe, expect, test } from "vitest";
import { describedNames, entryLayers, findEntry } from "../../src/segment/dictionary.ts";
import { readInvocation } from "../../src/segment/read.ts";
import type { Entry } from "../../src/segment/spec.ts";

describe("findEntry", () => {
  test("finds a program by any of its names, and the same entry each time", () => {
    expect(findEntry("git")?.names).toContain("git");
    expect(findEntry("git")).toBe(findEntry("git"));
    const [first, second] = findEntry("python3")?.names ?? [];
    expect([first, second].every((name) => name !== undefined && findEntry(name) !== undefined)).toBe(true);
  });

  test("merges the layers, each of which can be seen as written", () => {
    const layers = entryLayers("git");
    expect(layers.map(({ kind, file }) => [kind, file])).toEqual([
      ["curated", "curated/git.json"],
      ["generated", "generated/git.json"],
    ]);
    const [curated, generated] = layers.map(({ entry }) => entry);
    expect(findEntry("git")).toEqual({ ...curated, beneath: generated });
  });

  test("knows hundreds of names, and their order", () => {
    const names = describedNames();
    expect(names.length).toBeGreaterThan(700);
    expect(names).toEqual([...names].sort());
  });

  test("puts a user's entry on top, only for those who give it", () => {
    const mine: Entry = { names: ["mine"], words: 2 };
    const more: Entry = { names: ["git"], verbs: { mine: {} } };
    const extra = new Map([
      ["mine", mine],
      ["git", more],
    ]);
    expect(findEntry("mine", extra)).toBe(mine);
    expect(findEntry("mine")).toBeUndefined();
    expect(findEntry("mine", new Map())).toBeUndefined();
    expect(findEntry("git", extra)?.verbs).toHaveProperty("mine");
    expect(findEntry("git", extra)).toBe(findEntry("git", extra));
    expect(findEntry("git")?.verbs).not.toHaveProperty("mine");
  });
});

test("a program given by a path is read as its name", () => {
  const reading = readInvocation(["/usr/bin/git", "push"], findEntry);
  expect([reading.prefix, reading.entry?.names[0]]).toEqual([["/usr/bin/git", "push"], "git"]);
});

test("reading never throws, whatever the words are", () => {
  const odd = [
    "",
    "-",
    "--",
    "---",
    "-=",
    "--=",
    "=",
    "+",
    "-\u0000",
    "__proto__",
    "--constructor",
    "-é",
    "💥",
    ";",
    "{}",
  ];
  for (const name of describedNames()) {
    for (const word of odd) readInvocation([name, word, "x", word, word], findEntry);
  }
});
