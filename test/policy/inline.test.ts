import { describe, expect, test } from "vitest";
import { parseInline, rulesOf } from "../../src/policy/index.ts";
import { DiagnosticError, summarizeDiagnostic } from "../../src/text/index.ts";
import { ENV, HOME, policyOf } from "./judge.ts";

function faultsIn(policy: unknown): string[] {
  try {
    parseInline(policy, { home: HOME, env: ENV, windows: false });
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(summarizeDiagnostic);
  }
}

const rule = { tool: "bash", pattern: "rm *", action: "deny" };

describe("the policy of a request", () => {
  test.each([
    [{ default_action: "ask", rules: [rule] }, []],
    [
      { order: "last-match", default_action: "ask", rules: [{ ...rule, flags: ["-f"], reason: "x", suggest: "ls" }] },
      [],
    ],
    [{ rules: [rule] }, ["policy of the request:1:1: missing-field: `policy` needs `default_action`"]],
    [{ default_action: "no" }, ["policy of the request:1:1: unknown-decision: `no` is not a decision"]],
    [{ default_action: "ask", rules: {} }, ["policy of the request:1:1: wrong-type: `rules` is a list"]],
    [{ default_action: "ask", order: "any" }, ["policy of the request:1:1: unknown-field: `any` is not an order"]],
    [{ default_action: "ask", rulez: [] }, ["policy of the request:1:1: unknown-field: `rulez` is not a field here"]],
    [
      { default_action: "ask", rules: [rule, { ...rule, action: "allways" }] },
      ["policy of the request:2:1: unknown-decision: `allways` is not a decision"],
    ],
    [
      { default_action: "ask", rules: [{ ...rule, flags: [1] }] },
      ["policy of the request:1:1: wrong-type: `flags` is a list of strings"],
    ],
    ["x", ["policy of the request:1:1: wrong-type: `policy` is an object"]],
  ])("%j", (policy, faults) => {
    expect(faultsIn(policy)).toEqual(faults);
  });

  test("lists its rules in the order they are written", () => {
    const rules = rulesOf(policyOf(["deny rm *", "allow *"])).map((entry) => `${entry.rule.id} ${entry.rule.pattern}`);
    expect(rules).toEqual(["policy of the request#1 rm *", "policy of the request#2 *"]);
  });
});
