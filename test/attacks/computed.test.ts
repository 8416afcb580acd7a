import { describe, expect, test } from "vitest";
import { check, openGuard, parseInline } from "../../src/index.ts";

const setting = { home: "/home/ada", env: new Map<string, string>(), windows: false };
const READERS = [
  "ls *",
  "cat *",
  "grep *",
  "echo *",
  "git log *",
  "git grep *",
  "find *",
  "sort *",
  "sed *",
  "awk *",
  "head *",
  "read *",
  "set *",
  "xargs *",
  "f *",
];
const readers = openGuard({
  cwd: "/",
  policy: parseInline(
    { default_action: "ask", rules: READERS.map((pattern) => ({ tool: "bash", pattern, action: "allow" })) },
    setting,
  ),
});
const victimless = openGuard({
  cwd: "/",
  policy: parseInline(
    { default_action: "allow", rules: [{ tool: "bash", pattern: "victim *", action: "deny" }] },
    setting,
  ),
});

// Options and program texts that are computed, but from words that stand in the text: bash runs `victim` or writes `q`.
describe("a word that only looks like an operand", () => {
  test.each([
    "find . $(echo -exec victim {} \\;)",
    "x=$(echo '-exec victim ;'); find . $x",
    'x=(-exec victim \\;); find . "${x[@]}"',
    'f() { find . "$@"; }; f -exec victim \\;',
    'set -- -exec victim \\;; find . "$@"',
    "find . ${x:--exec victim \\;}",
    "sort ${x:--oq} a.txt",
    'sed "${x:-1e victim}" a.txt',
    'f() { awk "$1"; }; f \'BEGIN{system("victim")}\'',
    "for i in -u -oq; do sort $i a.txt; done",
    "for i in -exec -x; do find . $i victim \\;; done",
    "for i in 'BEGIN{system(\"victim\")}' '{print}'; do awk \"$i\"; done",
    'git log "$(echo --output=q)"',
    'git grep "$(echo -Ovictim)" hello',
    "read x <<< '1e victim'; sed \"$x\" a.txt",
    "echo '1e victim' | while read x; do sed -n \"$x\" a.txt; done",
    "sed \"$(echo '1e victim')\" a.txt",
    "sed $(echo -i) s/o/x/ a.txt",
    'awk "$(cat a.txt)"',
    "echo '-exec victim ;' | xargs find .",
    "echo '-oq' | xargs sort",
    "echo '--output=q' | xargs git log",
    "echo '-Ovictim hello' | xargs git grep",
    "echo 1evictim | xargs -I{} sed -n {} a.txt",
    "echo -i | xargs -I{} sed {} 1p a.txt",
  ])("%s is not allowed by rules for readers", (text) => {
    expect(check(readers, text).result.decision).not.toBe("allow");
  });
});

// Names and arithmetic through which bash comes to run `victim`, or another program than the one that is named.
describe("a value that decides what runs", () => {
  test.each([
    "BASH_CMDS[ls]=./s.sh; ls",
    "echo ${BASH_CMDS[ls]:=/tmp/x/victim}; ls",
    "for PATH in sub; do ls; done",
    "f() { for PATH; do ls; done; }; f /tmp/x",
    "read PATH <<< /x; ls",
    "x=PATH; printf -v $x /x; ls",
    "x=PATH; read $x <<< /x; ls",
    "declare -n r=PATH; r=/x; ls",
    "for IFS in :; do y=env:victim; $y; done",
    "echo $(( $(echo 'a[$(victim)]') ))",
    "x=$(echo 'a[$(victim)]'); echo $((x))",
    "for x in 'a[$(victim)]'; do echo ${a[x]}; done",
    "for x in 'a[$(victim)]'; do a[x]=1; done",
    "echo ${x:='a[$(victim)]'} $((x))",
    "read x <<< 'a[$(victim)]'; (( x ))",
    "set -- 'a[$(victim)]'; echo $(($1))",
    "f() { local n=$1; ((n++)); }; f 'a[$(victim)]'",
    "x='a[$(victim)]'; declare -i y=x",
    "declare -l x=VICTIM; $x",
    "x=echo; declare -n r=x; r=victim; $x",
    "x=echo; trap 'x=victim' DEBUG; $x",
    "for x in 'a[$(victim)]'; do echo ${x:x}; done",
    "for x in 'a[$(victim)]'; do a=([x]=1); done",
    'f() { find . "$@"; }; f -exec victim \\;',
    "echo '-exec victim ;' | xargs find .",
  ])("%s is not allowed where only victim is denied", (text) => {
    expect(check(victimless, text).result.decision).not.toBe("allow");
  });
});

describe("everyday variables, loops and functions", () => {
  test.each([
    'while IFS= read -r f; do echo "$f"; done',
    'for f in a b; do cat "$f"; done',
    "x=$(ls); echo $x",
    "grep -l foo $(ls *.ts)",
    'sed -n "$((10)),20p" f',
    "sort $f",
    'f() { echo "$1"; }; f x y',
    "awk -v n=\"$n\" '{print n}' f",
    'sed "s/a/$b/" f',
    'sed -n "${n}p" f',
    'find "$d" -name x',
    "git log $b",
    "x=5; head -n $x f",
    'cat <<< "$x"',
    "echo \"$(cat <<'E'\nrm -rf x\nE\n)\"",
    "ls | xargs grep x",
    "echo a b | xargs grep x",
    'find . -name "${n:-x}"',
    "for i in 1 2 3; do echo $i; done",
    "head -n ${n:-10} f",
  ])("%s is allowed by rules for readers", (text) => {
    expect(check(readers, text).result.decision).toBe("allow");
  });
});
