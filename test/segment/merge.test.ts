import { describe, expect, test } from "vitest";
import { markUnsure, mergeGenerated, mergeUser, raiseWords } from "../../src/segment/merge.ts";

describe("a generated entry under a curated one", () => {
  test("adds options, spellings and verbs", () => {
    const merged = mergeGenerated(
      {
        names: ["x", "y"],
        does: ["looks"],
        options: { "--out": "write" },
        verbs: { a: { options: { "-q": 0 } }, b: "a" },
      },
      {
        names: ["x"],
        words: 2,
        options: { "-o, --out": 1, "-n, --num": 1 },
        verbs: { a: { options: { "-q, --quiet": 0 }, verbs: { c: {} } }, b: {}, d: {}, e: "d" },
      },
    );
    expect(merged).toEqual({
      names: ["x", "y"],
      does: ["looks"],
      words: 2,
      options: { "-o, --out": "write", "-n, --num": 1 },
      verbs: { a: { options: { "--quiet, -q": 0 }, verbs: { c: {} } }, b: "a", d: {}, e: "d" },
    });
  });

  test("adds no option where all are listed, and none above such a verb", () => {
    const generated = { names: ["x"] as const, options: { "-a": 0 } as const };
    const closed = { names: ["x"], closed: true } as const;
    expect(mergeGenerated(closed, generated)).toEqual({ ...closed, options: {} });
    const above = { names: ["x"], verbs: { v: { closed: true } } } as const;
    expect(mergeGenerated(above, generated)).toEqual({ ...above, options: {} });
    const wrapper = { names: ["x"], operands: ["command"] } as const;
    expect(mergeGenerated(wrapper, generated)).toEqual({ ...wrapper, options: {} });
  });

  test("says nothing of words that the curated one calls operands", () => {
    const curated = { names: ["x"], operands: ["edit*"] } as const;
    expect(mergeGenerated(curated, { names: ["x"], words: 3, operands: ["command"], verbs: { rm: {} } })).toEqual(
      curated,
    );
  });

  test("is marked as unsure where it could hide an option", () => {
    expect(
      markUnsure({
        names: ["x"],
        options: { "-a": 0, "-b": 1 },
        verbs: { v: { operands: ["text", "command"] }, w: "v" },
      }),
    ).toEqual({
      names: ["x"],
      options: { "-a": 0, "-b": { value: ["text"], unsure: true } },
      verbs: { v: { operands: ["text", { role: "command", unsure: true }] }, w: "v" },
    });
  });
});

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
