import { describe, expect, test } from "vitest";
import { mergeUser, raiseWords } from "../../src/segment/merge.ts";

describe("a user's entry over a curated one", () => {
  const known = {
    names: ["x"],
    does: ["looks"],
    transparent: true,
    options: { "-e, --exec": "program", "-q": { value: "text", transparent: true }, "-k": 0 },
    verbs: { v: { operands: ["read*"] } },
  } as const;

  test("adds and tightens", () => {
    const user = {
      names: ["y"],
      does: ["writes"],
      runner: true,
      closed: true,
      variables: ["X"],
      options: { "-q": "program", "-n": 1 },
      verbs: { v: { closed: true }, w: {} },
    } as const;
    expect(mergeUser(known, user)).toEqual({
      ...known,
      does: ["looks", "writes"],
      runner: true,
      closed: true,
      variables: ["X"],
      options: { "-e, --exec": "program", "-q": { value: "text", escape: "runs" }, "-k": 0, "-n": 1 },
      verbs: { v: { operands: ["read*"], closed: true }, w: {} },
    });
  });

  test("loosens nothing", () => {
    const user = {
      names: ["x"],
      transparent: "bare",
      moves: "to",
      syntax: "none",
      words: 9,
      options: { "-e": 0, "--ex": 0, "--exec": { value: "program", unless: ["*"] } },
      verbs: { v: { operands: ["text*"], verbs: { w: {} } } },
    } as const;
    expect(mergeUser(known, user)).toEqual(known);
  });
});

test("words are raised for a verb and all below it, and never lowered", () => {
  const spec = { verbs: { a: { words: 3, verbs: { b: {} } }, c: {}, d: "c" } } as const;
  expect(raiseWords(spec, { words: 2 })).toEqual({ words: 2, verbs: spec.verbs });
  expect(raiseWords(spec, { words: 4, verbs: { c: { words: 1 } } })).toEqual({
    words: 4,
    verbs: { a: { words: 4, verbs: { b: { words: 4 } } }, c: { words: 4 }, d: "c" },
  });
  expect(raiseWords(spec, { verbs: { a: { words: 2 } } })).toEqual(spec);
});
