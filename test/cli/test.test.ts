import { describe, expect, test } from "vitest";
import { Project, widest } from "./call.ts";

const POLICY = `[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "rm *"
action = "deny"
match = ["rm -rf x"]
not_match = ["rmdir x"]

[[permissions.rule]]
tool = "bash"
pattern = "git *"
action = "allow"

[[permissions.rule]]
tool = "file_write"
pattern = "*.lock"
action = "deny"
`;

const CASES = `
[[case]]
command = "git status && rm x"
decision = "deny"
rule = "rm *"
segments = ["git status", "rm x"]

[[case]]
name = "a lock file"
tool = "file_write"
command = "yarn.lock"
decision = "deny"
rule = "policy.toml:16"
`;

/** A project whose policy is given, so that nothing has to be trusted. */
const project = (files: Readonly<Record<string, string>>) => new Project({ "policy.toml": POLICY, ...files });
const given = ["--policy", "policy.toml"];

describe("test", () => {
  test("passes, examples counted too", async () => {
    expect(await project({ "c.toml": CASES }).call("test", "c.toml", ...given)).toEqual({
      status: 0,
      stdout: "4 passed, 0 failed, 0 errors, 0 skipped\n",
      stderr: "",
    });
  });

  test("tells a failed case from one that cannot be judged and one that is known to fail", async () => {
    const cases = [
      { command: "rm x", decision: "allow" },
      { command: "git status", decision: "allow", segments: [["git", "log"]] },
      { command: "git log", decision: "allow", rule: "rm *" },
      { command: "ls", decision: ["ask", "deny"], rule: "ls *" },
      { command: "ls", decision: "ask", cwd: "nowhere" },
      { command: "git push", decision: "ask", todo: "wants a rule" },
      { command: "git log", decision: "allow", todo: true },
    ];
    const lines = cases.map((row) => JSON.stringify(row)).join("\n");
    const { status, stdout } = await project({ "c.jsonl": lines }).call("test", "c.jsonl", ...given);
    expect({ status, lines: stdout.split("\n") }).toEqual({
      status: 2,
      lines: [
        "FAIL c.jsonl:1  rm x",
        "  deny, expected allow, decided by `rm *` (policy.toml:4)",
        "FAIL c.jsonl:2  git status",
        '  segments ["git status"], expected ["git log"]',
        "FAIL c.jsonl:3  git log",
        "  expected rm *, decided by `git *` (policy.toml:11)",
        "ERROR c.jsonl:4  ls",
        "  `ls *` is no rule of this policy",
        "ERROR c.jsonl:5  ls",
        "  `nowhere` is not a directory",
        "skipped c.jsonl:6  git push",
        "  wants a rule",
        "skipped c.jsonl:7  git log",
        "  it passes now",
        "2 passed, 3 failed, 2 errors, 2 skipped",
        "",
      ],
    });
  });

  test("a failure alone is status 1", async () => {
    const files = { "c.jsonl": '{"command":"rm x","decision":"ask"}' };
    expect((await project(files).call("test", "c.jsonl", ...given)).status).toBe(1);
  });

  test("reports as JSON", async () => {
    const files = { "c.jsonl": '{"command":"rm x","decision":"ask"}\n\n{"command":"git log","decision":"allow"}' };
    const { stdout } = await project(files).call("test", "c.jsonl", "--json", "--run", "r?*x", ...given);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      passed: 2,
      failed: 1,
      errors: 0,
      skipped: 0,
      cases: [
        { source: "policy.toml:8", command: "rm -rf x", outcome: "pass", why: [] },
        { source: "policy.toml:9", command: "rmdir x", outcome: "pass", why: [] },
        {
          source: "c.jsonl:1",
          command: "rm x",
          outcome: "fail",
          why: ["deny, expected ask, decided by `rm *` (policy.toml:4)"],
        },
      ],
    });
  });

  test("no cases is a failure", async () => {
    const files = { "policy.toml": '[permissions]\ndefault_action = "ask"\n' };
    expect(await project(files).call("test", ...given)).toEqual({
      status: 1,
      stdout: "0 passed, 0 failed, 0 errors, 0 skipped\n",
      stderr: "guarded-sh: no cases were run: write guarded-sh.test.toml, or give rules `match`\n",
    });
  });

  test("a filter that nothing passes is no success", async () => {
    expect((await project({ "c.toml": CASES }).call("test", "c.toml", "--run", "zzz", ...given)).status).toBe(1);
  });

  test("finds the usual files, and takes a policy as FILE", async () => {
    const line = '{"command":"rm x","decision":"deny"}';
    const files = { "guarded-sh.test.toml": CASES, ".guarded-sh/test/a.jsonl": line, ".guarded-sh/test/notes.md": "x" };
    expect((await project(files).call("test", ...given)).stdout).toBe("5 passed, 0 failed, 0 errors, 0 skipped\n");
    expect((await project(files).call("test", "policy.toml")).stdout).toBe("2 passed, 0 failed, 0 errors, 0 skipped\n");
  });

  test("an example that fails is a failed case at its line", async () => {
    const files = { "policy.toml": POLICY.replace('"rm -rf x"', '"ls x"') };
    const { status, stdout } = await project(files).call("test", "policy.toml");
    expect({ status, first: stdout.split("\n")[0], last: stdout.trim().split("\n").at(-1) }).toEqual({
      status: 1,
      first: "/project/policy.toml:8:10: example-failed: `rm *` does not match `ls x`",
      last: "1 failed; the cases were not run",
    });
    const { failed, cases } = JSON.parse((await project(files).call("test", "policy.toml", "--json")).stdout);
    expect({ failed, source: cases[0].source }).toEqual({ failed: 1, source: "policy.toml:8" });
  });
});

