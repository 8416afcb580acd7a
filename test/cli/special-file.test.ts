import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ShellPlace } from "./shell-place.ts";

// As a program of its own: what waits for ever must not take the test with it.
const place = new ShellPlace(undefined);
afterAll(() => place.remove());
for (const name of ["pipe", "pipe.toml", "pipe.jsonl", "pipe.json"])
  spawnSync("mkfifo", [join(place.project, name)], { timeout: 5_000 });
symlinkSync("/dev/zero", join(place.project, "endless.toml"));

const NOT_REGULAR = /not a regular file/;

describe("a file that could keep its reader for ever is refused", () => {
  test.each([
    [["check", "--policy", "pipe.toml", "ls"], 2],
    [["check", "--policy", "endless.toml", "ls"], 2],
    [["run", "--policy", "pipe.toml", "echo a"], 125],
    [["check", "--skill", "pipe", "ls"], 2],
    [["policy", "lint", "pipe.toml"], 2],
    [["policy", "import", "claude", "pipe"], 2],
    [["test", "pipe.toml"], 2],
    [["test", "pipe.jsonl"], 2],
    [["arity", "lint", "pipe.json"], 2],
    [["trust", "pipe.toml"], 2],
    [["arity", "add", "mytool", "--prefix", "2", "--file", "pipe.toml"], 2],
  ])("%j", (argv, status) => {
    const called = place.call(argv, { name: "guarded-sh" });
    expect({ status: called.status, stdout: called.stdout }).toEqual({ status, stdout: "" });
    expect(called.stderr).toMatch(NOT_REGULAR);
  });

  test("as the policy of the project and of the user", () => {
    for (const path of [join(place.project, "guarded-sh.toml"), join(place.home, ".config/guarded-sh/policy.toml")]) {
      spawnSync("mkdir", ["-p", join(path, "..")]);
      spawnSync("mkfifo", [path], { timeout: 5_000 });
      const called = place.call(["-c", "echo a"]);
      expect([called.status, called.stdout, called.stderr]).toEqual([125, "", expect.stringMatching(NOT_REGULAR)]);
      rmSync(path);
    }
  });
});
