import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Project } from "../cli/call.ts";

const root = resolve(import.meta.dirname, "../..");
const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name));
const pages = ["README.md", "THREAT_MODEL.md", "CONTRIBUTING.md", "CHANGELOG.md", "arity/README.md", ...inDocs].filter(
  (name) => name.endsWith(".md"),
);
const textOf = (page: string) => readFileSync(join(root, page), "utf8");

/** As a heading becomes the part of an address behind `#`. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

/** What a page links to that is not there. */
function brokenLinks(page: string): string[] {
  return [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
    ([link, path = "", anchor]) => {
      const target = path === "" ? page : relative(root, resolve(root, dirname(page), path));
      if (!existsSync(join(root, target))) return [link];
      return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [link];
    },
  );
}

describe.each(pages)("%s", (page) => {
  test("links to what is there", () => expect(brokenLinks(page)).toEqual([]));

  test("names only paths that are there", () => {
    const named = [...textOf(page).matchAll(/`((?:docs|src|test|arity|bench|presets)\/[\w./-]*)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("README.md", () => {
  const readme = textOf("README.md");

  test("has lines of at most 100 columns", () => {
    expect(readme.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  test("names exactly the verbs that there are", async () => {
    const { stdout } = await new Project().call("--help");
    const verbs = [...stdout.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, verb]) => verb);
    const table = /## Verbs\n\n([\s\S]*?)\n\n/.exec(readme)?.[1] ?? "";
    const named = [...table.matchAll(/`([a-z]+)\b[^`]*`/g)].map(([, verb]) => verb);
    const cells = table
      .split("\n")
      .slice(2)
      .map((row) => row.split("|")[1] ?? "");
    const first = cells.flatMap((cell) => [...cell.matchAll(/`([a-z]+)\b/g)].map(([, verb]) => verb));
    expect(verbs.filter((verb) => !named.includes(verb))).toEqual([]);
    expect(first.filter((verb) => !verbs.includes(verb))).toEqual([]);
  });

  test("names only verbs of verbs that there are", async () => {
    for (const [, group = "", list = ""] of readme.matchAll(/`(policy|arity) ([a-z|\\]+)`/g)) {
      const { stdout } = await new Project().call(group, "--help");
      expect(list.split(/\\?\|/).filter((verb) => !stdout.includes(`\n  ${verb} `))).toEqual([]);
    }
  });
});
