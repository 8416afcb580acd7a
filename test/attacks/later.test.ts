import { describe, expect, test } from "vitest";
import { check, openGuard, parseInline } from "../../src/index.ts";

const setting = { home: "/home/ada", env: new Map<string, string>(), windows: false };
const guard = openGuard({
  cwd: "/",
  policy: parseInline(
    {
      default_action: "allow",
      rules: [
        { tool: "bash", pattern: "victim *", action: "deny" },
        { tool: "file_read", pattern: "**/.env", action: "deny" },
        { tool: "file_write", pattern: "**/keep.txt", action: "deny" },
      ],
    },
    setting,
  ),
});
const decisionOf = (text: string) => check(guard, text).result.decision;

// Each was seen to run `victim`, to read `.env` or to write `keep.txt` in bash 5.2 (in harmless words).
describe("values that are another one when they are used", () => {
  test.each([
    "v=ls; trap '$v x' EXIT; v=victim",
    "v=ls; trap '$v x' ERR; v=victim; false",
    "v=ls; set -- a; trap '$1 x' EXIT; set -- victim",
    "x=a; trap 'cat $x' EXIT; x=.env",
    "v=ls; eval 'trap \"\\$v x\" EXIT'; v=victim",
    "f() { trap '$v x' EXIT; }; v=ls; f; v=victim",
    "readonly v=victim; declare v=ls; $v x",
    "readonly v=victim; export v=ls; $v x",
    "readonly v=victim; eval v=ls; $v y",
    "readonly v=victim; f() { local v=ls; $v y; }; f",
    "declare -r v=victim; declare v=ls; $v x",
    "readonly x=.env; export x=a; cat $x",
    "declare -l w; w=VICTIM; $w x",
    "typeset -l w; w=VICTIM; $w x",
    "f() { local -l w; w=VICTIM; $w x; }; f",
    "set -- ls; set - victim; $1 x",
    "set -- ls; set + victim; $1 x",
    "set -- ls; set -x - victim; $1 x",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));
});

describe("what a sed or awk program runs or writes", () => {
  test.each([
    "sed '1e victim x' y",
    "sed 'e victim x' y",
    "sed 's/a/victim x/e' y",
    "echo victim x | sed e",
    "sed ':a e victim x' y",
    "find . -type f -exec sed '1e victim x' {} \\;",
    "sed '1e cat .env' y",
    `awk 'BEGIN{c="victim x"; system(c)}'`,
    `awk 'BEGIN{system("v" "ictim x")}'`,
    `awk 'BEGIN{system("vict\\151m x")}'`,
    `awk 'BEGIN{print "x" | "victim " "x"}'`,
    "echo victim x | awk '{system($0)}'",
    `awk 'BEGIN{print > "keep" ".txt"}'`,
    `awk 'BEGIN{f="keep.txt"; print > f}'`,
    "awk '{print > FILENAME}' keep.txt",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));
});

test("a descriptor that is opened for both reads as well", () => {
  expect(["cat <> .env", "exec 3<>.env; cat <&3", "echo x 1<> keep.txt"].map(decisionOf)).toEqual([
    "deny",
    "deny",
    "deny",
  ]);
});

test("lists that double are given up before they fill the memory", () => {
  const twice = (start: string, step: string, end: string) => start + step.repeat(40) + end;
  expect(decisionOf(twice("set -- a;", 'set -- "$@" "$@";', '"$@"'))).toBe("ask");
  expect(decisionOf(twice("a=(a);", 'a=("${a[@]}" "${a[@]}");', '"${a[@]}"'))).toBe("ask");
});

describe("innocent lines stay so", () => {
  test.each([
    "set -euo pipefail; ls",
    "readonly x=a; cat $x",
    "trap 'echo done' EXIT; ls",
    "cleanup() { rm -f a.tmp; }; trap cleanup EXIT; ls",
    "sed -n '1,5p' y",
    "awk '{print $1}' y",
    `awk 'BEGIN { "ls" | getline x; print x }'`,
    "echo x <> a.txt",
  ])("%s", (text) => expect(decisionOf(text)).toBe("allow"));
});
