import { describe, expect, test } from "vitest";
import { readInvocation } from "../../src/segment/read.ts";
import type { CommandSpec, Entry } from "../../src/segment/spec.ts";
import { shownValue } from "../../src/segment/value.ts";

function read(entry: CommandSpec, beneath: CommandSpec, line: string) {
  const layered: Entry = { ...entry, names: ["x"], beneath };
  return readInvocation(line.split(" "), () => layered);
}

function options(entry: CommandSpec, beneath: CommandSpec, line: string): string[] {
  return read(entry, beneath, line).options.map(({ name, values }) => [name, ...values.map(shownValue)].join(" "));
}

const escapes = (entry: CommandSpec, beneath: CommandSpec, line: string) =>
  read(entry, beneath, line).escapes.map(({ escape: deed, name }) => `${deed} ${name}`);

describe("a generated entry beneath a curated one", () => {
  const curated: CommandSpec = {
    options: { "--out": "write", "-q": 0 },
    verbs: { a: { does: ["looks"], options: { "--all": 0 } }, b: "a" },
  };
  const generated: CommandSpec = {
    options: { "-o, --out": 1, "-n, --num": 1, "-q, -s": 1 },
    verbs: { a: { options: { "-a, --all": 0 }, verbs: { c: { words: 4 } } }, b: {}, d: {}, e: "d", f: "a" },
  };

  test("adds options and spellings, and changes nothing that is known", () => {
    expect(options(curated, generated, "x -o f --num 1 -q y -s z")).toEqual(["--out f", "--num 1", "-q", "-q"]);
    expect(read(curated, generated, "x -o f").options[0]?.spellings).toEqual(["-o", "--out"]);
  });

  test.each([
    ["x a -a y", "x a"],
    ["x b c y z", "x b c y"],
    ["x f c y z", "x f c y"],
    ["x e y", "x e"],
    ["x g y", "x"],
  ])("adds verbs: %s", (line, prefix) => expect(read(curated, generated, line).prefix.join(" ")).toBe(prefix));

  test("gives no fact to a verb that is known, beside its options and verbs", () => {
    const reading = read(curated, generated, "x b -a");
    expect([reading.does, reading.options.map(({ name }) => name)]).toEqual([["looks"], ["--all"]]);
  });

  test("adds no option where all are listed, but its spellings", () => {
    expect(escapes({ closed: true, options: { "--out": 0 } }, generated, "x -o -n 1")).toEqual(["unknown -n"]);
    expect(escapes({ operands: ["command"] }, generated, "x -n 1 rm")).toEqual(["unknown -n"]);
    expect(escapes({ verbs: { v: { closed: true } } }, generated, "x v --num")).toEqual(["unknown --num"]);
    expect(escapes({ verbs: { v: { closed: true } } }, generated, "x --num 1 v")).toEqual([]);
  });

  test("says nothing of words that the curated one calls operands", () => {
    const reading = read({ operands: ["edit*"] }, { words: 3, operands: ["command"], verbs: { rm: {} } }, "x rm y");
    expect([reading.prefix, reading.inner, reading.files.map(({ path }) => path)]).toEqual([["x"], [], ["rm", "y"]]);
  });

  test("never hides a word that may be an option", () => {
    const beneath: CommandSpec = { options: { "-f, --file": 1, "-e": "code" }, operands: ["command"] };
    expect(options({}, beneath, "x --file --force")).toEqual(["--file", "--force"]);
    expect(options({}, beneath, "x -f - -e 1")).toEqual(["--file -", "-e 1"]);
    expect(options({}, beneath, "x -fe")).toEqual(["--file e", "-fe"]);
    expect(options({}, beneath, "x cmd --force=1 -e")).toEqual(["--force", "-e"]);
    expect(options({}, { verbs: { v: beneath } }, "x v cmd --force=1 -f")).toEqual(["--force", "--file"]);
  });
});
