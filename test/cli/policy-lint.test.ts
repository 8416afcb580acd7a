import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Project, widest } from "./call.ts";

const SHADOWED = `# rules
[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git diff*"
action = "allow"

[[permissions.rule]]
tool = "bash"
pattern = "git difftool *" # too late
action = "deny"
`;

describe("policy lint", () => {
  test("says where, what and what to do; exit status 1", async () => {
    const called = await new Project({ "guarded-sh.toml": SHADOWED }).call("policy", "lint");
    expect(called).toEqual({
      status: 1,
      stderr: "",
      stdout: `guarded-sh.toml:7:11: warning: covers-more:
  allow \`git diff*\` also takes \`git diff-files\`, \`git diff-index\`, \`git diff-tree\`, \`git difftool\`
7 | pattern = "git diff*"
  |           ^^^^^^^^^^^
help: write \`git diff *\` (--fix does)

guarded-sh.toml:12:11: error: shadowed-rule:
  deny \`git difftool *\` is never reached: allow \`git diff*\` (line 5) takes all of it first
12 | pattern = "git difftool *" # too late
   |           ^^^^^^^^^^^^^^^^
help: move it in front of that rule
`,
    });
  });

  test("--fix writes the certain mends, and says what is left", async () => {
    const project = new Project({ "guarded-sh.toml": SHADOWED });
    expect(await project.call("policy", "lint", "--fix")).toEqual({
      status: 0,
      stdout: "nothing found\n",
      stderr: "guarded-sh: /project/guarded-sh.toml: 1 mend written\n",
    });
    const text = readFileSync(join(project.cwd, "guarded-sh.toml"), "utf8");
    expect(text).toBe(SHADOWED.replace('"git diff*"', '"git diff *"'));
  });

  test("--json has the place, the severity and the mend", async () => {
    const { stdout } = await new Project({ "rules.toml": SHADOWED }).call("policy", "lint", "--json", "rules.toml");
    const start = SHADOWED.indexOf('"git diff*"');
    expect(JSON.parse(stdout)[0]).toEqual({
      file: "/project/rules.toml",
      line: 7,
      column: 11,
      span: [start, start + 11],
      code: "covers-more",
      severity: "warning",
      message: expect.stringContaining("git difftool"),
      help: "write `git diff *`",
      fix: { span: [start, start + 11], text: '"git diff *"' },
    });
  });

  test.each([
    [["policy", "lint"], {}, 0, "there is no policy: everything runs\n"],
    [
      ["policy", "lint", "--approver", "none"],
      { "guarded-sh.toml": '[permissions]\ndefault_action = "deny"\n' },
      0,
      "nothing found\n",
    ],
  ])("%j ends in %i", async (argv, files, status, stdout) => {
    expect(await new Project(files).call(...argv)).toEqual({ status, stdout, stderr: "" });
  });

  test.each([
    [["policy", "lint", "--approver", "none"], { "guarded-sh.toml": '[permissions]\ndefault_action = "ask"\n' }, 1],
    [["policy", "lint", "nothing.toml"], {}, 2],
    [["policy", "lint", "--approver", "me"], {}, 2],
    [["policy", "lint"], { "guarded-sh.toml": "[permissions]\n" }, 2],
  ])("%j ends in %i with %j", async (argv, files, status) => {
    expect((await new Project(files).call(...argv)).status).toBe(status);
  });

  test("the help fits a terminal", async () => {
    expect(widest((await new Project().call("policy", "lint", "--help")).stdout)).toBeLessThanOrEqual(100);
  });
});
