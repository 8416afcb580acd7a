import { describe, expect, test } from "vitest";
import { Project, widest } from "./call.ts";

const SETTINGS = '{"permissions": {"allow": ["Bash(npm run test:*)"], "deny": ["Bash(rm *)"]}}';

describe("policy import", () => {
  test("prints a policy that can be used as it is", async () => {
    const project = new Project({ "settings.json": SETTINGS });
    const { status, stdout, stderr } = await project.call("policy", "import", "claude", "settings.json");
    expect({ status, stderr, stdout }).toEqual({
      status: 0,
      stderr: "",
      stdout: `# Imported by \`guarded-sh policy import claude settings.json\`.
# The first rule that matches decides. Every command of a line is judged by itself, through wrappers and scripts.

[permissions]
default_action = "ask"

# Bash(rm *)
[[permissions.rule]]
tool = "bash"
pattern = "rm *"
action = "deny"

# Bash(npm run test:*)
[[permissions.rule]]
tool = "bash"
pattern = "npm run test *"
action = "allow"
`,
    });
    project.write("rules.toml", stdout);
    const checked = await project.call("check", "--policy", "rules.toml", "sudo rm -rf x");
    expect(checked.status).toBe(4);
  });

  test("lists what cannot be carried over, also in the file; exit status 1", async () => {
    const text = SETTINGS.replace("npm run test:*", "cd * && ls");
    const called = await new Project({ s: text }).call("policy", "import", "claude-code", "s");
    const why = "Bash(cd * && ls): each command is judged by itself here: allow them one by one";
    expect([called.status, called.stderr]).toEqual([1, `guarded-sh: not carried over: ${why}\n`]);
    expect(called.stdout).toContain(`# Not carried over:\n#   ${why}\n`);
  });

  test.each([
    [["policy", "import"], "policy import takes an agent and a file"],
    [["policy", "import", "claud", "s"], "no rules of `claud` can be read, did you mean `claude`?"],
    [["policy", "import", "claude", "nothing"], "`nothing`: the file cannot be read: there is no such file"],
    [["policy", "import", "codex", "."], "`.`: this is a directory, not a file"],
    [["policy", "import", "opencode", "broken"], "broken: not JSON at offset 1"],
  ])("%j: %s", async (argv, message) => {
    const called = await new Project({ broken: "{", s: SETTINGS }).call(...argv);
    expect([called.status, called.stderr.split("\n")[0]]).toEqual([2, expect.stringContaining(message)]);
  });

  test("the help fits a terminal", async () => {
    expect(widest((await new Project().call("policy", "import", "--help")).stdout)).toBeLessThanOrEqual(100);
  });
});
