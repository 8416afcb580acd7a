import { describe, expect, test } from "vitest";
import { Project } from "./call.ts";

const POLICY = `[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git *"
action = "allow"

[[permissions.rule]]
tool = "bash"
pattern = "rm *"
action = "deny"
reason = "build output is recreated"
suggest = "git clean -n"
`;

const project = new Project({ "policy.toml": POLICY });
const check = (...argv: string[]) => project.call("check", "--policy", "policy.toml", ...argv);

describe("check", () => {
  test("an allowed text", async () => {
    expect(await check("git status && git log | git diff")).toEqual({
      status: 0,
      stdout: [
        "allow  git status && git log | git diff",
        "├─ allow git status",
        "│     rule `git *` → allow (policy.toml:4)",
        "├─ allow && git log",
        "│     rule `git *` → allow (policy.toml:4)",
        "└─ allow | git diff",
        "      rule `git *` → allow (policy.toml:4)",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  test("an asked text shows the wrapper, the inner command and what nearly matched", async () => {
    expect(await check("sudo gits x")).toEqual({
      status: 3,
      stdout: [
        "ask  sudo gits x",
        "└─ ask   sudo gits x",
        "      no rule speaks about it, the default of policy.toml is ask (prefix `sudo`)",
        "   └─ ask   gits x",
        "         no rule speaks about it, the default of policy.toml is ask (prefix `gits`)",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  test("a denied text, with a file that is written", async () => {
    const { status, stdout } = await check("git show > out; r\\m -rf x");
    expect([status, stdout.split("\n")]).toEqual([
      4,
      [
        "deny  git show > out; r\\m -rf x",
        "├─ allow git show > out",
        "│     rule `git *` → allow (policy.toml:4)",
        "│     ask file_write out: no rule speaks about it, the default of policy.toml is ask",
        "└─ deny  r\\m -rf x",
        "      rule `rm *` → deny (policy.toml:9)",
        "",
      ],
    ]);
  });

  test("a text that bash cannot read: the place on standard error, a no as the answer", async () => {
    const { status, stdout, stderr } = await check("git status; )");
    expect([status, stdout.split("\n")[0], stderr.split("\n")]).toEqual([
      4,
      "deny  git status; )",
      ["command line:1:13: syntax-error: unexpected token ')'", "1 | git status; )", "  |             ^", ""],
    ]);
  });

  test("that there is no policy is said once", async () => {
    expect(await new Project().call("check", "ls && rm x")).toEqual({
      status: 0,
      stdout: [
        "allow  ls && rm x",
        "├─ allow ls",
        "└─ allow && rm x",
        "there is no policy: everything runs. `guarded-sh init` writes one",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  test("a project's file that nobody has trusted is named as it is from here", async () => {
    const { stdout } = await new Project({ "guarded-sh.toml": POLICY }).call("check", "ls");
    expect(stdout.split("\n").slice(1)).toEqual([
      "└─ ask   ls",
      "      no rule speaks about it, the built-in default is ask (prefix `ls`)",
      "guarded-sh.toml is not trusted: its allow rules do not count. `guarded-sh trust` records it",
      "",
    ]);
  });

  test("--json is the same on one line", async () => {
    const { status, stdout } = await check("--json", "git status");
    const result = JSON.parse(stdout) as {
      decision: string;
      segments: { argv: string[]; because: { source: string }[] }[];
    };
    expect([
      status,
      stdout.split("\n").length,
      result.decision,
      result.segments.map(({ argv, because }) => [argv, because[0]?.source]),
    ]).toEqual([0, 2, "allow", [[["git", "status"], "policy.toml:4"]]]);
  });
});

describe("--stdin-jsonl", () => {
  test("one answer a line, in order, with its id; a line that cannot be read is answered with a no", async () => {
    const lines = [
      { id: 1, command: "git status" },
      { id: "b", command: "rm x", cwd: "/" },
      { id: 3, command: "ls", policy: { default_action: "allow", rules: [] } },
      { id: 4, command: "ls", policy: { default_action: "permit", rules: [] } },
      { id: 5, command: 7 },
      { id: 6, command: "" },
      { id: 7, command: " \n" },
      { id: 8, command: "git status \ud800" },
      { id: 9, command: "git status", cwd: "/no/such/folder" },
      { id: 10, command: "git status", cwd: 1 },
    ].map((line) => JSON.stringify(line));
    const { stdout } = await project.callWith(
      Buffer.concat([
        Buffer.from([...lines, "{", "", "  \r", ""].join("\n")),
        Buffer.from('{"id":11,"command":"git status \xff"}', "latin1"),
      ]),
      "check",
      "--policy",
      "policy.toml",
      "--stdin-jsonl",
    );
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: unknown; kind: string; decision: string; command: string });
    expect(answers.map(({ id, kind, decision, command }) => [id, kind, decision, command])).toEqual([
      [1, "checked", "allow", "git status"],
      ["b", "checked", "deny", "rm x"],
      [3, "checked", "allow", "ls"],
      [4, "failed", "deny", "ls"],
      [5, "failed", "deny", ""],
      [6, "failed", "deny", ""],
      [7, "failed", "deny", " \n"],
      [8, "failed", "deny", "git status \ud800"],
      [9, "checked", "allow", "git status"],
      [10, "failed", "deny", "git status"],
      [null, "failed", "deny", ""],
      [null, "failed", "deny", ""],
    ]);
  });
});

describe("mistakes end in one sentence and the usage", () => {
  test.each([
    [["check"], "no command line is given"],
    [["check", "a", "b"], "more than one operand: quote the command line as one word"],
    [["check", "  "], "the command line is empty"],
    [["check", "--jsn", "ls"], "unknown option `--jsn`, did you mean `--json`?"],
    [["chek", "ls"], "unknown verb `chek`, did you mean `check`?"],
    [["check", "--cwd", "/no/such/folder", "ls"], "`/no/such/folder` is not a directory"],
  ])("%j", async (argv, message) => {
    const { status, stdout, stderr } = await project.call(...argv);
    expect([status, stdout, stderr.split("\n")[0]]).toEqual([2, "", `guarded-sh: ${message}`]);
  });

  test("a policy that does not load runs nothing", async () => {
    const { status, stderr } = await project.call("run", "--policy", ".", "touch made");
    expect([status, stderr]).toEqual([
      125,
      expect.stringContaining("unreadable-file: this is a directory, not a file"),
    ]);
  });
});

describe("run", () => {
  const run = (...argv: string[]) => project.call("run", "--policy", "policy.toml", ...argv);

  test("a denied text: the denial on standard error, 126", async () => {
    expect(await run("git status; rm -rf build")).toEqual({
      status: 126,
      stdout: "",
      stderr: [
        "guarded-sh: denied, nothing was run",
        "  git status; rm -rf build",
        "              ^^^^^^^^^^^^ rule `rm *` → deny (policy.toml:9)",
        "reason: build output is recreated",
        "do instead: git clean -n",
        "",
      ].join("\n"),
    });
  });

  test("an allowed text: its output and its own status", async () => {
    expect(await run("--", "git", "--version-of-nothing")).toMatchObject({ status: 129 });
    expect((await run("git --version")).stdout).toMatch(/^git version/);
  });
});
