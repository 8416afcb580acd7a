import { describe, expect, test } from "vitest";
import { check, openGuard, parseInline } from "../../src/index.ts";

const setting = { home: "/home/ada", env: new Map<string, string>(), windows: false };
const guard = openGuard({
  cwd: "/srv/project",
  env: { HOME: "/home/ada", PATH: "/usr/bin:/bin" },
  policy: parseInline(
    {
      default_action: "allow",
      rules: [
        { tool: "file_read", pattern: "**/.env", action: "deny" },
        { tool: "file_read", pattern: "~/.ssh/**", action: "deny" },
        { tool: "bash", pattern: "victim * /etc*", action: "deny" },
        { tool: "bash", pattern: "victim * c.txt", action: "deny" },
      ],
    },
    setting,
  ),
});
const decisionOf = (text: string) => check(guard, text).result.decision;

// bash puts names of files in the place of a glob, and the text of the glob is none of them.
describe("a glob that can stand for what a rule denies is asked about", () => {
  test.each([
    "cat .[e]nv",
    "cat .[!x]nv",
    "cat .[^x]nv",
    "cat .[a-f]nv",
    "cat .[[:lower:]]nv",
    "cat .[]e]nv",
    "cat .e[n]v",
    "cat .[e][n][v]",
    "cat .[e]*",
    "cat sub/.[e]nv",
    "cat [s]ub/.[e]nv",
    "cat /srv/project/.[e]nv",
    'cat .["e"]nv',
    "cat .[\\e]nv",
    'x=abe; cat .["$x"]nv',
    "x=e; cat .[$x]nv",
    "cat .[$(echo e)]nv",
    "cat ~/.ss[h]/id",
    "cat < .[e]nv",
    "shopt -s extglob\ncat .@(env)",
    "shopt -s extglob\ncat .+(e|n)v",
    "victim -rf /[e]tc",
    "victim -rf /et[c]/x",
    "victim x [c].txt",
  ])("%j", (text) => expect(decisionOf(text)).toBe("ask"));

  test.each([
    'cat ".[e]nv"',
    "cat .\\[e]nv",
    "cat src/[ab].ts",
    "cat a[1].txt",
    "[ -f a.txt ]",
    "[[ a == .[e]nv ]] && ls",
  ])("not %j", (text) => expect(decisionOf(text)).toBe("allow"));
});
