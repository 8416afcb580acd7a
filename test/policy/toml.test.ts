import { describe, expect, test } from "vitest";
import { disabledTools, evaluateRequest, parseToml } from "../../src/policy/index.ts";
import { DiagnosticError, renderDiagnostic, summarizeDiagnostic } from "../../src/text/index.ts";
import { CWD, ENV, HOME, judge, policyOfToml } from "./judge.ts";

const CONTEXT = { cwd: CWD, home: HOME, projectRoot: CWD, env: ENV };

function errorOf(text: string): DiagnosticError {
  try {
    policyOfToml(text);
  } catch (error) {
    if (error instanceof DiagnosticError) return error;
    throw error;
  }
  throw new Error("the text was accepted");
}

const faultsIn = (text: string): string[] => errorOf(text).diagnostics.map(summarizeDiagnostic);

const DENY_LIST = `
[permissions]
default_action = "allow"

[[permissions.rule]]
tool = "bash"
pattern = "rm *"
action = "deny"

[[permissions.rule]]
tool = "file_write"
pattern = "*.env"
action = "deny"
`;

const ALLOW_LIST = `
[permissions]
default_action = "deny"

[[permissions.rule]]
tool = "read"
pattern = "*"
action = "allow"

[[permissions.rule]]
tool = "grep"
pattern = "*"
action = "allow"
`;

const ASK_LIST = `
[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "rm *"
action = "deny"
`;

describe("the three kinds of manifest", () => {
  test.each([
    [DENY_LIST, "git add -A && rm -rf build | tee log", ["allow", "deny", "allow"], "deny"],
    [DENY_LIST, "git add -A | tee log", ["allow", "allow"], "allow"],
    [DENY_LIST, "echo a > prod.env", ["allow"], "deny"],
    [ALLOW_LIST, "git status", ["deny"], "deny"],
    [ASK_LIST, "git add -A && rm -rf build", ["ask", "deny"], "deny"],
    [ASK_LIST, "git add -A", ["ask"], "ask"],
  ] as const)("%#: %s", (manifest, text, verdicts, decision) => {
    const evaluation = judge(text, policyOfToml(manifest));
    expect(evaluation.verdicts.map((verdict) => verdict.decision)).toEqual(verdicts);
    expect(evaluation.decision).toBe(decision);
  });

  test.each([
    [DENY_LIST, "file_write", "config/prod.env", "deny"],
    [DENY_LIST, "edit", ".env", "deny"],
    [DENY_LIST, "file_write", "a.ts", "allow"],
    [DENY_LIST, "read", "prod.env", "allow"],
    [ALLOW_LIST, "read", "a.ts", "allow"],
    [ALLOW_LIST, "file_read", "a.ts", "allow"],
    [ALLOW_LIST, "grep", "TODO", "allow"],
    [ALLOW_LIST, "file_write", "a.ts", "deny"],
    [ALLOW_LIST, "github.create_issue", "x", "deny"],
    [ASK_LIST, "webfetch", "https://a.test", "ask"],
  ] as const)("%#: %s %s is %s", (manifest, tool, subject, decision) => {
    expect(evaluateRequest({ tool, subject }, policyOfToml(manifest), CONTEXT).decision).toBe(decision);
  });

  test("a tool that only the default speaks about is hidden by a default of deny", () => {
    expect(disabledTools(["bash", "read", "grep", "edit"], policyOfToml(ALLOW_LIST))).toEqual(["bash", "edit"]);
    expect(disabledTools(["bash", "edit"], policyOfToml(DENY_LIST))).toEqual([]);
  });

  test("without a permission table everything runs", () => {
    const policy = policyOfToml('[scope]\nwrite = ["."]\n');
    expect(judge("rm -rf x", policy).decision).toBe("allow");
    expect(evaluateRequest({ tool: "edit", subject: "x" }, policy, CONTEXT).because[0].kind).toBe("off");
  });

  test("bash is not judged by its text", () => {
    expect(() => evaluateRequest({ tool: "bash", subject: "ls" }, policyOfToml(ASK_LIST), CONTEXT)).toThrow(TypeError);
  });
});

const top = '[permissions]\ndefault_action = "ask"\n';
const rule = (...lines: string[]) => `${top}[[permissions.rule]]\n${lines.join("\n")}\n`;
const whole = ['tool = "bash"', 'pattern = "rm *"', 'action = "deny"'];

