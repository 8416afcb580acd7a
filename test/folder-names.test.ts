import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { existsByFolder } from "../src/folder-names.ts";
import { exists } from "../src/surroundings.ts";

const folder = mkdtempSync(join(tmpdir(), "names-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a folder that is listed says what asking for each file says", () => {
  mkdirSync(join(folder, "d"));
  writeFileSync(join(folder, "Upper"), "");
  writeFileSync(join(folder, "d/é"), "");
  symlinkSync("nowhere", join(folder, "link"));
  symlinkSync("d", join(folder, "to-d"));
  const missing = Array.from({ length: 40 }, (_, i) => `missing${i}`);
  const named = [
    "Upper",
    "upper",
    "link",
    "link/x",
    "d",
    "d/x",
    "d/é",
    "to-d/é",
    "Upper/x",
    "d/../link",
    "x".repeat(300),
  ];
  const look = existsByFolder(exists);
  for (const name of [
    ...missing,
    ...missing.map((each) => `${each}/x/y`),
    ...missing.map((each) => `d/${each}`),
    ...named,
  ])
    expect([name, look(join(folder, name))]).toEqual([name, exists(join(folder, name))]);
  expect(look(`${folder}/d/../link`)).toBe(true);
});

test("nothing is asked for below what is not there", () => {
  let asked = 0;
  const look = existsByFolder((path) => {
    asked++;
    return exists(path);
  });
  expect(look(`${folder}/none`)).toBe(false);
  for (let i = 0; i < 1000; i++) expect(look(`${folder}/none/${i}`)).toBe(false);
  expect(asked).toBe(1);
});
