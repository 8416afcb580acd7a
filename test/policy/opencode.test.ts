import { describe, expect, test } from "vitest";
import {
  disabledTools,
  evaluatePermission,
  type PermissionRule,
  type Policy,
  parseOpenCode,
} from "../../src/policy/index.ts";
import { DiagnosticError, summarizeDiagnostic } from "../../src/text/index.ts";
import { ENV, HOME } from "./judge.ts";

const setting = { layer: "given", trusted: true, home: HOME, env: ENV, windows: false } as const;

function parse(text: string): Policy {
  return { documents: [parseOpenCode({ name: "opencode.json", text }, setting).document] };
}

const rulesIn = (config: unknown): string[] =>
  parse(typeof config === "string" ? config : JSON.stringify(config)).documents[0]?.rules.map(
    ({ tool, pattern, decision }) => `${tool} ${pattern} ${decision}`,
  ) ?? [];

function faultsIn(text: string): string[] {
  try {
    parse(text);
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(summarizeDiagnostic);
  }
}

/** `*:* allow, bash:rm* deny`: permission, pattern, action. */
function ruleset(text: string): PermissionRule[] {
  return text
    .split(", ")
    .filter(Boolean)
    .map((rule) => {
      const [permission = "", rest = ""] = rule.split(/:(.*)/s);
      const space = rest.lastIndexOf(" ");
      return { permission, pattern: rest.slice(0, space), action: rest.slice(space + 1) as PermissionRule["action"] };
    });
}

describe("the plain evaluation", () => {
  test.each([
    // permission, pattern, rules, action
    ["bash", "rm", "bash:rm deny", "deny"],
    ["bash", "rm", "bash:* allow", "allow"],
    ["bash", "rm", "bash:* allow, bash:rm deny", "deny"],
    ["bash", "rm", "bash:rm deny, bash:* allow", "allow"],
    ["bash", "/bin/rm", "bash:* allow, bash:/bin/rm deny", "deny"],
    ["bash", "/bin/rm", "bash:/bin/rm deny, bash:* allow", "allow"],
    ["bash", "rm", "", "ask"],
    ["bash", "rm foo", "bash:* deny, bash:git * allow", "deny"],
    ["bash", "git status", "bash:* deny, bash:git * allow", "allow"],
    ["edit", "foo.ts", "*:* ask, bash:* allow, edit:* deny", "deny"],
    ["read", "foo.ts", "*:* ask, bash:* allow, edit:* deny", "ask"],
    ["bash", "rm", "*:* deny", "deny"],
    ["bash", "rm", "*:rm deny", "deny"],
    ["mcp_server_tool", "x", "mcp_*:* allow", "allow"],
    ["mcp_bad", "x", "*:* ask, mcp_*:* allow, mcp_bad:* deny", "deny"],
    ["github.create_issue", "x", "github.*:* allow", "allow"],
    ["unknown", "x", "bash:* allow", "ask"],
    ["task", "slow-one", "task:slow-* deny, task:slow-two allow", "deny"],
    ["task", "slow-two", "task:slow-* deny, task:slow-two allow", "allow"],
    ["edit", "src/a/b.ts", "edit:src/** allow", "allow"],
    ["bash", "C:\\x\\y", "bash:C:/x/* allow", "allow"],
    ["bash", "C:/x/y", "bash:C:\\x\\* allow", "allow"],
    ["bash", "ls -la\nx", "bash:ls * allow", "allow"],
  ] as const)("%s %s under `%s` is %s", (permission, pattern, rules, action) => {
    expect(evaluatePermission(permission, pattern, ruleset(rules)).action).toBe(action);
  });

  test("answers with the rule that decided, sets joined in order", () => {
    const rules = [ruleset("bash:* allow"), ruleset("bash:rm deny")];
    expect(evaluatePermission("bash", "rm", ...rules)).toEqual({ permission: "bash", pattern: "rm", action: "deny" });
    expect(evaluatePermission("read", "x", ...rules)).toEqual({ permission: "read", pattern: "*", action: "ask" });
  });
});