describe("coverage", () => {
  test("names the rules that nothing reached", async () => {
    const { status, stdout } = await project({}).call("test", "--coverage", ...given);
    expect({ status, lines: stdout.split("\n") }).toEqual({
      status: 0,
      lines: [
        "coverage 33 %: 1 of 3 rules were reached",
        "  not reached policy.toml:11  allow git *",
        "  not reached policy.toml:16  deny *.lock",
        "2 passed, 0 failed, 0 errors, 0 skipped",
        "",
      ],
    });
  });

  test("below the threshold it fails", async () => {
    const files = { "c.toml": CASES };
    const call = (percent: string) => project(files).call("test", "c.toml", "--threshold", percent, ...given);
    expect((await call("100")).status).toBe(0);
    const { status, stderr } = await project({}).call("test", "--threshold", "34", ...given);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "guarded-sh: coverage 33 % is below the threshold of 34 %\n",
    });
    expect((await call("many")).stderr.split("\n")[0]).toBe(
      "guarded-sh: --threshold wants a number from 0 to 100, not `many`",
    );
  });

  test("the rules of presets do not count", async () => {
    const files = { "policy.toml": `extends = ["preset:developer"]\n\n${POLICY}` };
    const { stdout } = await project(files).call("test", "--coverage", ...given);
    expect(stdout.split("\n")[0]).toBe("coverage 33 %: 1 of 3 rules were reached");
  });
});

describe("a case file", () => {
  test.each([
    ["c.toml", '[[case]]\ncommand = "x"\n', "c.toml:1:1: missing-field: a case needs `decision`"],
    ["c.toml", '[[case]]\ncommand = "x"\ndecision = "yes"\n', "c.toml:3:12: unknown-decision: `yes` is not a decision"],
    ["c.toml", '[[case]]\ncommand = 1\ndecision = "ask"\n', "c.toml:2:11: wrong-type: `command` is a string"],
    [
      "c.toml",
      '[[case]]\ncommand = "x"\ndecision = "ask"\nsegment = []\n',
      "c.toml:4:11: unknown-field: `segment` is not a field of a case",
    ],
    ["c.jsonl", '{"command":"x","decision":"ask"}\n{x}\n', "c.jsonl:2:1: json-syntax: the line is not JSON"],
    ["c.jsonl", "[]\n", "c.jsonl:1:1: wrong-type: a case is a table"],
  ])("%s with %j cannot be run", async (name, text, message) => {
    const { status, stdout, stderr } = await project({ [name]: text }).call("test", name, ...given);
    expect({ status, stdout, first: stderr.split("\n")[0] }).toEqual({ status: 2, stdout: "", first: message });
    expect(widest(stderr)).toBeLessThanOrEqual(100);
  });

  test("that does not exist is named", async () => {
    expect((await project({}).call("test", "none.toml")).stderr.split("\n")[0]).toBe(
      "guarded-sh: there is no file `none.toml`",
    );
  });
});

test("--watch runs again when a case file changes", async () => {
  const stage = project({ "c.jsonl": '{"command":"rm x","decision":"ask"}' });
  const runs: string[] = [];
  const running = stage.watch(["test", "c.jsonl", "--watch", ...given], (text) => {
    runs.push(text);
    if (runs.length === 1) stage.write("c.jsonl", '{"command":"rm x","decision":"deny"}');
    return runs.length < 2;
  });
  await running;
  expect(runs.map((text) => text.trim().split("\n").at(-1))).toEqual([
    "2 passed, 1 failed, 0 errors, 0 skipped",
    "3 passed, 0 failed, 0 errors, 0 skipped",
  ]);
});
