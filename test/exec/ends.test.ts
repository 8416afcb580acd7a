import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { describeExit, type Exit, exitStatus, type Launch } from "../../src/exec/index.ts";
import { processesWith, run, temporaryDirectory, until } from "./terminal.ts";

const { path: directory, remove } = temporaryDirectory();
afterAll(remove);

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // A short-lived child of the one that was left.
  }
}

const ENDS: readonly (readonly [string, Exit, number])[] = [
  // text, exit, status
  ["true", { kind: "exited", code: 0 }, 0],
  ["exit 300", { kind: "exited", code: 44 }, 44],
  ["exec false", { kind: "exited", code: 1 }, 1],
  ["exec 2>/dev/null nosuchprogram", { kind: "exited", code: 127 }, 127],
  ["trap 'exit 7' EXIT", { kind: "exited", code: 7 }, 7],
  ["set -e; false; exit 9", { kind: "exited", code: 1 }, 1],
  ["nosuchprogram", { kind: "exited", code: 127 }, 127],
  ["if", { kind: "exited", code: 2 }, 2],
  ["sh -c 'exit 3' | cat", { kind: "exited", code: 0 }, 0],
  ["kill -9 $$", { kind: "signaled", signal: "SIGKILL" }, 137],
  ["kill -TERM $$", { kind: "signaled", signal: "SIGTERM" }, 143],
  ["ulimit -c 0; kill -SEGV $$", { kind: "signaled", signal: "SIGSEGV" }, 139],
  ["cd /; kill -9 $$", { kind: "signaled", signal: "SIGKILL" }, 137],
];

describe.concurrent("the end of a run", () => {
  test.each(ENDS)("is reported exactly: %s", async (text, exit, status) => {
    const execution = await run(directory, text);
    expect(execution.exit).toEqual(exit);
    expect(exitStatus(execution.exit)).toBe(status);
  });

  test("is reported at once when the shell is killed", async () => {
    const { durationMs } = await run(directory, "kill -9 $$; sleep 30");
    expect(durationMs).toBeLessThan(15_000);
  });

  test("has a status and a sentence for each kind", () => {
    const exits: readonly Exit[] = [
      { kind: "timed-out", afterMs: 1_500 },
      { kind: "cancelled", by: "caller" },
      { kind: "cancelled", by: "waiting" },
      { kind: "cancelled", by: "signal", signal: "SIGTERM" },
      { kind: "not-started", code: "no-shell", message: "no bash at `/x`", help: "install bash" },
      { kind: "signaled", signal: "SIGKILL" },
      { kind: "exited", code: 3 },
    ];
    expect(exits.map((exit) => [exitStatus(exit), describeExit(exit)])).toEqual([
      [124, "timed out after 1.5 s, everything it started was ended"],
      [130, "cancelled, everything it started was ended"],
      [124, "ended because it waited for input that nobody can give"],
      [143, "cancelled by SIGTERM, everything it started was ended"],
      [125, "not started: no bash at `/x`"],
      [137, "killed by SIGKILL"],
      [3, "exit 3"],
    ]);
  });
});

describe.concurrent("what cannot start", () => {
  const gone = join(directory, "gone");
  mkdirSync(gone);
  rmSync(gone, { recursive: true });

  const LAUNCHES: readonly (readonly [string, Partial<Launch>, RegExp])[] = [
    ["no-directory", { cwd: gone }, /the directory `.*gone` does not exist/],
    ["no-directory", { cwd: "/dev/null" }, /does not exist or cannot be entered/],
    ["no-shell", { shell: "/nowhere/bash" }, /^no bash at `\/nowhere\/bash`$/],
    ["too-long", { commandLine: `: ${"x".repeat(140_000)}` }, /longer than the system passes to bash \(131071 bytes\)/],
    ["no-spool", { spoolDirectory: "/dev/null/spool" }, /`\/dev\/null\/spool` cannot be used/],
    ["system", { prefix: ["/nowhere/boundary"] }, /ENOENT/],
    ["system", { env: { BIG: "x".repeat(200_000) } }, /E2BIG/],
  ];

  test.each(LAUNCHES)("is told apart: %s %o", async (code, more, message) => {
    const { exit, output, cwd } = await run(directory, "echo ran", more);
    expect(exit).toEqual({
      kind: "not-started",
      code,
      message: expect.stringMatching(message),
      help: expect.any(String),
    });
    expect({ output, cwd }).toEqual({ output: "", cwd: more.cwd ?? directory });
  });

  test("is cancelled when the caller has cancelled already", async () => {
    const { exit } = await run(directory, "echo ran", {}, { signal: AbortSignal.abort() });
    expect(exit).toEqual({ kind: "cancelled", by: "caller" });
  });
});