describe("a configuration", () => {
  test.each([
    ["one word", "deny", ["* * deny"]],
    ["a tool and a word", { bash: "allow", edit: "deny" }, ["bash * allow", "edit * deny"]],
    [
      "a tool and patterns, in file order",
      '{"bash":{"*":"ask","git *":"allow","10":"deny","2":"ask"}}',
      ["bash * ask", "bash git * allow", "bash 10 deny", "bash 2 ask"],
    ],
    [
      "a list",
      [
        { permission: "edit", pattern: "src/**", action: "allow" },
        { permission: "bash", pattern: "*", action: "ask" },
      ],
      ["edit src/** allow", "bash * ask"],
    ],
    [
      "inside a whole file",
      { $schema: "x", model: "y", permission: { "*": "ask", bash: "allow" } },
      ["* * ask", "bash * allow"],
    ],
    ["one word inside a whole file", { permission: "allow" }, ["* * allow"]],
    ["with comments and trailing commas", '{ // x\n "bash": { "*": "ask", /* y */ }, }', ["bash * ask"]],
  ])("may be %s", (_, config, rules) => {
    expect(rulesIn(typeof config === "string" && !config.startsWith("{") ? JSON.stringify(config) : config)).toEqual(
      rules,
    );
  });

  test("is last match, asks by default, and is off when a file says nothing of permissions", () => {
    expect(parse('{"bash":"allow"}').documents[0]).toMatchObject({ order: "last-match", otherwise: "ask", off: false });
    expect(parse('{"$schema":"x"}').documents[0]).toMatchObject({ off: true });
  });

  test.each([
    ["~/projects/*", "/home/u/projects/*"],
    ["$HOME/projects/*", "/home/u/projects/*"],
    ["$" + "{HOME}/x", "/home/u/x"],
    ["~", "/home/u"],
    ["/some/~/path", "/some/~/path"],
    ["touch ~/a/*", "touch /home/u/a/*"],
    ["a~b", "a~b"],
    ["$" + "{UNSET}/x", "$" + "{UNSET}/x"],
  ])("expands %s to %s", (pattern, expanded) => {
    const rule = parse(JSON.stringify({ external_directory: { [pattern]: "allow" } })).documents[0]?.rules[0];
    expect(rule?.path?.glob).toBe(expanded);
  });

  test.each([
    ['{"bash": "alow"}', ["opencode.json:1:10: unknown-decision: `alow` is not a decision"]],
    ['{"bash": {"rm *": 1}}', ["opencode.json:1:19: wrong-type: a decision is a string"]],
    [
      '[{"permission": "a", "patern": "b", "action": "deny"}]',
      [
        "opencode.json:1:2: missing-field: a rule needs `pattern`",
        "opencode.json:1:22: unknown-field: `patern` is not a field of a rule",
      ],
    ],
    ...["permisson", "permissions", "Permision"].flatMap((word) =>
      [
        `{"${word}": {"bash": "deny"}}`,
        `{"bash": "allow", "${word}": {"bash": "deny"}}`,
        `{"$schema": "x", "${word}": {"bash": "deny"}}`,
      ].map((text): [string, string[]] => [
        text,
        [`opencode.json:1:${text.indexOf(word)}: unknown-field: \`${word}\` is not a field of a configuration`],
      ]),
    ),
    ["3", ["opencode.json:1:1: wrong-type: `permission` is a word, an object or a list"]],
    [
      '{"bash": ',
      ["opencode.json:1:10: json-syntax: value expected", "opencode.json:1:10: json-syntax: close brace expected"],
    ],
    ['{"bash": {"": "deny"}}', ["opencode.json:1:11: bad-pattern: an empty `pattern` matches nothing"]],
  ])("%s is refused", (text, faults) => {
    expect(faultsIn(text)).toEqual(faults);
  });
});

describe("a tool that is denied as a whole", () => {
  const hidden = (config: unknown, tool: string) => disabledTools([tool], parse(JSON.stringify(config))).length === 1;
  test.each([
    [{ "*": "allow" }, "bash", false],
    [{ "*": "allow", bash: "deny" }, "bash", true],
    [{ "*": "allow", bash: "deny" }, "edit", false],
    [{ "*": "allow", edit: "deny" }, "write", true],
    [{ "*": "allow", edit: "deny" }, "apply_patch", true],
    [{ "*": "allow", edit: "deny" }, "multiedit", true],
    [{ bash: { "*": "allow", "rm *": "deny" } }, "bash", false],
    [{ "*": "ask" }, "bash", false],
    [{ bash: { "*": "deny", "echo *": "allow" } }, "bash", false],
    [{ bash: { "rm *": "deny", "*": "allow" } }, "bash", false],
    [{ "*": "deny" }, "bash", true],
    [{ "*": "deny", bash: "allow" }, "bash", false],
    [{ "*": "deny", bash: "allow" }, "read", true],
  ])("%j hides %s: %s", (config, tool, expected) => {
    expect(hidden(config, tool)).toBe(expected);
  });
});
