import { describe, expect, test } from "vitest";
import { Project } from "./call.ts";

const project = new Project({ "script.sh": "echo a\n", "broken.toml": "x = [\n", "empty.toml": "" });
const broken = "broken.toml:2:1: toml-syntax: ";

describe("a call that is wrong", () => {
  test.each([
    [["./script.sh"], 125, "`./script.sh` is no verb; to run it as a script: guarded-sh -- ./script.sh"],
    [["script.sh"], 125, "`script.sh` is no verb; to run it as a script: guarded-sh -- script.sh"],
    [
      ["run", "--timeout", "-1", "ls"],
      125,
      "`--timeout` wants SECONDS; one that begins with a dash is written `--timeout=-1`",
    ],
    [["run", "--timeout=-1", "ls"], 125, "--timeout wants a number above 0, not `-1`"],
    [
      ["run", "--timeout", "--raw", "ls"],
      125,
      "`--timeout` wants SECONDS; one that begins with a dash is written `--timeout=--raw`",
    ],
    [["policy", "foo"], 2, "see `guarded-sh policy --help`"],
    [["policy"], 2, "see `guarded-sh policy --help`"],
    [["arity", "shw"], 2, "unknown verb of `arity` `shw`, did you mean `show`?"],
    [["foo"], 2, "unknown verb `foo`"],
    [["explain", "ls"], 2, "unknown verb `explain`, did you mean `policy explain` or `arity explain`?"],
    [["import"], 2, "unknown verb `import`, did you mean `policy import`?"],
    [["comp"], 2, "unknown verb `comp`, did you mean `completion`?"],
    [["init", "claude"], 2, "unknown agent `claude`, did you mean `claude-code`?"],
    [["policy", "show", "--policy", "nosuch.toml"], 2, "help: give the path of a policy file that you may read; `gua"],
  ])("%j: %i, %s", async (argv, status, message) => {
    const called = await project.call(...argv);
    expect(called).toEqual({ status, stdout: "", stderr: expect.stringContaining(message) });
  });

  test.each([
    [["arity", "show", "nosuch"]],
    [["completion", "nosuch"]],
    [["completion"]],
    [["grants", "revoke", "99"]],
    [["init", "nosuch"]],
    [["policy", "lint", "nosuch.toml"]],
    [["check", ""]],
  ])("%j says nothing of running", async (argv) => {
    const { status, stderr } = await project.call(...argv);
    expect(status).toBeGreaterThan(0);
    expect(stderr).not.toContain("nothing was run");
  });

  test.each([
    [["check", "--json", "--nonsense", "ls"], 2, "unknown option `--nonsense`"],
    [["check", "--json"], 2, "no command line is given"],
    [["check", "--json", "--policy", "broken.toml", "ls"], 2, "broken.toml:2:1: toml-syntax: "],
    [["run", "--policy", "broken.toml", "--json", "ls"], 125, "broken.toml:2:1: toml-syntax: "],
    [["run", "--json", "--cwd", "nosuch", "ls"], 125, "nosuch"],
    [["check", "--explain", "--json", "--policy", "broken.toml", "ls"], 2, broken],
    [["policy", "explain", "ls", "--json", "--policy", "broken.toml"], 2, broken],
    [["policy", "explain", "ls", "--json", "--policy", "nosuch.toml"], 2, "nosuch.toml:1:1: unreadable-file: "],
    [["policy", "explain", "ls", "--json", "--policy", "."], 2, "unreadable-file: this is a directory, not a file"],
    [["policy", "explain", "--json"], 2, "no command line is given"],
    [["policy", "show", "--json", "--policy", "broken.toml"], 2, broken],
    [["policy", "lint", "--json", "broken.toml"], 2, broken],
    [["policy", "lint", "--json", "nosuch.toml"], 2, "unreadable-file: "],
    [["policy", "audit", "--json", "broken.toml"], 2, broken],
    [["policy", "suggest", "--json", "--policy", "broken.toml"], 2, broken],
    [["arity", "show", "git", "--json", "--policy", "broken.toml"], 2, broken],
    [["arity", "show", "nosuch", "--json"], 2, "`nosuch` is not in the dictionary"],
    [["arity", "explain", "ls", "--json", "--policy", "broken.toml"], 2, broken],
    [["test", "--json", "broken.toml"], 2, broken],
    [["test", "--json", "nosuch.toml"], 2, "there is no file `"],
    [["test", "--json", "--policy", "nosuch.toml"], 2, "unreadable-file: "],
    [["requests", "list", "--json", "x"], 2, "`x` is one word too many"],
    [["grants", "list", "--json", "x"], 2, "`x` is one word too many"],
    [["trust", "--list", "--json", "a", "b"], 2, "one file at a time"],
    [["log", "--json", "--limit", "0"], 2, "--limit wants a whole number above 0, not `0`"],
  ])("%j answers with a result that says why", async (argv, status, message) => {
    const called = await project.call(...argv);
    expect(called).toEqual({ status, stdout: expect.any(String), stderr: expect.stringContaining(message) });
    expect(JSON.parse(called.stdout)).toEqual({
      version: 1,
      kind: "failed",
      is_error: true,
      command: "",
      cwd: "/project",
      decision: "deny",
      segments: [],
      effects: [],
      findings: [],
      because: [],
      denial: { kind: "failed", message: expect.stringContaining(message), ran: false },
    });
  });

  test.each([
    [["--policy", "broken.toml"], broken],
    [["ls"], "--stdin-jsonl takes no operand: the command lines come on standard input"],
  ])("--stdin-jsonl %j is answered with a line that is a no", async (argv, message) => {
    const { status, stdout, stderr } = await project.call("check", "--stdin-jsonl", ...argv);
    expect([status, JSON.parse(stdout)]).toMatchObject([2, { id: null, kind: "failed", decision: "deny" }]);
    expect(stderr).toContain(message);
  });

  test("a verb without --json prints none", async () => {
    expect((await project.call("init", "nosuch", "--json")).stdout).toBe("");
  });

  test("--json after -- is a word of the command", async () => {
    const { stdout } = await project.call("check", "--nonsense", "--", "ls", "--json");
    expect(stdout).toBe("");
  });
});
