import { describe, expect, test } from "vitest";
import { check } from "../../src/index.ts";
import { deciding, guardAgainst, SECRET, VICTIM } from "./decide.ts";

const guard = guardAgainst([VICTIM, SECRET, "file_write: /keep{,8}.txt"]);
const decisionOf = deciding(guard);

// Each was seen to run `victim`, to read `.env` or to write `keep.txt` in the shell that it names, dash for `sh`.
describe("what another shell reads otherwise than bash", () => {
  test.each([
    "sh -c '((victim x))'",
    "dash -c '((victim x))'",
    "watch '((victim x))'",
    "sh -c '[[ a || victim x ]]'",
    "sh -c '[[ a > keep.txt ]]'",
    "sh -c '[[ a =~ b|victim ]]'",
    `sh -c "echo $'it\\'; victim x; echo '"`,
    "sh -c \"cat <<\\$'EOF'\n\\$EOF\nvictim x\nEOF\"",
    "sh -c 'v=victim; declare v=ls; $v x'",
    "sh -c 'v=ls; v=victim :; $v x'",
    "sh -c 'cd sub &> log; echo > keep.txt'",
    "sh -c 'pushd sub; echo > keep.txt'",
    "sh -c 'set -- {a,echo} victim; $2 x'",
    "sh -c 'f() { $2 x; }; f {a,echo} victim'",
    "ksh -c 'echo victim | read v; $v x'",
    "zsh -c 'echo victim | read v; $v x'",
    "zsh -c '=victim x'",
    "zsh -c 'a=(victim ls); ${a[1]} x'",
    "zsh -c 'echo a >! keep.txt'",
    "sh -c 'alias e=env\ne victim x'",
    "zsh -c 'functions[f]=victim; f x'",
    "zsh -c 'aliases[foo]=victim; foo x'",
    "zsh -c 'hash foo=/bin/victim; foo x'",
    "zsh -c 'x=.env.bak; cat $x:r'",
    "zsh -c 'x=a.env; cat $x[2,-1]'",
    "zsh -c 'x=\"victim y\"; $=x'",
    "zsh -c 'argv=(.env); cat $1'",
    "zsh -c 'print -v x .env; cat $x'",
    "zsh -c 'x=${y::=.env}; cat $y'",
    "ksh -c 'y=${ x=.env; }; cat $x'",
    "ksh -c 'nameref r=x; r=.env; cat $x'",
    "dash -c 'x=.env; builtin export x=a.txt; cat $x'",
    "dash -c 'x=.env; time x=a.txt; cat $x'",
    "dash -c 'x=.env; { x=a.txt; } &> /dev/null; cat $x'",
    "bash --posix -c 'v=ls; v=victim :; $v x'",
    "bash -o posix -c 'v=ls; v=victim :; $v x'",
    "bash -O lastpipe -c 'v=ls; echo victim | read v; $v x'",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each([
    "sh -c '[[ -f x ]] && echo y'",
    "sh -c 'echo hi 2>&1 | tee log'",
    "sh -c 'mkdir -p a/{b,c}'",
    "sh -c 'export A=1; make'",
    "sh -c 'i=0; while [ $i -lt 3 ]; do i=$((i+1)); done'",
    "sh -c \"printf $'a\\n'\"",
    "bash -c '((i++)); [[ -f x || -f y ]]; echo $i'",
    "zsh -lc 'npm test && git status'",
    'zsh -c \'for f in *.ts; do echo "$f" ${f%.ts} "${#f}" "${f:-x}"; done; echo $? $1 $@\'',
    "ksh -c 'x=a; echo $x; ls | wc -l'",
    "find . -name '*.c' -exec sh -c 'echo \"$1\"' _ {} \\;",
  ])("%s is as harmless as it looks", (text) => expect(decisionOf(text)).toBe("allow"));
});

describe("a text that a host runs in zsh", () => {
  const zsh = { ...guard, surroundings: { ...guard.surroundings, dialect: "zsh" as const } };
  const decide = (text: string) => check(zsh, text).result.decision;
  test.each([
    "=victim x",
    "echo a >! keep.txt",
    "repeat 2 victim x",
    "noglob victim x",
    "- victim x",
    "v=(victim ls); ${v[1]} x",
    "echo victim | read v; $v x",
    "x='$(victim y)'; echo ${(e)x}",
    "setopt rc_quotes; echo 'a'' ; victim x; '''",
    "emulate sh; echo x",
  ])("%s", (text) => expect(decide(text)).not.toBe("allow"));

  test.each([
    "sed 's/ =1/ =2/' f",
    "[[ a == b ]] && echo ok",
    "make a=b",
    "echo hi > out; ls | head",
    "echo '=x' \"=y\" z=1",
  ])("%s is as harmless as it looks", (text) => expect(decide(text)).toBe("allow"));
});

describe("parameters behind a word that may be several, or none", () => {
  test.each([
    "set -- $(cat f) ls victim; $2 x",
    "set -- *.c ls victim; $2 x",
    "set -- $(cat f) ls; shift; $1 x",
    "a=($(cat f) ls victim); ${a[1]} x",
    "a=(*.c ls victim); ${a[1]} x",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each(["set -- a ls; $2 x", 'set -- "$(cat f)" ls; $2 x', "a=(a ls); ${a[1]} x"])("%s is known", (text) =>
    expect(decisionOf(text)).toBe("allow"),
  );
});

describe("numbers as bash reads them", () => {
  test.each(["echo > keep$((010)).txt", "echo > keep$((0x8)).txt"])("%s", (text) =>
    expect(decisionOf(text)).not.toBe("allow"),
  );
});