describe("a document that is wrong", () => {
  test.each([
    ["[permissions]\n", ["policy.toml:1:1: missing-field: `[permissions]` needs `default_action`"]],
    [
      '[[permissions.rule]]\ntool="bash"\npattern="x"\naction="deny"',
      ["policy.toml:1:1: missing-field: `[permissions]` needs `default_action`"],
    ],
    ['[permissions]\ndefault_action = "permit"', ["policy.toml:2:18: unknown-decision: `permit` is not a decision"]],
    ["[permissions]\ndefault_action = true", ["policy.toml:2:18: wrong-type: a decision is a string"]],
    ["[permision]\n", ["policy.toml:1:1: unknown-field: `permision` is not a field of a policy"]],
    [`${top}x = 1`, ["policy.toml:3:1: unknown-field: `x` is not a field of `[permissions]`"]],
    [
      rule('tool = "bash"'),
      [
        "policy.toml:3:1: missing-field: a rule needs `pattern`",
        "policy.toml:3:1: missing-field: a rule needs `action`",
      ],
    ],
    [rule(...whole, 'resaon = "x"'), ["policy.toml:7:1: unknown-field: `resaon` is not a field of a rule"]],
    [rule('tool = "bash"', "pattern = 3", 'action = "deny"'), ["policy.toml:5:11: wrong-type: `pattern` is a string"]],
    [
      rule('tool = "bash"', 'pattern = ""', 'action = "deny"'),
      ["policy.toml:5:11: bad-pattern: an empty `pattern` matches nothing"],
    ],
    [rule(...whole, 'flags = ["force"]'), ["policy.toml:7:10: bad-pattern: `force` is not an option"]],
    [rule(...whole, 'flags = ["-f", 1]'), ["policy.toml:7:9: wrong-type: `flags` is a list of strings"]],
    [
      rule(...whole, 'does = ["looking"]'),
      ["policy.toml:7:9: unknown-field: `looking` is nothing the dictionary says of programs"],
    ],
    [`${top}rule = 3`, ["policy.toml:3:8: wrong-type: `rule` is a list of tables: write `[[permissions.rule]]`"]],
    ["permissions = 1", ["policy.toml:1:15: wrong-type: `permissions` is a table"]],
    ['[scope]\nnetwork = "no"', ["policy.toml:2:11: wrong-type: `network` is true or false"]],
    ["[scope]\nwrites = []", ["policy.toml:2:1: unknown-field: `writes` is not a field of `[scope]`"]],
    ["extends = 3", ["policy.toml:1:11: wrong-type: `extends` is a list of strings"]],
  ])("%#: %s", (text, faults) => {
    expect(faultsIn(text)).toEqual(faults);
  });

  test("is shown with its line, a caret and the nearest word", () => {
    expect(renderDiagnostic(errorOf(rule(...whole, 'resaon = "x"')).diagnostics[0])).toBe(
      [
        "policy.toml:7:1: unknown-field: `resaon` is not a field of a rule",
        '7 | resaon = "x"',
        "  | ^^^^^^",
        "help: did you mean `reason`?",
      ].join("\n"),
    );
  });

  test.each(['a = "', "[permissions", "a = 1\na = 2", "= 1"])("that is not TOML says where: %s", (text) => {
    expect(faultsIn(text)[0]).toMatch(/^policy\.toml:\d+:\d+: toml-syntax: \S/);
  });
});

describe("positions", () => {
  const lines = (text: string) =>
    parseToml(
      { name: "p", text },
      { layer: "given", trusted: true, home: HOME, env: ENV, windows: false },
    ).document.rules.map(({ id }) => id);

  test("every rule knows its line, however the text is laid out", () => {
    expect(
      lines(
        [
          rule(...whole),
          "# x\n\n  [[ permissions . rule ]] # y\ntool='bash'\npattern='''a\nb'''\naction=\"ask\"\n",
        ].join(""),
      ),
    ).toEqual(["p:3", "p:9"]);
    expect(
      lines(
        `[permissions]\ndefault_action="ask"\nrule = [\n  { tool = "bash", pattern = "a ] } #", action = "deny" }, # x\n  { tool = "bash", pattern = "b\\"", action = "deny" },\n]\n`,
      ),
    ).toEqual(["p:4", "p:5"]);
    expect(
      lines(
        'permissions.default_action = "ask"\n[["permissions".rule]]\r\ntool = "bash"\r\npattern = """\n"\\""""\naction = "ask"\n',
      ),
    ).toEqual(["p:2"]);
  });
});

test("the other tables are handed on as they are written", () => {
  const text =
    'extends = ["preset:read-only", "./other.toml"]\n[arity]\n"mytool" = 1\n[[command]]\nnames = ["x"]\n[scope]\nwrite = ["."]\nread_deny = ["~/.ssh"]\nnetwork = false\n[env]\npass = ["CI"]\ndrop = ["TOKEN"]\n';
  const parsed = parseToml(
    { name: "p", text },
    { layer: "given", trusted: true, home: HOME, env: ENV, windows: false },
  );
  expect({ ...parsed, document: undefined }).toMatchObject({
    extends: [{ text: "preset:read-only" }, { text: "./other.toml" }],
    dictionary: { arity: { mytool: 1 }, command: [{ names: ["x"] }] },
    scope: { write: ["."], readDeny: ["~/.ssh"], network: false },
    env: { pass: ["CI"], drop: ["TOKEN"] },
  });
  expect(parsed.dictionary?.spanOf(["arity", "mytool"])).toEqual({
    start: text.indexOf(" = 1") + 3,
    end: text.indexOf(" = 1") + 4,
  });
});

test("a rule may be written by what programs do", () => {
  const policy = policyOfToml(`${top}[[permissions.rule]]\ntool = "bash"\ndoes = ["looks"]\naction = "allow"\n`);
  const decisions = ["ls -la | wc -l", "sort x", "sort -o y x", "rm x", "no-such-program"].map(
    (text) => judge(text, policy).decision,
  );
  expect(decisions).toEqual(["allow", "allow", "ask", "ask", "ask"]);
});
