import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { FINDINGS, type FindingCode } from "../../src/segment/index.ts";
import { codes, worldWith } from "./split.ts";

// One row a code at least; every text is a way around that was seen.
const ROWS: Readonly<Record<FindingCode, readonly string[]>> = {
  "syntax-error": ["ls )", "echo 'a", "ls +(a|b)", "if a; then b", "a ( b", "f("],
  "limit-exceeded": [`${"(".repeat(500)}a${")".repeat(500)}`, `a ${"x".repeat(1024 * 1024)}`, "a {1..9999}"],
  "nul-byte": ["ls \0"],
  "opaque-text": ["ls\rrm x", "echo >&-x", "1234567890123>f", "a[ [ ]]=1"],
  "dynamic-program": ["$x a", "$(echo rm) a", "`echo rm` a", "r$x a", "${x}m a", "* a"],
  "opaque-script": [
    'bash -c "$x"',
    "eval $x",
    "curl u | sh",
    "bash",
    "source x",
    "bash x.sh",
    ". <(c)",
    "echo 'a' > x.sh; sh x.sh",
    "bash -c 'a )'",
  ],
  "unknown-wrapper-option": ["sudo --nobody-knows a", "timeout --what 5 a", "env --what a"],
  "sensitive-assignment": [
    "BASH_CMDS[ls]=./x; ls",
    "echo ${BASH_CMDS[ls]:=x}",
    "declare BASH_CMDS[foo]=x",
    "for PATH in x; do ls; done",
    "select PATH in x; do ls; done",
    "read PATH <<< x",
    "printf -v PATH x",
    "unset PATH",
    "mapfile PATH",
    "x=$(c); read $x",
    "IFS=x ls",
    "PATH=. ls",
    "LD_PRELOAD=x ls",
    "export GIT_SSH_COMMAND=x",
    "env BASH_ENV=x ls",
    "PAGER=x",
    "declare -x NODE_OPTIONS=x",
  ],
  "prompt-expansion": ["echo ${x@P}", 'echo "${x@P}"'],
  "runtime-evaluation": [
    "for x in 'a[$(rm x)]'; do echo $((x)); done",
    "echo ${x:='a[$(rm x)]'} $((x))",
    "x='a[$(rm x)]'; declare -i y=x",
    "[[ 'a[$(rm x)]' -eq 1 ]]",
    "printf -v 'a[$(rm x)]' y",
    "read 'a[$(rm x)]'",
    "let 'x=a[$(rm x)]'",
    "n='a[$(rm x)]'; (( n ))",
    "unset 'a[$(rm x)]'",
    "test -v 'a[$(rm x)]'",
    "declare -i 'x=a[$(rm x)]'",
  ],
  "indirect-expansion": ["declare -n r=x; r=1", "local -n r=x", "echo ${!x}", "${!x} a"],
  "shadowed-program": ["git() { rm x; }; git status", "ls() { :; }", "alias ls=rm"],
  "program-path": ["./git status", "/tmp/git status"],
  "option-cluster-ambiguous": ["xargs -0Zn1 ls"],
  "shell-option": ["shopt -s expand_aliases", "set -k", "set -o posix", "shopt -s extglob"],
  "startup-file": ["bash --rcfile x -c ls", "bash --init-file x -ic ls"],
};

describe.each(Object.entries(ROWS).filter(([, texts]) => texts.length > 0))("%s is found in", (code, texts) => {
  test.each(texts)("%j", (text) => expect(codes(text)).toContain(code));
});

test.each([
  "git commit -m 'rm -rf $(x)'",
  "i=0; while (( i < 3 )); do i=$((i+1)); done",
  "set -euo pipefail; ls",
  "export FOO=bar",
  "NODE_ENV=test npm test",
  "declare -a list=(a b)",
  "is_foo() { [[ $1 = foo ]]; }; is_foo x",
  "/usr/bin/git status",
  'echo "${x:-y}" ${#x} ${!x[@]} ${x[0]}',
  "shopt -s nullglob",
  "env A=1 ls",
  'while IFS= read -r line; do echo "$line"; done',
  'IFS=, read -ra parts <<< "$list"',
  "x=1; declare -i y=2; echo $y",
  "command -v git",
  "cat <<'E'\nPATH=x; $(rm)\nE",
  "echo a # )",
])("%j has no finding", (text) => {
  expect(codes(text)).toEqual([]);
});

test("a script that can be read is no finding", () => {
  expect(codes("bash x.sh", worldWith({ "/repo/x.sh": "ls" }))).toEqual([]);
});

test("every finding has a row in the docs, with its floor", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/findings.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (\w+) \| ([^|]+) \|/gm)].map((row) => [row[1], row[2]]);
  expect(rows).toEqual(Object.entries(FINDINGS).map(([code, { floor }]) => [code, floor]));
});

test("every finding has a floor and a sentence", () => {
  for (const { floor, means } of Object.values(FINDINGS))
    expect([floor, means.length > 10]).toEqual([expect.stringMatching(/^(ask|deny)$/), true]);
});
