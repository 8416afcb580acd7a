// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for bash
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { answerOf, type BashWord, isComputed } from "./answer.ts";
import { askBash } from "./ask.ts";
import { buildReveal } from "./build.ts";
import { compare, type OurReading } from "./compare.ts";
import { corpusOf } from "./corpus.ts";
import { drawFrom, mutated } from "./mutate.ts";
import { shrink } from "./shrink.ts";
import { WRITTEN } from "./written.ts";

// The oracle is what all else is measured with, so it is measured too.
const builtin = buildReveal();

if (builtin.kind === "missing") test.skip(`bash itself was not asked: ${builtin.why}`, () => {});
else
  describe("the answers of bash", () => {
    const computed = (raw: string): BashWord => ({ computed: raw });
    test.each<[string, BashWord[][]]>([
      ["aa 'p q' \"r\" \\s $'\\x41'", [["aa", "p q", "r", "s", "A"]]],
      ["aa <(zz)", [["aa", computed("<(zz)")], ["zz"]]],
      ["x=1 aa; y=$(zz)", [["aa"], ["zz"]]],
      ["aa ${x:-$(bb)}${x:+$(cc)}", [["aa", computed("${x:-$(bb)}${x:+$(cc)}")], ["bb"], ["cc"]]],
      ["(( '$(zz)' ))", [["zz"]]],
      ["f() { aa; } >$(bb)", [["bb"], ["aa"]]],
      ["aa <<E\n$(bb '$(cc)')\nE", [["aa"], ["bb", "$(cc)"]]],
      ["aa $(zz){p,q}", [["aa", computed("$(zz){p,q}")], ["zz"]]],
      ["a[$(bb)]=1 cc", [["cc"], ["bb"]]],
      ["aa `bb \\`cc\\``", [["aa", computed("`bb \\`cc\\``")], ["bb", computed("`cc`")], ["cc"]]],
    ])("%j", async (text, commands) => {
      const [answer] = await askBash([text], builtin.path);
      const sorted = (all: readonly (readonly BashWord[])[] = []) => all.map((words) => JSON.stringify(words)).sort();
      expect(sorted(answer?.commands)).toEqual(sorted(commands));
    });

    test("nothing is run and nothing is opened", async () => {
      const [answer] = await askBash(["echo x > /tmp/guarded-sh-oracle-ran; kill -9 $$ $PPID"], builtin.path);
      expect(answer?.commands).toHaveLength(2);
      expect(spawnSync("ls", ["/tmp/guarded-sh-oracle-ran"]).status).not.toBe(0);
    });

    test("it is valid what bash -n takes, but for errors inside [[ ]]", async () => {
      const texts = WRITTEN.filter((_, i) => i % 5 === 0).filter((text) => !text.includes("[["));
      const answers = await askBash(texts, builtin.path);
      const taken = texts.map(
        (text) => spawnSync("/bin/bash", ["-n", "-c", "--", text], { env: { LC_ALL: "C.UTF-8" } }).status === 0,
      );
      expect(texts.filter((_, i) => answers[i]?.valid !== taken[i])).toEqual([]);
    });
  });

describe("the comparison", () => {
  const reading = (...commands: string[][]): OurReading => ({
    findings: [],
    effects: [],
    segments: commands.map((argv) => ({ argv, origin: "text", redirects: [] })) as unknown as OurReading["segments"],
  });
  const answer = (...commands: BashWord[][]) => ({ valid: true, complete: true, commands, redirects: [] });

  test("finds what is missed, misread and extra", () => {
    expect(compare(answer(["aa"], ["zz"]), reading(["aa"]))).toEqual({ kind: "missed", what: ['["zz"]'] });
    expect(compare(answer(["aa", "p"]), reading(["aa"]))).toEqual({ kind: "misread", what: ['["aa","p"]', '["aa"]'] });
    expect(compare(answer(["aa"]), reading(["aa"], ["zz"]))).toEqual({ kind: "extra", what: ['["zz"]'] });
  });

  test("takes a computed word by its place", () => {
    expect(compare(answer(["aa", { computed: "$x" }]), reading(["aa", "anything"]))).toBeUndefined();
    expect(compare(answer(["aa", { computed: "$x" }]), reading(["aa"]))?.kind).toBe("misread");
    expect(
      compare(answer(["aa", { computed: "$x" }], ["aa", "q"]), reading(["aa", "q"], ["aa", "$x"])),
    ).toBeUndefined();
  });

  test("counts equal commands", () => {
    expect(compare(answer(["aa"], ["aa"]), reading(["aa"]))).toEqual({ kind: "missed", what: ['["aa"]'] });
  });
});

describe("the parts of the oracle", () => {
  test.each([
    ["p", false],
    ["'$x'", false],
    ['"p\'q"', false],
    ['"$x"', true],
    ["\\$x", false],
    ["$", false],
    ["p$", false],
    ['"$"', false],
    ["`zz`", true],
    ["'`zz`'", false],
    ["p<(zz)", true],
    ['"<(zz)"', false],
    ["''$x", true],
    ['"\\$x"', false],
  ])("%s is computed: %s", (raw, expected) => {
    expect(isComputed(raw)).toBe(expected);
  });

  test("what two tries of a word found is there once", () => {
    const entry = (at: string, ...words: string[]) => ({
      at,
      words: words.map((word) => [word, word] as const),
      redirects: [],
    });
    const found = [
      entry("", "aa"),
      entry("/0.0", "bb"),
      entry("/0.1", "bb"),
      entry("/0.1/1.0", "cc"),
      entry("/2.0", "bb"),
    ];
    expect(answerOf({ valid: true, failed: false, end: "all", found }).commands).toEqual([
      ["aa"],
      ["bb"],
      ["bb"],
      ["cc"],
    ]);
  });

  test("the same seed makes the same corpus", () => {
    const size = { seed: 3, perFamily: 5, mutated: 50 };
    expect(corpusOf(size)).toEqual(corpusOf(size));
    expect(mutated("aa bb", ["cc"], drawFrom(1))).toBe(mutated("aa bb", ["cc"], drawFrom(1)));
  });

  test("a text is made as short as what it shows allows", async () => {
    expect(await shrink("aa $(bb; zz p) | cc", async (texts) => texts.map((text) => text.includes("zz")))).toBe("zz");
  });
});
