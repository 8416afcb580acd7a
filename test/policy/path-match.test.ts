import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Context } from "../../src/policy/index.ts";
import { type Access, matchPattern, PathSubject } from "../../src/policy/path-match.ts";
import { compilePathPattern } from "../../src/policy/path-pattern.ts";
import { holeValue, type Piece, type Value, valueFrom } from "../../src/segment/value.ts";
import { CWD, ENV, HOME } from "./judge.ts";

const context: Context = { cwd: CWD, home: HOME, projectRoot: CWD, env: ENV };

interface Given {
  readonly decision?: "allow" | "deny";
  readonly access?: Access;
  readonly patterns?: "paths" | "wildcards";
  readonly context?: Partial<Context>;
}

function match(pattern: string, path: Value, given: Given = {}) {
  const compiled = compilePathPattern(pattern, {
    home: HOME,
    env: ENV,
    windows: false,
    patterns: given.patterns ?? "paths",
  });
  const subject = new PathSubject(path, given.access ?? "read", { ...context, ...given.context });
  return matchPattern(compiled, given.decision ?? "deny", subject);
}

const inProject = (path: string) => (path.startsWith("/") ? path : `${CWD}/${path}`);

describe("a path pattern", () => {
  test.each([
    ["*", ["a", "/etc/passwd", "d/.env"], []],
    ["**", ["a", "/etc/passwd"], []],
    ["*.env", ["prod.env", ".env", "d/e/.env", "/etc/x.env"], ["env", ".envrc"]],
    [".env", [".env", "d/.env"], ["d/.env.local", ".env/x"]],
    ["**/.env", [".env", "a/b/.env", "/x/.env"], [".envrc"]],
    ["src/**", ["src", "src/a", "src/a/.b/c"], ["a/src/b", "/src/a", "srcx/a"]],
    ["src/*.ts", ["src/a.ts", "src/.a.ts"], ["src/a/b.ts", "src/a.js"]],
    ["./a.ts", ["a.ts"], ["d/a.ts"]],
    ["secrets/", ["secrets/a", "secrets/a/b", "secrets"], ["x/secrets/a"]],
    ["/etc/**", ["/etc/passwd", "/etc"], ["etc/passwd"]],
    ["~/.ssh/**", ["/home/u/.ssh/id", "/home/u/.ssh"], ["/home/v/.ssh/id", "~/.ssh/id"]],
    ["$HOME/x", ["/home/u/x"], ["/home/u/xy"]],
    ["/{a,b}/[cd]?", ["/a/cx", "/b/dy"], ["/c/cx", "/a/ex"]],
    ["!x", ["!x"], ["x"]],
    ["/", ["/"], ["/a"]],
  ] as const)("%s", (pattern, yes, no) => {
    expect(yes.filter((path) => match(pattern, inProject(path)) !== "certainly")).toEqual([]);
    expect(no.filter((path) => match(pattern, inProject(path)) !== "no")).toEqual([]);
  });

  test.each([
    ["src/*", ["src/a", "src/a/b"], ["x/src/a", "lib/a"]],
    ["*.env", [".env", "a/b.env"], ["a.envx"]],
    ["~/projects/*", ["/home/u/projects/a/b"], ["/home/u/x"]],
  ] as const)("in OpenCode's wildcards: %s", (pattern, yes, no) => {
    const given = { patterns: "wildcards" } as const;
    expect(yes.filter((path) => match(pattern, inProject(path), given) !== "certainly")).toEqual([]);
    expect(no.filter((path) => match(pattern, inProject(path), given) !== "no")).toEqual([]);
  });
});

describe("symlinks", () => {
  const links = new Map([
    [`${CWD}/link`, "/etc/passwd"],
    [`${CWD}/lib`, `${CWD}/src`],
    ["/tmp/x", "/private/tmp/x"],
    ["/tmp", "/private/tmp"],
  ]);
  const given = { context: { realPath: (path: string) => links.get(path) ?? path } };

  test("a deny matches the path as written or as it leads", () => {
    expect(match("/etc/**", `${CWD}/link`, given)).toBe("certainly");
    expect(match("link", `${CWD}/link`, given)).toBe("certainly");
    expect(match("src/**", `${CWD}/lib`, given)).toBe("certainly");
  });

  test("an allow must match both, a linked directory of the pattern taken into account", () => {
    const allow = { ...given, decision: "allow" } as const;
    expect(match("link", `${CWD}/link`, allow)).toBe("no");
    expect(match("*", `${CWD}/link`, allow)).toBe("certainly");
    expect(match("/tmp/*", "/tmp/x", allow)).toBe("certainly");
    expect(match("lib/**", `${CWD}/lib`, allow)).toBe("no");
  });
});

