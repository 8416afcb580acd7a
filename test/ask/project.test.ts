import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectIdOf } from "../../src/ask/project.ts";
import { makePlace } from "./place.ts";

const place = makePlace({
  "project/.git/worktrees/side/gitdir": "PLACEHOLDER",
  "project/.git/worktrees/side/commondir": "../..\n",
  "project/deep/er/file": "",
  "plain/.guarded-sh/policy.toml": "",
  "plain/sub/file": "",
  "bare/file": "",
});
afterAll(place.remove);
const root = join(place.project, "..");

function worktree(name: string, gitdir: string, backTo = join(root, name, ".git")): string {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, ".git"), `gitdir: ${gitdir}\n`);
  writeFileSync(join(gitdir, "gitdir"), `${backTo}\n`);
  return join(root, name);
}

test("a repository is its root, from every directory in it", () => {
  expect([place.project, join(place.project, "deep/er")].map((cwd) => projectIdOf(cwd, undefined))).toEqual([
    place.project,
    place.project,
  ]);
});

test("a worktree is its repository", () => {
  const side = worktree("side", join(place.project, ".git/worktrees/side"));
  expect(projectIdOf(side, undefined)).toBe(place.project);
});

test("a .git file that the repository does not name is a project of its own", () => {
  const forged = worktree("forged", join(place.project, ".git/worktrees/side"), join(root, "side", ".git"));
  expect(projectIdOf(forged, undefined)).toBe(forged);
});

test("a directory that only says it is a worktree's is a project of its own", () => {
  const made = join(root, "made");
  mkdirSync(made);
  writeFileSync(join(made, "commondir"), `${join(place.project, ".git")}\n`);
  const forged = worktree("forged2", made);
  expect(projectIdOf(forged, undefined)).toBe(forged);
});

test("without a repository it is the folder of the policy, else the directory", () => {
  const plain = join(root, "plain");
  expect(projectIdOf(join(plain, "sub"), join(plain, ".guarded-sh/policy.toml"))).toBe(plain);
  expect(projectIdOf(join(plain, "sub"), join(plain, "guarded-sh.toml"))).toBe(plain);
  expect(projectIdOf(join(root, "bare"), undefined)).toBe(join(root, "bare"));
});
