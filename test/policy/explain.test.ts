import { describe, expect, test } from "vitest";
import { nearMisses } from "../../src/policy/index.ts";
import { policyOf, segmentsIn } from "./judge.ts";

describe("near misses", () => {
  test.each([
    ["git push origin", ["allow git pull *", "allow ls *"], ["git pull *: it wants `pull` where `push` stands"]],
    ["git push origin", ["allow git push"], ["git push: it ends before `origin`; a pattern without `*` is exact"]],
    ["git push", ["deny git push * [--force]"], ["git push *: none of --force is given"]],
    ["rm $x", ["deny rm -rf *"], ["rm -rf *: it depends on a value that is not known yet"]],
    [
      "rm -fr x",
      ["allow rm -rf *"],
      [
        "rm -rf *: an allow does not look through the program's path, options in front of the verb, or the order of options",
      ],
    ],
    ["git status", ["allow git status origin"], ["git status origin: it wants `origin` as well"]],
    [
      "git a b",
      ["deny git x", "deny git a c", "allow git a b d"],
      [
        "git a b d: it wants `d` as well",
        "git a c: it wants `c` where `b` stands",
        "git x: it wants `x` where `a` stands",
      ],
    ],
    ["ls", ["allow ls"], []],
  ])("%s under %j", (text, rules, expected) => {
    const [segment] = segmentsIn(text).segments;
    const misses = segment === undefined ? [] : nearMisses(segment, policyOf(rules));
    expect(misses.map(({ rule, why }) => `${rule.pattern}: ${why}`)).toEqual(expected);
  });
});
