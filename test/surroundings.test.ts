import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRootOf, readText, realPath, surroundingsOf } from "../src/surroundings.ts";

const folder = realPath(mkdtempSync(join(tmpdir(), "world-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "repo/.git"), { recursive: true });
mkdirSync(join(folder, "repo/src/deep"), { recursive: true });
writeFileSync(join(folder, "repo/a.sh"), "echo a\n");
writeFileSync(join(folder, "repo/binary"), "a\0b");
symlinkSync(join(folder, "repo"), join(folder, "link"));
symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
symlinkSync(join(folder, "loop"), join(folder, "loop"));

test.each([
  ["repo/a.sh", "repo/a.sh"],
  ["link/a.sh", "repo/a.sh"],
  ["link/new/file", "repo/new/file"],
  ["link", "repo"],
  ["dangling", "dangling"],
  ["dangling/x", "dangling/x"],
  ["loop/x", "loop/x"],
  ["repo/a.sh/under-a-file", "repo/a.sh/under-a-file"],
])("%s is really %s", (path, real) => {
  expect(realPath(join(folder, path))).toBe(join(folder, real));
});

test("only text files are read", () => {
  expect(["repo/a.sh", "repo/binary", "repo", "none"].map((name) => readText(join(folder, name)))).toEqual([
    "echo a\n",
    undefined,
    undefined,
    undefined,
  ]);
});

test("the project is the repository, and without one the directory", () => {
  expect([projectRootOf(join(folder, "repo/src/deep")), projectRootOf(join(folder, "repo"))]).toEqual([
    join(folder, "repo"),
    join(folder, "repo"),
  ]);
});

test("a program is looked up as PATH says, without relative folders", () => {
  const { findProgram } = surroundingsOf(folder, { PATH: `.:${folder}:/bin:/usr/bin` });
  expect([findProgram?.("sh")?.endsWith("/sh"), findProgram?.("a.sh"), findProgram?.("no-such-program")]).toEqual([
    true,
    undefined,
    undefined,
  ]);
});
