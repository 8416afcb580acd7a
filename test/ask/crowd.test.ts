import { type IPty, spawn } from "@lydell/node-pty";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PROGRAM, type Started, start } from "./cli.ts";
import { grantsIn, makePlace, type Place, pendingIn, tomlOf, until } from "./place.ts";

/** Each is a Node process of its own. `GUARDED_SH_PROCESSES=32` for more. */
const PROCESSES = Number(process.env.GUARDED_SH_PROCESSES ?? 16);
/** Twenty in every run; `GUARDED_SH_KILLS=100` for a long one. */
const KILLS = Number(process.env.GUARDED_SH_KILLS ?? 20);
/** For a test that starts many processes one after the other. */
const LONG = { timeout: 600_000 };

let place: Place;
let screen: Screen | undefined;
beforeEach(() => {
  place = makePlace({ "home/.config/guarded-sh/policy.toml": tomlOf([]) });
});
afterEach(() => {
  screen?.terminal.kill("SIGKILL");
  screen = undefined;
  place.remove();
});

interface Screen {
  readonly terminal: IPty;
  /** Everything that was drawn. */
  readonly drawn: () => string;
  readonly ended: Promise<number>;
}

function openScreen(): Screen {
  const terminal = spawn(process.execPath, [PROGRAM, "requests"], {
    cols: 80,
    rows: 24,
    cwd: place.project,
    env: { ...place.env, TERM: "xterm" },
  });
  let drawn = "";
  terminal.onData((text) => {
    drawn += text;
  });
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  return { terminal, drawn: () => drawn, ended };
}

const ask = (name: string, session = name): Started =>
  start(place, ["run", "--json", "--approver", "queue", "--session", session, `echo ${name}`]);

/** Presses a key for the request on top and waits until it is gone. */
async function press({ terminal }: Screen, key: string): Promise<void> {
  const [first] = pendingIn(place);
  terminal.write(key);
  await until(() => pendingIn(place).every(({ id }) => id !== first?.id), `an answer to ${first?.text}`);
}

test(`${PROCESSES} processes that ask at once are answered by one screen, each with its own answer`, LONG, async () => {
  const waiting = Array.from({ length: PROCESSES }, (_, i) => ({ name: `n${i}`, started: ask(`n${i}`) }));
  await until(() => pendingIn(place).length === PROCESSES, `${PROCESSES} requests`, 240_000);
  screen = openScreen();
  const { drawn, terminal } = screen;
  await until(() => drawn().includes(`${PROCESSES} requests wait`), "the list");
  const given = new Map<string, string>();
  for (let i = 0; i < PROCESSES; i++) {
    const [top] = pendingIn(place);
    const key = i % 3 === 0 ? "r" : "o";
    given.set(top?.text ?? "", key);
    await press(screen, key);
  }
  for (const { name, started } of waiting) {
    const result = JSON.parse((await started.done).stdout) as { kind: string; execution?: { output: string } };
    const expected = given.get(`echo ${name}`) === "r" ? ["rejected", undefined] : ["ran", `${name}\n`];
    expect([result.kind, result.execution?.output]).toEqual(expected);
  }
  await until(() => drawn().includes("0 requests wait"), "the empty list");
  terminal.write("q");
  expect(await screen.ended).toBe(0);
});

describe("the screen", () => {
  test("shows a request in full, and takes the answer that the choices give", async () => {
    const waiting = ask("hello");
    await until(() => pendingIn(place).length === 1, "the request");
    screen = openScreen();
    const { drawn, terminal } = screen;
    await until(() => drawn().includes("1 request waits"), "the list");
    terminal.write("\r");
    await until(() => drawn().includes("your answer"), "the choices");
    expect(drawn()).toContain("always in this project: echo *");
    // Down twice: once, this session, this project.
    for (const key of ["\u001b[B", "\u001b[B", "\r"]) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      terminal.write(key);
    }
    expect(JSON.parse((await waiting.done).stdout)).toMatchObject({ kind: "ran", approved_by: "person" });
    expect(grantsIn(place)).toMatchObject([{ pattern: "echo *", scope: "project" }]);
  });

  test("an always releases what else it covers in the session", async () => {
    const waiting = ["a", "b", "c"].map((name) => ask(name, "one"));
    const other = ask("d", "two");
    await until(() => pendingIn(place).length === 4, "the requests");
    screen = openScreen();
    await until(() => screen?.drawn().includes("4 requests wait"), "the list");
    const [top] = pendingIn(place);
    screen.terminal.write(top?.session === "two" ? "\u001b[Bs" : "s");
    const results = await Promise.all(waiting.map(async ({ done }) => JSON.parse((await done).stdout) as unknown));
    expect(results).toMatchObject(waiting.map(() => ({ kind: "ran" })));
    expect(pendingIn(place).map(({ session }) => session)).toEqual(["two"]);
    other.child.kill("SIGKILL");
    await other.done;
  });
});

/** Numbers from a seed, so that a failure can be had again. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test(`${KILLS} kills at random moments lose no grant and leave no request`, LONG, async () => {
  const next = numbers(Number(process.env.GUARDED_SH_SEED ?? 7));
  for (let round = 0; round < KILLS; round++) {
    const name = `k${round}`;
    const asking = ask(name);
    const request = await Promise.race([
      until(() => pendingIn(place).find(({ text }) => text === `echo ${name}`), `${name}: ${asking.said()}`),
      asking.done.then((ended) => Promise.reject(new Error(`${name} did not wait: ${JSON.stringify(ended)}`))),
    ]);
    const pattern = `echo ${name} *`;
    const replying = start(place, [
      "requests",
      "reply",
      request.id,
      "always",
      "--scope",
      "project",
      "--pattern",
      pattern,
    ]);
    // Either the one that waits or the one that answers, somewhere between its start and its end.
    const victim = next() < 0.5 ? asking : replying;
    const timer = setTimeout(() => victim.child.kill("SIGKILL"), next() * 400);
    const answered = await replying.done;
    if (victim === replying && answered.code !== 0) asking.child.kill("SIGKILL");
    await asking.done;
    clearTimeout(timer);
    const stored = grantsIn(place).some((grant) => grant.pattern === pattern);
    // What was told to be stored is stored; what was cut off is there as a whole or not at all.
    if (answered.code === 0) expect(stored).toBe(true);
    else if (answered.code !== null) expect(answered.stderr).toContain("request-gone");
    expect(pendingIn(place)).toEqual([]);
  }
});
