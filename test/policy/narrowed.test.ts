import { describe, expect, test } from "vitest";
import { checkExamples } from "../../src/policy/examples.ts";
import { parseCases } from "../../src/policy/index.ts";
import { DiagnosticError, summarizeDiagnostic } from "../../src/text/index.ts";
import { CWD, ENV, HOME, judge, policyOfToml } from "./judge.ts";

function examplesOf(text: string): void {
  for (const document of policyOfToml(text).documents) checkExamples(document, { cwd: CWD, home: HOME, env: ENV });
}

const rule = (...lines: readonly string[]) => `[[permissions.rule]]\ntool = "bash"\n${lines.join("\n")}\n`;
const policy = (...rules: readonly string[]) => `[permissions]\ndefault_action = "allow"\n${rules.join("")}`;
const decide = (line: string, text: string) => judge(line, policyOfToml(text)).decision;

function faultsIn(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics.map(summarizeDiagnostic);
    throw error;
  }
}

describe("a deny or ask about what is done sees what options and operands add", () => {
  const text = policy(
    rule('does = ["deletes"]', 'action = "deny"'),
    rule('does = ["writes"]', 'action = "ask"'),
    rule('does = ["runs"]', 'action = "ask"'),
  );

  test.each([
    ["find sub -delete", "deny"],
    ["rm x", "deny"],
    ["sed -i s/a/b/ x", "ask"],
    ["sort -o x y", "ask"],
    ["curl -o x https://example.com", "ask"],
    ["find sub -fprint x", "ask"],
    [`awk '{print > "x"}' y`, "ask"],
    ["sort --compress-program=x y", "ask"],
    ["rg --pre x y", "ask"],
    ["find sub -name x", "allow"],
    ["sed s/a/b/ x", "allow"],
    ["sort x", "allow"],
  ])("%s: %s", (line, decision) => expect(decide(line, text)).toBe(decision));
});

describe("a flag of a program that nobody described", () => {
  const text = policy(rule('pattern = "mytool *"', 'flags = ["-f", "--force"]', 'action = "deny"'));

  test.each([
    ["mytool -f a", "deny"],
    ["mytool --force a", "deny"],
    ["mytool -xf a", "ask"],
    ["mytool -fx a", "ask"],
    ["mytool --forc a", "ask"],
    ["mytool -x a", "allow"],
    ["mytool a -- -f", "allow"],
  ])("%s: %s", (line, decision) => expect(decide(line, text)).toBe(decision));
});

describe("words that are known are no options that nobody sees", () => {
  const text = policy(rule('pattern = "rm *"', 'flags = ["-r"]', 'action = "deny"'));

  test.each([
    ['for i in a b; do rm "$i"; done', "allow"],
    ["for i in a b; do rm $i; done", "allow"],
    ['for i in a -r; do rm "$i" x; done', "deny"],
    ['for i in "a -r"; do rm $i; done', "deny"],
    ['for i in "" a; do rm $i$x; done', "ask"],
    ['rm "$x"', "ask"],
  ])("%s: %s", (line, decision) => expect(decide(line, text)).toBe(decision));
});

test("an empty list narrows nothing: the rule has no pattern", () => {
  for (const list of ["flags = []", "does = []"])
    expect(faultsIn(() => policyOfToml(policy(rule(list, 'action = "allow"'))))).toEqual([
      "policy.toml:3:1: missing-field: a rule needs `pattern`",
    ]);
});

test("an example that bash cannot read is an error", () => {
  const text = policy(rule('pattern = "git *"', 'action = "deny"', 'match = ["git ( x"]'));
  expect(faultsIn(() => examplesOf(text))).toEqual([
    expect.stringContaining("example-failed: `git ( x` is no command line"),
  ]);
});

test("a failed example names the options of its rule", () => {
  const text = policy(rule('pattern = "git push *"', 'flags = ["-f"]', 'action = "deny"', 'match = ["git push x"]'));
  expect(faultsIn(() => examplesOf(text))).toEqual([
    "policy.toml:8:10: example-failed: `git push *` with -f does not match `git push x`",
  ]);
});

test("a case that expects no decision is an error", () => {
  const text = '{"command": "id", "decision": []}';
  expect(faultsIn(() => parseCases({ name: "c.jsonl", text }))).toEqual([
    "c.jsonl:1:1: wrong-type: `decision` is allow, ask or deny, or a list of those that will do",
  ]);
});
