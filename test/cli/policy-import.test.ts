import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
# The first rule that matches decides. Every command of a line is judged by itself, through
# wrappers and scripts.

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
    const why = "Bash(cd * && ls): each command is judged by itself here: allow them";
    expect([called.status, called.stderr]).toEqual([1, `guarded-sh: not carried over: ${why}\n  one by one\n`]);
    expect(called.stdout).toContain(`# Not carried over:\n#   ${why} one by one\n`);
  });

  test.each([
    [["policy", "import"], "policy import takes an agent and a file"],
    [["policy", "import", "claud", "s"], "no rules of `claud` can be read, did you mean `claude`?"],
    [["policy", "import", "claude", "nothing"], "`nothing`: the file cannot be read: there is no such file"],
    [["policy", "import", "codex", "."], "`.`: this is a directory, not a file"],
    [["policy", "import", "opencode", "broken"], "broken:1:2: json-syntax: not JSON: close brace expected"],
    [["policy", "import", "claude", "broken"], "broken:1:2: json-syntax: not JSON: close brace expected"],
    [["policy", "import", "gemini", "broken"], "broken:1:2: json-syntax: not JSON: close brace expected"],
    [["policy", "import", "gemini", "rules"], "rules:1:12: toml-syntax: neither JSON nor TOML"],
    [["policy", "import", "copilot", "rules"], "rules:1:1: syntax-error: unexpected token '('"],
    [["policy", "import", "claude", "list"], "list:1:1: wrong-type: the file is no JSON object"],
    [["policy", "import", "opencode", "s"], "s:1:2: unknown-field: `permissions` is not a field of a configuration"],
    [["policy", "import", "claude", "nul"], "nul:1:2: nul-byte: the file holds a NUL character"],
  ])("%j: %s", async (argv, message) => {
    const called = await new Project({
      broken: "{",
      s: SETTINGS,
      rules: "prefix_rule(\n",
      list: "[]",
      nul: "{\0}",
    }).call(...argv);
    expect([called.status, called.stderr.split("\n")[0]]).toEqual([2, expect.stringContaining(message)]);
  });

  test("a file that is not UTF-8", async () => {
    const project = new Project();
    writeFileSync(join(project.cwd, "s"), Buffer.from([0xff, 0xfe, 0x7b]));
    const { status, stderr } = await project.call("policy", "import", "claude", "s");
    expect([status, stderr.split("\n")[0]]).toEqual([2, "guarded-sh: `s`: the file is not UTF-8 text"]);
  });

  test("long rules and what is said of them are wrapped, each once", async () => {
    const long = `Bash(${"rm -rf some/folder ".repeat(5)}&& ls)`;
    const servers = ["mcp__x__y", "mcp__some_server__some_tool"];
    const text = JSON.stringify({ permissions: { deny: [long, "a b"], allow: servers } });
    const { stdout, stderr } = await new Project({ s: text }).call("policy", "import", "claude", "s");
    const comments = stdout.split("\n").filter((line) => line.startsWith("#"));
    expect(widest([...comments, stderr].join("\n"))).toBeLessThanOrEqual(100);
    expect(stderr.match(/mcp__x__y: an allow there/g)?.length).toBe(1);
  });

  test("the help fits a terminal", async () => {
    expect(widest((await new Project().call("policy", "import", "--help")).stdout)).toBeLessThanOrEqual(100);
  });
});
