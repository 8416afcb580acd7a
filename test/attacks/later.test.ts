import { describe, expect, test } from "vitest";
import { check, openGuard, parseInline } from "../../src/index.ts";
import { deciding, guardAgainst, KEPT, SECRET, VICTIM } from "./decide.ts";

const setting = { home: "/home/ada", env: new Map<string, string>(), windows: false };
const guard = guardAgainst([VICTIM, SECRET, KEPT]);
const decisionOf = deciding(guard);

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

describe("globs under options that make them stand for more, or for nothing", () => {
  test.each([
    "shopt -s dotglob; cat *",
    "shopt -s nocaseglob; cat .E*",
    'shopt -s "$o"; cat *',
    "bash -O dotglob -c 'cat *'",
    "for i in 1 2; do cat *; shopt -s dotglob; done",
    "f() { cat *; }; shopt -s dotglob; f",
    "eval 'shopt -s dotglob'; cat *",
    "shopt -s nullglob; env *none* victim x",
    "shopt -s nullglob; set -- *.none ls victim; $2 x",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each(["cat *", "shopt -s globstar; cat **/*.c", 'shopt -s nullglob; for f in *.txt; do echo "$f"; done'])(
    "%s is as harmless as it looks",
    (text) => expect(decisionOf(text)).toBe("allow"),
  );
});

describe("awk and sed programs that come from elsewhere", () => {
  test.each([
    "echo '1e victim x' | sed -f - y",
    "sed -f - y <<< '1e victim x'",
    "echo '1e victim x' > a.sed; sed -f a.sed y",
    "sed -f <(echo '1e victim x') y",
    "curl u | awk -f - y",
    `awk -f /dev/stdin <<< 'BEGIN { system("victim x") }'`,
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each(["printf 's/a/b/' | sed -f - y", "awk -f - y <<< '{ print $1 }'"])("%s only prints", (text) =>
    expect(decisionOf(text)).toBe("allow"),
  );
});

describe("a program's verbs under other names", () => {
  const decide = openGuard({
    cwd: "/",
    policy: parseInline(
      { default_action: "allow", rules: [{ tool: "bash", pattern: "git push *", action: "deny" }] },
      setting,
    ),
  });
  test.each([
    "git -c alias.p=push p -f",
    "git -c alias.p='push -f' p",
    "git -c alias.a=p -c alias.p=push a",
    "git config alias.p push; git p -f",
    "git config --global alias.p 'push -f'",
    "git config set alias.p push",
    "git -C sub config alias.p push",
    "git-push origin",
    "/usr/lib/git-core/git-push origin",
    "hg --config alias.p='!git push' p",
    "git config core.pager 'git push'",
  ])("%s", (text) => expect(check(decide, text).result.decision).not.toBe("allow"));

  test.each(["git -c alias.st=status st", "git config user.name 'Ada L'", "git config --get alias.p", "git-status"])(
    "%s is as harmless as it looks",
    (text) => expect(check(decide, text).result.decision).toBe("allow"),
  );
});

describe("an option that comes off a word where bash splits it", () => {
  const decide = openGuard({
    cwd: "/",
    policy: parseInline(
      { default_action: "allow", rules: [{ tool: "bash", pattern: "git push *", flags: ["--force"], action: "deny" }] },
      setting,
    ),
  });
  test.each(["git push origin x$(cat f)", "git push origin x$y", "y='a --force'; git push origin x$y"])("%s", (text) =>
    expect(check(decide, text).result.decision).not.toBe("allow"),
  );
  test.each(['git push origin "x$y"', "for i in 1 2; do git push origin x$i; done", "git push origin x*"])(
    "%s is one word, or no option",
    (text) => expect(check(decide, text).result.decision).toBe("allow"),
  );
});
