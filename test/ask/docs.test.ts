import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DENIAL_KINDS } from "../../src/result/index.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (name: string) => readFileSync(join(root, name), "utf8");

/** The members of a union of string literals, as they are written in a source file. */
function unionIn(file: string, name: string): readonly string[] {
  const source = textOf(file);
  const start = source.indexOf(`type ${name} =`);
  return [...source.slice(start, source.indexOf("\n\n", start)).matchAll(/\| "([^"]+)"/g)].map(
    ([, word]) => word ?? "",
  );
}

const rowsOf = (name: string) => [...textOf(name).matchAll(/^\| `([^`]+)`/gm)].map(([, code]) => code);

test("every code of the database and of the protocol has a row in its page", () => {
  const store = unionIn("src/ask/store-error.ts", "StoreErrorCode");
  const serve = unionIn("src/adapters/serve-protocol.ts", "ServeErrorCode");
  expect([store.length, serve.length]).toEqual([7, 8]);
  expect(rowsOf("docs/asking.md")).toEqual(expect.arrayContaining([...store]));
  expect(rowsOf("docs/serve.md")).toEqual(expect.arrayContaining([...serve]));
});

test("every kind of denial that asking can end in has a row", () => {
  const byPolicy = ["rule", "finding", "default"];
  const kinds = DENIAL_KINDS.filter((kind) => !byPolicy.includes(kind));
  expect(rowsOf("docs/asking.md")).toEqual(expect.arrayContaining([...kinds]));
});

test("every method and event of the protocol is in its page and in its schema", () => {
  const schema = textOf("src/adapters/serve.schema.json");
  const names = ["check", "run", "decide", "permission.list", "permission.reply", "cancel"];
  for (const name of [...names, "ready", "permission.asked", "permission.replied", "output"]) {
    expect(schema).toContain(`{ "const": "${name}" }`);
    expect(rowsOf("docs/serve.md")).toContain(name);
  }
});
