import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleExec } from "./separate.ts";
import { launch, processesWith, sleeping, temporaryDirectory, until } from "./terminal.ts";

const { path: directory, remove } = temporaryDirectory();
const program = join(directory, "program.mjs");
let bundle: Awaited<ReturnType<typeof bundleExec>>;

beforeAll(async () => {
  bundle = await bundleExec("death");
  writeFileSync(
    program,
    `import { endOnSignals, exitStatus, runInPipes, runInTerminal } from ${JSON.stringify(bundle.file)};
     const [how, json] = process.argv.slice(2);
     const { signal } = endOnSignals();
     const launch = JSON.parse(json);
     const execution = how === "pipes" ? runInPipes(launch) : runInTerminal(launch, { signal }).execution;
     process.exit(exitStatus((await execution).exit));`,
  );
});
afterAll(() => {
  bundle.remove();
  remove();
});

function start(how: "pipes" | "terminal", text: string): ChildProcess {
  const json = JSON.stringify(launch(directory, text, { timeoutMs: 60_000 }));
  return spawn(process.execPath, [program, how, json], { stdio: "ignore" });
}

/** Long enough for a machine that has other things to do; short beside the sleeps, which last more than half an hour. */
const SOON = 25_000;

/** The parent of a process; undefined when it has ended meanwhile. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}
const watchersOf = ({ pid }: ChildProcess) =>
  processesWith("guarded-sh-watcher").filter((watcher) => parentOf(watcher) === pid);
const exitOf = (child: ChildProcess) => new Promise((resolve) => child.once("exit", (code) => resolve(code)));

describe.concurrent("when guarded-sh is killed", () => {
  test.each([
    ["terminal", "2001", "sleep 2001 & sleep 2001"],
    ["terminal", "2002", "setsid sleep 2002 & sleep 2002"],
    ["terminal", "2003", "(setsid sh -c 'sleep 2003 & sleep 2003' &) ; trap '' TERM; sleep 2003; sleep 2003"],
    ["pipes", "2004", "setsid sleep 2004 & sleep 2004; :"],
  ] as const)("in %s mode nothing of the command outlives it (%s)", async (how, mark, text) => {
    const child = start(how, text);
    expect(await until(() => sleeping(mark) >= 2, SOON)).toBe(true);
    expect(await until(() => watchersOf(child).length === 1, SOON)).toBe(true);
    const watchers = watchersOf(child);
    child.kill("SIGKILL");
    expect(await until(() => processesWith(`sleep ${mark}`).length === 0, SOON)).toBe(true);
    expect(await until(() => processesWith("guarded-sh-watcher").every((pid) => !watchers.includes(pid)), SOON)).toBe(
      true,
    );
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends the whole tree", async (signal) => {
    const mark = `21${signal.length}${signal.charCodeAt(3)}`;
    const child = start("terminal", `setsid sleep ${mark} & sleep ${mark}`);
    expect(await until(() => sleeping(mark) >= 2, SOON)).toBe(true);
    const exited = exitOf(child);
    child.kill(signal);
    expect(await exited).toBe(128 + { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 }[signal]);
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  test("its parent's death ends the whole tree", async () => {
    const json = JSON.stringify(launch(directory, "sleep 2201", { timeoutMs: 60_000 }));
    const parent = spawn("/bin/sh", ["-c", `"$@" & sleep 2202`, "sh", process.execPath, program, "terminal", json], {
      stdio: "ignore",
      detached: true,
    });
    expect(await until(() => sleeping("2201") >= 1, SOON)).toBe(true);
    parent.kill("SIGKILL");
    expect(await until(() => processesWith("sleep 2201").length === 0, SOON)).toBe(true);
    for (const pid of processesWith("sleep 2202")) process.kill(pid);
  });
});
