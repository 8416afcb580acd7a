import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { databaseFile } from "../../src/ask/database.ts";
import { start } from "./cli.ts";
import { grantsIn, makePlace, type Place, pendingIn, tomlOf, until } from "./place.ts";

let place: Place;
const places: Place[] = [];
afterAll(() => {
  for (const one of places) one.remove();
});
beforeEach(() => {
  place = placeWith(["deny git push", "allow true"]);
});

function placeWith(rules: readonly string[]): Place {
  const made = makePlace({ "home/.config/guarded-sh/policy.toml": tomlOf(rules) });
  places.push(made);
  return made;
}

const run = (args: readonly string[], at = place, cwd?: string) =>
  start(at, args, cwd === undefined ? {} : { cwd }).done;
const resultOf = (stdout: string) => JSON.parse(stdout) as Readonly<Record<string, unknown>>;

/** Runs a text that is asked, has it answered by another process, and gives how both ended. */
async function answered(command: string, reply: readonly string[], options: readonly string[] = [], at = place) {
  const waiting = start(at, ["run", "--json", "--approver", "queue", ...options, command]);
  const request = await until(() => pendingIn(at).find(({ text }) => text === command), command);
  const replied = await run(["requests", "reply", request.id, ...reply], at);
  return { request, replied, result: replied.code === 0 ? resultOf((await waiting.done).stdout) : undefined, waiting };
}

describe("where nobody can be asked", () => {
  test("it is over at once, nothing has run, and the missing rule is named", async () => {
    const { code, stdout } = await run(["run", "--json", "git fetch origin > made"]);
    expect(code).toBe(126);
    expect(resultOf(stdout)).toMatchObject({
      kind: "denied",
      denial: {
        kind: "ask-unavailable",
        message: expect.stringContaining('add a rule: tool = "bash", pattern = "git fetch *", action = "allow"'),
        ran: false,
      },
    });
    expect(() => readFileSync(join(place.project, "made"))).toThrow("ENOENT");
  });

  test("no database is made for it", async () => {
    await run(["run", "git fetch"]);
    expect(() => readFileSync(databaseFile(place.state))).toThrow("ENOENT");
  });

  test("an approver that nobody knows is a mistake, and nothing runs", async () => {
    expect(await run(["run", "--approver", "me", "true"])).toMatchObject({ code: 125 });
  });
});