const variable = { cause: "variable", text: "$x" } as const;
const glob = { cause: "path", text: "*" } as const;
const unknown = { cause: "directory", text: "?" } as const;
const value = (...pieces: Piece[]) => valueFrom(pieces, false);

describe("paths with holes", () => {
  test.each([
    ["**/.env", value(variable), "possibly"],
    ["**/.env", value(`${CWD}/`, variable, ".ts"), "no"],
    ["**/.env", value(`${CWD}/`, glob), "no"],
    ["**/.env", value(`${CWD}/`, glob, ".env"), "possibly"],
    ["**/.env", value(`${CWD}/.e`, glob), "possibly"],
    ["**/.env", value(`${CWD}/`, glob, "/.env"), "certainly"],
    ["src/**", value(`${CWD}/src/`, glob), "certainly"],
    ["src/secret/**", value(`${CWD}/src/`, glob, ".ts"), "no"],
    ["src/secret/**", value(`${CWD}/src/`, variable), "possibly"],
    ["/etc/**", value(`${CWD}/src/`, variable), "possibly"],
    ["/etc/**", value(`${CWD}/src/`, glob), "no"],
    ["*.env", value(unknown, "/", ".env"), "certainly"],
    ["src/*.ts", value(unknown, "/", "a.ts"), "possibly"],
    ["*", value(variable), "certainly"],
  ] as const)("deny %s against %j: %s", (pattern, path, answer) => {
    expect(match(pattern, path)).toBe(answer);
  });

  test("an allow is never certain of a text that may climb out", () => {
    const allow = { decision: "allow" } as const;
    expect(match("src/**", value(`${CWD}/src/`, variable), allow)).toBe("no");
    expect(match("src/**", value(`${CWD}/src/`, glob), allow)).toBe("certainly");
    expect(match("*", holeValue(variable), allow)).toBe("certainly");
  });

  test("a no stays a no for every name that a glob can stand for", () => {
    const names = fc.constantFrom("a", "b.env", "x.ts", "secret", "src");
    const patterns = fc.constantFrom("*.env", "src/**", "src/*.ts", "**/secret/*", `${CWD}/src/a*`, "**/a", "/etc/**");
    const front = fc.constantFrom("", "a", "secret/", "x/a", ".e");
    const part = fc.constantFrom("", "a", ".env", ".ts", "/secret", "/a");
    fc.assert(
      fc.property(patterns, front, part, names, (pattern, before, after, name) => {
        const start = `${CWD}/src/${before}`;
        const answer = match(pattern, value(start, glob, after));
        const filled = match(pattern, start + name + after);
        if (answer === "no") expect(filled).toBe("no");
        if (answer === "certainly") expect(filled).toBe("certainly");
      }),
      { numRuns: 2000 },
    );
  });
});

describe("what works on directories", () => {
  test.each([
    ["**/.env", "", "search", "possibly"],
    ["**/.env", "src", "search", "possibly"],
    ["**/.env", "src/a.ts", "search", "no"],
    ["**/.env", "src", "list", "no"],
    ["**/.env", "src", "edit", "no"],
    ["src/secret/**", "src", "edit", "possibly"],
    ["src/secret/**", "lib", "edit", "no"],
    ["src/secret/**", "", "search", "possibly"],
    ["~/.ssh/**", "/home/u", "extract", "possibly"],
    ["~/.ssh/**", "/", "edit", "possibly"],
  ] as const)("deny %s, %s of %s: %s", (pattern, path, access, answer) => {
    expect(match(pattern, path === "" ? CWD : inProject(path), { access })).toBe(answer);
  });

  test("a path that is known to be no directory holds nothing", () => {
    const given = { access: "search", context: { isDirectory: (path: string) => path === CWD } } as const;
    expect(match("**/.env", `${CWD}/Makefile`, given)).toBe("no");
    expect(match("**/.env", CWD, given)).toBe("possibly");
  });
});
