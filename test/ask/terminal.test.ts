import { spawn } from "@lydell/node-pty";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PROGRAM } from "./cli.ts";
import { grantsIn, makePlace, type Place, tomlOf, until } from "./place.ts";

let place: Place;
beforeEach(() => {
  place = makePlace({ "home/.config/guarded-sh/policy.toml": tomlOf([]) });
});
afterEach(() => place.remove());

const DOWN = "\u001b[B";

/** Runs a shell line on a terminal; `$G` is the program. */
function onTerminal(line: string) {
  const terminal = spawn("/bin/sh", ["-c", line], {
    cols: 80,
    rows: 40,
    cwd: place.project,
    env: { ...place.env, TERM: "xterm", G: `${process.execPath} ${PROGRAM}` },
  });
  let shown = "";
  terminal.onData((text) => {
    shown += text;
  });
  const status = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  const count = (text: string) => shown.split(text).length - 1;
  return {
    status,
    shown: () => shown,
    /** Waits until a text has been shown so often. */
    shows: (text: string, times = 1) => until(() => count(text) >= times, `${text} in ${JSON.stringify(shown)}`),
    /** Types at once, whatever is shown: right after the start, before any question. */
    type: (keys: string) => terminal.write(keys),
    async press(...keys: readonly string[]) {
      for (const key of keys) {
        // The next question takes keys only when it is drawn.
        await new Promise((resolve) => setTimeout(resolve, 200));
        terminal.write(key);
      }
    },
  };
}

test("a question on the terminal shows what is open and why, and runs the text once it is allowed", async () => {
  const { press, shows, shown, status } = onTerminal("$G run 'echo one && echo two'");
  await shows("↑/↓");
  expect(shown()).toContain("│ echo one && echo two\r\n  ^^^^^^^^    ^^^^^^^^\r\n");
  await press("\r");
  expect(await status).toBe(0);
  expect(shown()).toMatch(/one\r*\ntwo\r*\n/);
});

test("a pattern can be typed in place of the proposals", async () => {
  const { press, shows, status } = onTerminal("$G run 'git --version'");
  await shows("your answer");
  await press(DOWN, DOWN, "\r");
  await shows("what covers");
  await press("\u001b[A", "\r");
  await shows("pattern for");
  await press("\u007f".repeat(40), "git --version *", "\r");
  await shows("for how long");
  await press(DOWN, "\r");
  expect(await status).toBe(0);
  expect(grantsIn(place)).toMatchObject([{ pattern: "git --version *", exact: false, scope: "project" }]);
});

test("a rejection may say what to do instead", async () => {
  const { press, shows, shown, status } = onTerminal("$G run 'echo one'");
  await shows("your answer");
  await press("\u001b[A", "\r");
  await shows("what to do instead");
  await press("use printf", "\r");
  expect(await status).toBe(126);
  expect(shown()).toContain("correction: use printf");
});

test("keys that were typed before the question do not answer it", async () => {
  const { press, type, shows, shown, status } = onTerminal("$G run 'echo one'");
  type("\r\r");
  await shows("↑/↓");
  await press("\u0003");
  expect(await status).toBe(126);
  expect(shown()).toContain("cancelled before it was decided");
});

test("two that ask on one terminal take turns", async () => {
  const { press, shows, shown, status } = onTerminal("$G run 'echo one' & $G run 'echo two'; wait");
  await shows("↑/↓", 1);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(shown().split("may this run?")).toHaveLength(2);
  await press("\r");
  await shows("may this run?", 2);
  await shows("your answer", 3);
  await press("\r");
  await status;
  for (const word of ["one", "two"]) expect(shown()).toMatch(new RegExp(`(?<!echo )${word}\\r*\\n`));
});