describe.concurrent("a time limit", () => {
  // Each text leaves processes with a number of its own in their command line.
  test.each([
    ["a plain child", "sleep 1001", "1001"],
    ["a background child", "sleep 1002 & sleep 1002", "1002"],
    ["a new session", "setsid sleep 1003 & sleep 1003", "1003"],
    [
      "a double fork in a session of its own",
      "(setsid sh -c 'sleep 1004 & sleep 1004' >/dev/null 2>&1 </dev/null &); sleep 1004",
      "1004",
    ],
    ["an empty environment", "(env -i sh -c 'sleep 1005; :' &) ; sleep 1005", "1005"],
    [
      "a child that stays when asked to go",
      "trap '' TERM; sh -c 'sleep 1006; sleep 1006' & sleep 1006; sleep 1006",
      "1006",
    ],
    ["a stopped child", "sh -c 'kill -STOP $$; sleep 1007' & sleep 1007", "1007"],
    ["nohup", "nohup sleep 1008 >/dev/null 2>&1 & sleep 1008", "1008"],
  ])("ends %s", async (_, text, mark) => {
    const { exit, durationMs, background } = await run(directory, text, { timeoutMs: 700 });
    expect({ exit, background }).toEqual({ exit: { kind: "timed-out", afterMs: 700 }, background: [] });
    expect(durationMs).toBeLessThan(15_000);
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  test("cuts endless output", async () => {
    const { exit, output, truncated } = await run(directory, "yes", {
      timeoutMs: 1_500,
      maxOutputBytes: 2_000,
      maxSpoolBytes: 1_000_000,
    });
    expect(exit).toEqual({ kind: "timed-out", afterMs: 1_500 });
    expect(output.startsWith("y\ny\n")).toBe(true);
    expect(truncated?.omittedBytes).toBeGreaterThan(0);
  });

  test("keeps what was printed before it", async () => {
    const { output } = await run(directory, "echo before; sleep 1009; echo after", { timeoutMs: 2_000 });
    expect(output).toBe("before\n");
  });
});

describe.concurrent("cancelling", () => {
  test("ends the whole tree", async () => {
    const controller = new AbortController();
    const running = run(directory, "setsid sleep 1101 & sleep 1101", {}, { signal: controller.signal });
    expect(await until(() => processesWith("sleep 1101").length >= 2, 30_000)).toBe(true);
    controller.abort();
    const { exit, background } = await running;
    expect({ exit, background }).toEqual({ exit: { kind: "cancelled", by: "caller" }, background: [] });
    expect(processesWith("sleep 1101")).toEqual([]);
  });

  test("by a signal names it", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort("SIGTERM"), 300);
    const { exit } = await run(directory, "sleep 1102", {}, { signal: controller.signal });
    expect(exit).toEqual({ kind: "cancelled", by: "signal", signal: "SIGTERM" });
  });
});

describe.concurrent("background processes", () => {
  test.each([
    ["sleep 1201 &", "sleep 1201"],
    ["(sleep 1202 &)", "sleep 1202"],
    ["setsid sleep 1203 >/dev/null 2>&1 < /dev/null &", "sleep 1203"],
    ["nohup sleep 1204 >/dev/null 2>&1 &", "sleep 1204"],
    ["(while :; do echo tick; sleep 0.1; done; : 1205) & sleep 0.3; echo done", "1205"],
  ])("are left, and listed: %s", async (text, command) => {
    const { exit, background, durationMs } = await run(directory, text);
    for (const { pid } of background) kill(pid);
    expect(exit).toEqual({ kind: "exited", code: 0 });
    expect(durationMs).toBeLessThan(15_000);
    expect(background.some((process) => process.command.includes(command))).toBe(true);
  });

  test("may go on printing after the end", async () => {
    const text = "(for i in 1 2 3 4 5 6; do sleep 0.2; echo $i || exit 1; done; echo wrote > finished) & echo done";
    const { output } = await run(directory, text);
    expect(output).toMatch(/^done\n/);
    expect(await until(() => processesWith("wrote > finished").length === 0, 30_000)).toBe(true);
    const { output: finished } = await run(directory, "cat finished");
    expect(finished).toBe("wrote\n");
  });

  test("of a pipeline that is over are none", async () => {
    const { background } = await run(directory, "yes | head -1; cat <(echo x)");
    expect(background).toEqual([]);
  });
});
