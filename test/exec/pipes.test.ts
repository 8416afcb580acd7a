import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleExec } from "./separate.ts";
import { launch, processesWith, temporaryDirectory, until } from "./terminal.ts";

const { path: directory, remove } = temporaryDirectory();
const program = join(directory, "program.mjs");
let bundle: Awaited<ReturnType<typeof bundleExec>>;

beforeAll(async () => {
  bundle = await bundleExec("pipes");
  writeFileSync(
    program,
    `import { exitStatus, runInPipes } from ${JSON.stringify(bundle.file)};
     const execution = await runInPipes({ ...JSON.parse(process.argv[2]), env: process.env });
     if (process.env.REPORT) (await import("node:fs")).writeFileSync(process.env.REPORT, JSON.stringify(execution));
     if (process.env.LOADED) process.exit(process.report.getReport().sharedObjects.some((file) => /pty/.test(file)) ? 1 : 0);
     process.exit(exitStatus(execution.exit));`,
  );
});
afterAll(() => {
  bundle.remove();
  remove();
});

const argvFor = (text: string, more = {}) => {
  const { timeoutMs: _, ...plain } = launch(directory, text);
  return [program, JSON.stringify({ ...plain, ...more })];
};

function runPiped(text: string, options: { input?: string | Buffer; env?: NodeJS.ProcessEnv; more?: object } = {}) {
  const env = { PATH: process.env.PATH, ...options.env };
  return spawnSync(process.execPath, argvFor(text, options.more), { input: options.input ?? "", env });
}

describe("on inherited descriptors", () => {
  test("bytes pass through untouched, both ways", () => {
    const input = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256));
    const { stdout, stderr, status } = runPiped("cat; printf '\\0\\xff\\r\\n' >&2; exit 7", { input });
    expect(stdout.equals(input)).toBe(true);
    expect([...stderr]).toEqual([0, 255, 13, 10]);
    expect(status).toBe(7);
  });

  test.each([
    ["exit 300", 44],
    ["kill -9 $$", 137],
    ["exec false", 1],
    ["echo a; if", 2],
    ["nosuchprogram", 127],
  ])("the status is the shell's: %s", (text, status) => {
    expect(runPiped(text).status).toBe(status);
  });

  test("the shell is plain bash -c", () => {
    const { stdout } = runPiped('echo "$0 $1 $- $BASH_ENV"; trap', {
      more: { name: "zero", parameters: ["one"] },
    });
    expect(stdout.toString()).toBe("zero one hBc \n");
  });

  test("the pty package is not loaded", () => {
    expect(runPiped("true", { env: { LOADED: "1" } }).status).toBe(0);
  });

  test("a time limit ends the whole tree", () => {
    const report = join(directory, "report.json");
    runPiped("setsid sleep 3001 & sleep 3001; :", { env: { REPORT: report }, more: { timeoutMs: 400 } });
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      exit: { kind: "timed-out", afterMs: 400 },
      output: "",
      cwdKnown: false,
    });
    expect(processesWith("sleep 3001")).toEqual([]);
  });

  test("the call returns although a child keeps the descriptors", async () => {
    const started = performance.now();
    const child = spawn(process.execPath, argvFor("sleep 3002 & echo done"), {
      stdio: ["ignore", "pipe", "ignore"],
    } satisfies SpawnOptions);
    await new Promise((resolve) => child.once("exit", resolve));
    expect(performance.now() - started).toBeLessThan(60_000);
    for (const pid of processesWith("sleep 3002")) process.kill(pid);
  });

  test.each(["SIGTERM", "SIGINT", "SIGUSR1"] as const)("%s is passed on", async (signal) => {
    const text = `trap 'echo got; exit 9' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`;
    const child = spawn(process.execPath, argvFor(text), { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
    });
    expect(await until(() => output.includes("ready"), 30_000)).toBe(true);
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    expect(await exited).toBe(9);
    expect(output).toBe("ready\ngot\n");
  });

  test("a missing directory is told", () => {
    const report = join(directory, "report.json");
    const { status } = runPiped("true", { env: { REPORT: report }, more: { cwd: join(directory, "gone") } });
    expect(status).toBe(125);
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      exit: { kind: "not-started", code: "no-directory" },
    });
  });
});
