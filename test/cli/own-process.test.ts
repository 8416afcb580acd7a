import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { POLICY, ShellPlace } from "./shell-place.ts";

const place = new ShellPlace(POLICY);
afterAll(() => place.remove());

/** Calls guarded-sh inside a line of the system's own shell. */
function line(text: string, input = "") {
  const { status, stdout, stderr } = spawnSync(
    "/bin/bash",
    ["-c", text.replaceAll("G ", `${place.shell("guarded-sh")} `)],
    {
      cwd: place.project,
      env: place.env(),
      input,
      encoding: "utf8",
      timeout: 30_000,
    },
  );
  return { status, stdout, stderr };
}

const TRACE = /\n\s+at |node:internal|Node\.js v/;
const event = (command: string) =>
  JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, cwd: place.project });

describe("an answer of a hook that is lost is a no", () => {
  test.each(["claude-code", "cline", "auto"])("%s", (agent) => {
    for (const end of [">/dev/full", ">/dev/full 2>/dev/full", "2>&1 >/dev/full"]) {
      const { status, stdout, stderr } = line(`G hook ${agent} ${end}`, event("echo a"));
      expect({ end, status }).toEqual({ end, status: 2 });
      expect(stdout + stderr).not.toMatch(TRACE);
    }
    expect(line(`{ sleep 1; G hook ${agent}; echo $? >&2; } <<< '{}' | exit`).stderr).toMatch(/^2$/m);
  });

  test("one whose reason alone is lost stays what it was", () => {
    expect(line("G hook claude-code 2>/dev/full", event("touch x"))).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('"deny"'),
    });
    expect(line("G hook claude-code 2>/dev/full", event("make"))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"ask"'),
    });
  });
});

describe("output that cannot be written ends guarded-sh without a trace", () => {
  const long = `echo ${"x".repeat(200_000)}`;
  test.each([
    ["G check 'echo a' >/dev/full", 2],
    ["G policy show >/dev/full", 2],
    ["G run 'echo a' >/dev/full", 125],
    ["G --version >/dev/full", 2],
    ["G -h >/dev/full 2>/dev/full", 2],
    ["G check 'touch a' 2>/dev/full >/dev/null", 4],
    ["G -c 'touch a' 2>/dev/full", 126],
    ['echo \'{"command":"echo a"}\' | G check --stdin-jsonl >/dev/full', 2],
    ["G serve >/dev/full", 2],
    // It does not wait for what else might come.
    ["timeout 10 G serve >/dev/full < <(exec sleep 12 2>/dev/null)", 2],
    ['G mcp >/dev/full <<< \'{"jsonrpc":"2.0","id":1,"method":"ping"}\'', 2],
  ])("%s", (text, status) => {
    const called = line(text);
    expect({ ...called, stderr: "" }).toEqual({ status, stdout: "", stderr: "" });
    expect(called.stderr).toMatch(/^(?:guarded-sh: standard output cannot be written: ENOSPC\n)?$/);
  });

  test("a reader that has gone wants no more", () => {
    expect(line("{ sleep 1; G check --json 'echo a'; echo $? >&2; } | exit")).toMatchObject({ stderr: "141\n" });
    expect(line("{ sleep 1; G serve; echo $? >&2; } | exit")).toMatchObject({ stderr: "141\n" });
    const lines = `for i in {1..3000}; do echo '{"command":"echo a"}'; done`;
    const { stdout, stderr } = line(`{ ${lines}; } | G check --stdin-jsonl | head -1`);
    expect([stdout.split("\n").length, stderr]).toEqual([2, ""]);
    expect(line(`G run --max-output 1000000 '${long.slice(0, 90_000)}' | head -c 1`)).toMatchObject({
      stdout: "x",
      stderr: "",
    });
  });
});

describe("`run` where nothing can be written", () => {
  test.each([
    ["XDG_STATE_HOME=/dev/null G run 'echo a'", "a\n"],
    ["XDG_STATE_HOME=/proc G run 'echo a'", "a\n"],
    ["XDG_STATE_HOME=/dev/null TMPDIR=/dev/null G run --stdin b 'cat; echo a'", "ba\n"],
  ])("%s", (text, stdout) => {
    expect(line(text)).toMatchObject({ status: 0, stdout });
  });
});

test("what is refused where nothing can be written ends all the same", () => {
  for (const state of ["/proc", "/dev/null"]) {
    expect(line(`XDG_STATE_HOME=${state} G run 'touch made'`)).toMatchObject({ status: 126 });
    expect(line(`XDG_STATE_HOME=${state} G run --approver queue make`)).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/store-unreadable: .*\nhelp: /),
    });
  }
});

describe("a directory that was removed is told in one line", () => {
  const gone = "mkdir gone && cd gone && rmdir ../gone && ";
  test.each([
    ["G run 'echo a'", 125],
    ["G -c 'echo a'", 125],
    ["G check 'echo a'", 2],
    ["G check --stdin-jsonl </dev/null", 2],
    ["G check --json 'echo a'", 2],
  ])("%s", (text, status) => {
    const called = line(gone + text);
    expect(called.status).toBe(status);
    if (text.includes("json")) expect(JSON.parse(called.stdout)).toMatchObject({ kind: "failed", cwd: "" });
    else expect(called.stdout).toBe("");
    expect(called.stderr).toMatch(/missing-directory: the directory .* is gone: `cd` to another one/);
    expect(called.stderr).not.toMatch(/uv_cwd|ENOENT/);
  });

  test("and is a no of a hook", () => {
    expect(line(`${gone}G hook claude-code`, event("echo a")).status).toBe(2);
  });
});
