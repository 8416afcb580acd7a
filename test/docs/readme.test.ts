import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { blocksOf, makeStage, replay } from "./console.ts";

const page = resolve(import.meta.dirname, "../../README.md");
const blocks = blocksOf(page);
const stage = makeStage(blocks);
afterAll(stage.remove);

// UPDATE_DOCS=1 writes what was printed into the page.
if (process.env.UPDATE_DOCS === "1") {
  const lines = readFileSync(page, "utf8").split("\n");
  for (const block of blocks.filter(({ language }) => language === "console").reverse())
    lines.splice(block.line, block.lines.length, ...replay(block, stage.folder));
  writeFileSync(page, lines.join("\n"));
}

test.each(blocksOf(page).filter(({ language }) => language === "console"))(
  "the console block in line $line prints what it shows",
  (block) => {
    expect(replay(block, stage.folder)).toEqual(block.lines);
  },
);

test("every line of a console block fits 100 columns", () => {
  expect(
    blocksOf(page).flatMap(({ language, lines }) =>
      language === "console" ? lines.filter((line) => line.length > 100) : [],
    ),
  ).toEqual([]);
});
