import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { CommandSpec, Entry } from "../../src/segment/spec.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, "arity/generated");
const names = readdirSync(folder).sort();
const entries = names.map((name): Entry => JSON.parse(readFileSync(join(folder, name), "utf8")));

function specsOf(spec: CommandSpec): CommandSpec[] {
  return [spec, ...Object.values(spec.verbs ?? {}).flatMap((verb) => (typeof verb === "string" ? [] : specsOf(verb)))];
}

test("the files are what `npm run arity:generate` writes", () => {
  const fresh = join(temporaryFolder("arity-"), "generated");
  // In a process of its own: the test runner's import is slow for 700 modules.
  execFileSync(process.execPath, [join(root, "scripts/arity-generate.mjs"), fresh]);
  const text = (directory: string, name: string) => readFileSync(join(directory, name), "utf8");
  expect(readdirSync(fresh).sort()).toEqual(names);
  expect(names.filter((name) => text(fresh, name) !== text(folder, name))).toEqual([]);
});

test("at least 500 programs are described, in at most 3 MB with the curated ones", () => {
  const files = ["curated", "generated"].flatMap((part) =>
    readdirSync(join(root, "arity", part)).map((name) => join(root, "arity", part, name)),
  );
  expect(entries.length).toBeGreaterThanOrEqual(500);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(3_000_000);
});

test("nothing in them makes an answer laxer", () => {
  const lax = entries.flatMap(specsOf).filter((spec) => {
    const { words: _w, syntax: _s, options, operands, verbs: _v, ...others } = spec;
    const facts = Object.values(options ?? {}).filter((option) => typeof option === "object");
    return (
      Object.keys(others).some((field) => field !== "names") ||
      facts.some((fact) => "transparent" in fact || "unless" in fact || "escape" in fact) ||
      (operands ?? []).some((operand) => !["text", "command", "code-file"].includes(String(operand)))
    );
  });
  expect(lax).toEqual([]);
});
