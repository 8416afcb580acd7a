import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { shownInner } from "../../src/cli/arity-examples.ts";
import { findEntry } from "../../src/segment/dictionary.ts";
import { readInvocation } from "../../src/segment/read.ts";
import type { Reading } from "../../src/segment/reading.ts";
import type { Entry, Example } from "../../src/segment/spec.ts";
import { shownValue } from "../../src/segment/value.ts";
import { splitLine } from "./split-line.ts";

const folder = resolve(import.meta.dirname, "../../arity/curated");

/** What the reading says of the fields that the example has. */
function shownReading(reading: Reading, example: Example): Partial<Example> {
  const shown = {
    prefix: reading.prefix.join(" "),
    inner: reading.inner.map(shownInner),
    files: reading.files.map(({ access, path }) => `${access} ${shownValue(path)}`),
    escapes: reading.escapes.map(({ name }) => name),
  };
  return Object.fromEntries(Object.entries(shown).filter(([field]) => Object.hasOwn(example, field)));
}

for (const file of readdirSync(folder).sort()) {
  const entry: Entry = JSON.parse(readFileSync(join(folder, file), "utf8"));
  describe(`arity/curated/${file}`, () => {
    test.each((entry.examples ?? []).map((example) => [example.line, example] as const))("%s", (line, example) => {
      const { line: _, ...expected } = example;
      expect(shownReading(readInvocation(splitLine(line), findEntry), example)).toEqual(expected);
    });
    test("there is an example", () => expect(entry.examples ?? []).not.toEqual([]));
  });
}
