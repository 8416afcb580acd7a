import { describe, expect, test } from "vitest";
import { judge, policyOf } from "./judge.ts";

describe("what a substitution is sure to print", () => {
  test.each([
    [["allow rm -rf /tmp/?*"], "rm -rf /tmp/x", "allow"],
    [["allow rm -rf /tmp/?*", "allow printf *"], 'rm -rf "$(printf /tmp/x)"', "ask"],
    [["allow rm -rf /tmp/?*", "allow echo *"], "rm -rf $(echo /tmp/x)", "ask"],
    [["allow rm -rf /tmp/?*", "allow printf *"], 'timeout 5 rm -rf "$(printf /tmp/x)"', "ask"],
    [["allow rm -rf /tmp/?*"], "timeout 5 rm -rf /tmp/x", "allow"],
    [["allow git status", "allow echo *"], "git $(echo status)", "ask"],
    [["allow cat *", "allow echo *"], "cat $(echo a.txt)", "allow"],
    [["allow git checkout *", "allow echo *"], "git checkout $(echo main)", "allow"],
  ])("%j: an allow rests on no computed word: `%s` → %s", (lines, text, decision) => {
    expect(judge(text, policyOf(lines)).decision).toBe(decision);
  });

  test.each([
    [["deny git push *", "allow git *"], "git $(echo push) origin"],
    [["deny rm -rf /*", "allow rm *"], "rm -rf $(printf /etc)"],
  ])("%j: a deny sees it: `%s`", (lines, text) => {
    expect(judge(text, policyOf(lines)).decision).toBe("deny");
  });

  test("texts that print the same are judged apart", () => {
    const policy = policyOf(["allow rm -rf /tmp/?*"]);
    const { verdicts } = judge('rm -rf /tmp/x; rm -rf "$(printf /tmp/x)"', policy);
    expect(verdicts.slice(0, 2).map(({ decision }) => decision)).toEqual(["allow", "ask"]);
  });
});
