import { expect, test } from "vitest";
import { judge, policyOfToml } from "./judge.ts";

const rule = (tool: string, pattern: string, action: string, certain: boolean) => `
[[permissions.rule]]
tool = "${tool}"
pattern = "${pattern}"
action = "${action}"
certain = ${certain}
`;
const policy = (...rules: readonly string[]) =>
  policyOfToml(`[permissions]\ndefault_action = "allow"\n${rules.join("")}`);

test.each([
  ["cat ~/.ssh/id", "ask", "ask"],
  ['cat "$F"', "allow", "ask"],
  ["ls | xargs cat", "allow", "ask"],
  ["for f in a ~/.ssh/id; do cat $f; done", "ask", "ask"],
  ["cat ~/.ssh/*", "ask", "ask"],
])("%s: a rule that is certain says %s, another %s", (line, certain, usual) => {
  const decide = (only: boolean) => judge(line, policy(rule("file_read", "~/.ssh/**", "ask", only))).decision;
  expect([decide(true), decide(false)]).toEqual([certain, usual]);
});

test("a deny that is certain leaves an unknown value to the rules behind it", () => {
  const rules = [rule("bash", "rm -r *", "deny", true), rule("bash", "rm *", "ask", false)];
  expect(judge("rm -rf x", policy(...rules)).decision).toBe("deny");
  expect(judge('rm "$X"', policy(...rules)).decision).toBe("ask");
  expect(judge('rm "$X"', policy(rules[0] ?? "")).decision).toBe("allow");
});

test("a value that is no truth value is an error", () => {
  expect(() =>
    policyOfToml(
      '[permissions]\ndefault_action = "ask"\n[[permissions.rule]]\ntool = "bash"\npattern = "x"\naction = "ask"\ncertain = "yes"\n',
    ),
  ).toThrow("policy.toml:7:11: wrong-type: `certain` is true or false");
});