describe("answers of another process", () => {
  test("once: it runs, and the next one is asked again", async () => {
    const { result } = await answered("echo hi", ["once"]);
    expect(result).toMatchObject({ kind: "ran", approved_by: "person", execution: { output: "hi\n" } });
    expect((await run(["run", "echo hi"])).code).toBe(126);
  });

  test("always for the project: the next one runs without a question, also without anybody to ask", async () => {
    await answered("echo hi", ["always", "--scope", "project"]);
    const { stdout } = await run(["run", "--json", "echo other"]);
    expect(resultOf(stdout)).toMatchObject({
      kind: "ran",
      approved_by: "grant",
      segments: [{ decision: "allow", because: [{ pattern: "echo *", source: "grant 1" }, { kind: "default" }] }],
    });
    expect(grantsIn(place)[0]?.lastUsedAt).not.toBeNull();
  });

  test("always for the session: another session is asked", async () => {
    await answered("echo hi", ["always"], ["--session", "a"]);
    expect((await run(["run", "--session", "a", "echo x"])).code).toBe(0);
    expect((await run(["run", "--session", "b", "echo x"])).code).toBe(126);
    expect((await run(["run", "echo x"])).code).toBe(126);
  });

  test("reject with a reason: the reason comes back, nothing has run", async () => {
    const { result } = await answered("echo hi", ["reject", "--feedback", "x".repeat(5000)]);
    expect(result).toMatchObject({ kind: "rejected", denial: { kind: "corrected", ran: false } });
    expect(result).toMatchObject({ denial: { feedback: expect.stringMatching(/^x{1999}…$/) } });
  });

  test("an edited pattern that does not cover the question is refused, and the question stays", async () => {
    const { replied, waiting, request } = await answered("echo hi", ["always", "--pattern", "ls *"]);
    expect(replied).toMatchObject({ code: 2, stderr: expect.stringContaining("not-storable") });
    expect((await run(["requests", "reply", request.id, "always", "--pattern", "*"])).stderr).toContain("not-storable");
    expect(pendingIn(place)).toHaveLength(1);
    await run(["requests", "reply", request.id.slice(0, 4), "reject"]);
    expect((await waiting.done).code).toBe(126);
    expect(grantsIn(place)).toEqual([]);
  });

  test("an answer to what is gone is an error that says so", async () => {
    const { request, replied } = await answered("echo hi", ["once"]);
    expect(replied.stdout).toBe(`${request.id} is answered: once\n`);
    expect(await run(["requests", "reply", request.id, "once"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("request-gone"),
    });
  });

  test("nobody answers in time", async () => {
    const { stdout } = await run(["run", "--json", "--approver", "queue", "--ask-timeout", "0.3", "echo hi"]);
    expect(resultOf(stdout)).toMatchObject({ denial: { kind: "ask-timeout" } });
    expect(pendingIn(place)).toEqual([]);
  });

  test("a signal ends the wait, and the request with it", async () => {
    const waiting = start(place, ["run", "--json", "--approver", "queue", "echo hi"]);
    await until(() => pendingIn(place).length === 1, "the request");
    waiting.child.kill("SIGINT");
    expect(resultOf((await waiting.done).stdout)).toMatchObject({ denial: { kind: "cancelled" } });
    expect(pendingIn(place)).toEqual([]);
  });

  test("a process that is killed leaves no request", async () => {
    const waiting = start(place, ["run", "--approver", "queue", "echo hi"]);
    await until(() => pendingIn(place).length === 1, "the request");
    waiting.child.kill("SIGKILL");
    await waiting.done;
    expect((await run(["requests", "list"])).stdout).toBe("nothing waits for approval\n");
  });
});

describe("what a grant can never do", () => {
  test("it lets nothing through a deny, however wide it is", async () => {
    await answered("git fetch", ["always", "--scope", "project", "--pattern", "git *"]);
    expect((await run(["run", "git version"])).code).toBe(0);
    const { stdout } = await run(["run", "--json", "git push origin"]);
    expect(resultOf(stdout)).toMatchObject({ kind: "denied", denial: { kind: "rule" } });
  });

  test("it reaches no other project and no other home", async () => {
    await answered("echo hi", ["always", "--scope", "project"]);
    const other = join(place.project, "../other");
    mkdirSync(join(other, ".git"), { recursive: true });
    expect((await run(["run", "echo hi"], place, other)).code).toBe(126);
    expect((await run(["run", "echo hi"], placeWith([]))).code).toBe(126);
    expect((await run(["run", "echo hi"])).code).toBe(0);
  });
});

describe("grants", () => {
  test("are listed, exported as rules and revoked", async () => {
    await answered("echo hi", ["always", "--scope", "project"]);
    expect((await run(["grants"])).stdout).toMatch(/^ {3}1 {2}echo \* {2}\(project, given /);
    expect((await run(["grants", "export"])).stdout).toContain('pattern = "echo *"\naction = "allow"');
    expect(JSON.parse((await run(["grants", "--json"])).stdout)).toMatchObject([{ id: 1, pattern: "echo *" }]);
    expect((await run(["grants", "revoke", "1", "7"])).code).toBe(2);
    expect((await run(["grants", "revoke", "1"])).stdout).toBe("1 grant revoked\n");
    expect((await run(["run", "echo hi"])).code).toBe(126);
  });
});

describe("a database that cannot be used", () => {
  test("nothing runs, the message says which and how to mend it, the file stays", async () => {
    mkdirSync(place.state, { recursive: true });
    writeFileSync(databaseFile(place.state), "not a database");
    const { code, stdout } = await run(["run", "--json", "--approver", "queue", "echo hi"]);
    expect(code).toBe(125);
    expect(resultOf(stdout)).toMatchObject({
      kind: "failed",
      denial: { message: expect.stringMatching(/store-corrupt.*\nhelp: .*mv /) },
    });
    expect(readFileSync(databaseFile(place.state), "utf8")).toBe("not a database");
    for (const argv of [["grants"], ["requests", "list"], ["requests", "reply", "1", "once"]]) {
      const called = await run(argv);
      expect({ argv, ...called }).toMatchObject({ code: 2, stdout: "" });
      expect(called.stderr).toMatch(/^guarded-sh: store-corrupt: \S+guarded-sh\.db is damaged.*\nhelp: .*mv /);
    }
  });

  test("what needs no question runs all the same", async () => {
    mkdirSync(place.state, { recursive: true });
    writeFileSync(databaseFile(place.state), "not a database");
    expect((await run(["run", "true"])).code).toBe(0);
  });

  test.skipIf(process.getuid?.() === 0)("a folder that cannot be written is told", async () => {
    mkdirSync(place.state, { recursive: true });
    chmodSync(place.state, 0o500);
    expect((await run(["run", "--approver", "queue", "echo hi"])).code).toBe(125);
  });
});

test("the log tells what was asked, answered and denied", async () => {
  await answered("echo hi", ["once"]);
  await answered("echo hi", ["once"]);
  await run(["run", "git push"]);
  await run(["run", "ls"]);
  const lines = (await run(["log", "--json"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { outcome: string; text: string });
  expect(lines.map(({ outcome, text }) => `${outcome} ${text}`)).toEqual([
    "once echo hi",
    "once echo hi",
    "denied git push",
    "ask-unavailable ls",
  ]);
  expect((await run(["log", "--rules"])).stdout).toContain('pattern = "echo *"');
});
