import { describe, expect, test } from "vitest";
import { Project } from "./call.ts";

const project = new Project({ "script.sh": "echo a\n", "broken.toml": "x = [\n" });

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

  test("--json after -- is a word of the command", async () => {
    const { stdout } = await project.call("check", "--nonsense", "--", "ls", "--json");
    expect(stdout).toBe("");
  });
});
