import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { CASE_FIELDS, RULE_FIELDS } from "../../src/policy/index.ts";
import { splitLine } from "../arity/split-line.ts";
import { Project } from "../cli/call.ts";
import { type Block, blocksOf } from "./console.ts";

const page = resolve(import.meta.dirname, "../../docs/policy.md");
const blocks = blocksOf(page);
const files = blocks.filter(({ language, name }) => language === "toml" && name !== "");
const consoles = blocks.filter(({ language }) => language === "console");
// Given by --policy, so that nothing has to be trusted first: the project's own file would vote as well.
const project = new Project(
  Object.fromEntries(
    files.filter(({ name }) => name !== "guarded-sh.toml").map(({ name, lines }) => [name, text(lines)]),
  ),
);
const own = new Project(
  Object.fromEntries(
    files.filter(({ name }) => name === "guarded-sh.toml").map(({ lines }) => ["own.toml", text(lines)]),
  ),
);

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** The block as it would have to be written: each call of guarded-sh and what it prints, in this process. */
async function replay({ lines }: Block): Promise<string[]> {
  const shown: string[] = [];
  for (const line of lines.filter((other) => other.startsWith("$ "))) {
    const argv = splitLine(line.slice(2)).slice(1);
    const named = argv.includes("guarded-sh.toml");
    const { stdout, stderr } = await (named ? own : project).call(
      ...argv.map((word) => (word === "guarded-sh.toml" ? "own.toml" : word)),
    );
    const printed = `${stdout}${stderr}`.trimEnd().replaceAll("own.toml", "guarded-sh.toml");
    shown.push(line, ...(printed === "" ? [] : printed.split("\n")));
  }
  return shown;
}

// UPDATE_DOCS=1 writes what was printed into the page.
if (process.env.UPDATE_DOCS === "1") {
  const lines = readFileSync(page, "utf8").split("\n");
  for (const block of [...consoles].reverse()) lines.splice(block.line, block.lines.length, ...(await replay(block)));
  writeFileSync(page, lines.join("\n"));
}

describe("docs/policy.md", () => {
  test.each(blocksOf(page).filter(({ language }) => language === "console"))(
    "the console block in line $line prints what it shows",
    async (block) => expect(await replay(block)).toEqual(block.lines),
  );

  test("has ten worked examples, each with a policy and an answer", () => {
    const headings = readFileSync(page, "utf8").match(/^### \d+\. /gm);
    expect(headings?.length).toBe(10);
    expect(consoles.length).toBe(11);
  });

  test.each([
    ["rule", RULE_FIELDS],
    ["case", CASE_FIELDS],
    ["file", ["permissions", "default_action", "extends", "arity", "command", "scope", "env"]],
  ])("every field of a %s has a row", (_, fields) => {
    const rows = [...readFileSync(page, "utf8").matchAll(/^\| `\[{0,2}([\w.]+)\]{0,2}`/gm)].map(([, name]) => name);
    expect(fields.filter((field) => !rows.includes(field))).toEqual([]);
  });

  test("what is printed fits 100 columns", () => {
    expect(consoles.flatMap(({ lines }) => lines).filter((line) => line.length > 100)).toEqual([]);
  });
});
