import { describe, expect, test } from "vitest";
import { deciding, guardAgainst, KEPT, SECRET, VICTIM } from "./decide.ts";

const guard = guardAgainst([VICTIM, SECRET, KEPT, "file_read: /sub/secret.txt"]);
const decisionOf = deciding(guard);

// Each was seen in bash 5.2 to run `victim`, to read `.env` or `sub/secret.txt`, or to write `keep.txt`.
describe("values that bash has by then, and a reader from left to right has not", () => {
  test.each([
    ["assignments see those in front of them", "x=echo; x=victim y=$x; $y z"],
    ["", "x=a.txt; x=.env y=$x; cat $y"],
    ["", "x=.e; x+=nv y=$x; cat $y"],
    ["", "x=old; x=keep.txt > $x"],
    ["`${x:=text}` assigns", "x=; : ${x:=victim}; ${x:-echo} y"],
    ["", 'x=; : ${x:=.env}; cat "${x:-a.txt}"'],
    ["", 'x=; [[ -n ${x:=.env} ]]; cat "${x:-a.txt}"'],
    ["", 'x=; case ${x:=.env} in a) ;; esac; cat "${x:-a.txt}"'],
    ["", 'x=; for i in ${x:=.env}; do :; done; cat "${x:-a.txt}"'],
    ["", 'x=; cat <<< ${x:=.env}; cat "${x:-a.txt}"'],
    ["", "x=; echo z ${x:=keep.txt} > ${x:-q}"],
    ["", "x=; y=${x:=.env} z=${x:-a.txt}; cat $z"],
    ["", 'x=; for i in 1 2; do cat "${x:-a.txt}"; y=${x:=.env}; done'],
    ["one of several values is empty", `for y in '' a.txt; do cat "\${y:-.env}"; done`],
    ["", 'x=; [ -e no ] && x=a.txt; cat "${x:-.env}"'],
    ["", 'y=a.txt; case x in x) y=;; esac; cat "${y:-.env}"'],
    ["parameters change in a loop", "set -- a.txt .env; while [ $# -gt 0 ]; do cat $1; shift; done"],
    ["", "set -- a.txt; for i in 1 2; do cat $1; set -- .env; done"],
    ["", "set -- true victim; while env $1; do shift; done"],
    ["", "set -- a.txt .env; while shift; do break; done; cat $1"],
    ["lists without quotes are split and globbed", 'set -- "a.txt .env"; cat $@'],
    ["", "set -- '.en?'; cat $*"],
    ["", 'a=("A=1 victim x"); env ${a[@]}'],
    ["", 'set -- "victim x"; $@'],
    ["", 'f() { cat $@; }; f "a.txt .env"'],
    ["", `bash -c 'env $@' x 'A=1 victim'`],
    ["", 'set -- "" victim; $@'],
    ["a scalar is the first element", "a=(echo); export a=victim; ${a[0]} x"],
    ["", "a=(a.txt); declare a=.env; cat ${a[0]}"],
    ["", 'a=(a.txt); for a in .env; do cat "${a[0]}"; done'],
    ["", "a=(a.txt); export a=(.env); cat ${a[0]}"],
    ["variables that bash sets", "_=echo; echo victim; $_ x"],
    ["", "REPLY=echo; read <<< victim; $REPLY z"],
    ["", "BASH_REMATCH=(echo); [[ victim =~ .* ]]; ${BASH_REMATCH[0]} x"],
    ["", 'MAPFILE=(a.txt); mapfile -t <<< .env; cat "${MAPFILE[0]}"'],
    ["", "OPTARG=a.txt; getopts x: o -x .env; cat $OPTARG"],
    ["", 'PWD=other; cd sub; cat "$PWD/secret.txt"'],
    ["a redirect fails, so nothing is done", "x=victim; export x=echo < /none; $x z"],
    ["", "x=victim; { x=echo; } < /none; $x z"],
    ["", "set -- .env; set -- a.txt < /none; cat $1"],
    ["", "cd sub; cd / < /none; cat secret.txt"],
    ["`local` works in functions alone", "x=victim; local x=echo; $x z"],
    ["`declare -p` assigns nothing", "x=.env; declare -p x=a.txt; cat $x"],
    ["`exit` that does not", "x=echo; if true; then x=victim; exit --help; fi; $x z"],
    ["", "x=echo; if true; then x=victim; exit < /none; fi; $x z"],
    ["functions that a script inside defines", "x=a.txt; eval 'f() { cat $x; }'; x=.env; f"],
    ["", "eval 'f() { cat secret.txt; }'; cd sub; f"],
    ["", "x=a.txt; f() { cat $x; }; x=.env f"],
    ["traps work from now on", "trap 'x=.env' DEBUG; x=a.txt; cat $x"],
    ["", "trap 'x=.env' ERR; x=a.txt; false; cat $x"],
    ["", "trap 'set -- .env' DEBUG; set -- a.txt; cat $1"],
    ["", "trap 'a=(.env)' DEBUG; a=(a.txt); cat ${a[0]}"],
    ["", "f() { trap 'x=.env' DEBUG; }; f; x=a.txt; :; cat $x"],
    ["", "x=a.txt; for i in 1; do trap 'x=.env' DEBUG; done; x=a.txt; cat $x"],
    ["", "f() { trap 'cd sub' RETURN; }; f; cat secret.txt"],
    ["", "mapfile -C 'x=.env;:' -c 1 y <<< a; x=a.txt; cat $x"],
    ["arithmetic evaluates subscripts", "y='(victim)'; x='a[$'; x+=\"$y]\"; echo $((x))"],
    ["", "printf -v x 'a[$%s]' \"$y\"; echo $((x))"],
    ["", "x=$(printf 'a[%s(victim)]' '$'); echo $((x))"],
    ["", "echo 'a[$(victim)]' | while read x; do echo $((x)); done"],
    ["", "env x='a[$(victim)]' bash -c 'echo $((x))'"],
    ["what cannot be expanded ends the line", "x=victim\necho $((1/0)); x=echo\n$x z"],
    ["", "x=victim\nUID=3; x=echo\n$x z"],
    ["", "x=victim\nexport q=$((1/0)); x=echo\n$x z"],
    ["", "x=victim\nexport x=echo q=$((1/0))\n$x z"],
    ["", "readonly r=1\nx=.env\nr=2; x=a.txt\ncat $x"],
    ["", "x=.env\necho ${a b}; x=a.txt\ncat $x"],
    ["", "x=.env\na[-5]=1; x=a.txt\ncat $x"],
    ["", "shopt -s failglob\nx=.env\necho nosuch*; x=a.txt\ncat $x"],
    ["", "set -- .env\necho $((1/0)); set -- a.txt\ncat $1"],
    ["", "x=.env\nif true; then\necho $((1/0))\nx=a.txt\nfi\ncat $x"],
    ["functions that are defined later, or perhaps", "f() { x=echo; g; $x a; }; g() { x=victim; }; f"],
    ["", 'main() { c=echo; parse; $c a; }; parse() { c=victim; }; main "$@"'],
    ["", "f() { x=a; g; cat .$x; }; g() { x=env; }; f"],
    ["", "f() { x=a; g; echo > $x.txt; }; g() { x=keep; }; f"],
    ["", "for i in 1 2; do x=echo; f; $x a; f() { x=victim; }; done"],
    ["", "y=echo; if true; then f() { y=victim; }; fi; f; $y a"],
    ["", "type f >/dev/null 2>&1 || f() { y=victim; }; y=echo; f; $y a"],
    ["assignments in front of eval", "x=echo; x=victim eval '$x a'"],
    ["", "x=echo; x=victim command eval '$x a'"],
    ["", "f=a; f=.env eval 'cat $f'"],
    ["`shift` that fails", 'set -- victim b; shift 5; "$@"'],
    ["", 'set -- victim b; shift -1; "$@"'],
    ["", 'set -- .env; shift 2; cat "$@"'],
    ["a lone sign", 'set -- victim; set -; "$@"'],
    ["", 'set -- victim; set +; "$@"'],
    ["what cannot be expanded, once more", "x=victim\n: $((08)); x=echo\n$x a"],
    ["", "x=victim\n: $((1+)); x=echo\n$x a"],
    ["", "x=victim\n: ${x:0:-99}; x=echo\n$x a"],
    ["", "x=victim\n: ${#x:1}; x=echo\n$x a"],
    ["", "x=victim\n: ${UID::=1}; x=echo\n$x a"],
    ["", "x=victim\nBASH_VERSINFO=1; x=echo\n$x a"],
    ["links on the way", "ln -s sub/deep l; cd -P l; cd ..; cat secret.txt"],
    ["", "ln -s sub/deep l; set -P; cd l; cd ..; cat secret.txt"],
  ])("%s %s", (_, text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each([
    "x=src/a.ts; cat $x",
    "x=a y=$x; cat $y",
    ': "${FOO:=bar}"; x=a.txt; cat $x',
    "f() { local x=a.txt; cat $x; }; f",
    "trap 'x=1; echo bye' EXIT; x=a.txt; cat $x",
    "trap 'echo stopped' INT; x=a.txt; cat $x",
    "cleanup() { local rc=$?; rm -rf x; exit $rc; }; trap cleanup EXIT; x=a.txt; cat $x",
    "cd sub > /dev/null && cat a.txt",
    'set -- a.txt b.txt; cat $1; for f in "$@"; do cat $f; done',
    "files=(a.txt b.txt); cat ${files[@]}",
    'for f in a.txt b.txt; do cat "${f:-c.txt}"; done',
    "if ! true; then exit 1; fi; x=a.txt; cat $x",
    "x=a.txt; echo hi > log; cat $x",
    "x=.env; x=a.txt > /none/x; cat $x",
    "f() { x=a.txt; g; cat b.txt; }; g() { echo hi; }; f",
    "set -- a.txt b.txt; shift; cat $1",
    "n=1\necho $((n+1))\nx=a.txt\ncat $x",
    "x=a.txt; echo $((1+1)); cat $x\ncat $x",
    "x=a.txt\nn=$((n+1)); echo ${x%.txt}\ncat $x",
    "n=3; grep 'foo[0-9]' f; echo $((n+1)); sed 's/a[b$]//' f",
  ])("%s is known", (text) => expect(decisionOf(text)).toBe("allow"));
});

describe("the target of a redirect is expanded as a word", () => {
  test.each([
    "echo x > {keep.txt,}",
    "echo x >> {,keep.txt}",
    "echo x >| {k..k}eep.txt",
    "cat < {.env,}",
    "exec 3< {.env,}",
    "x='keep.tx?'; echo x > $x",
    "x=' keep.txt'; echo x > $x",
    "x='.en?'; cat < $x",
    "cat < $(echo ' .env ')",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each(['x="a b"; echo x > "$x"', "echo x > out/$USER.log", "cat <<< {a,b}"])("%s is another file", (text) =>
    expect(decisionOf(text)).toBe("allow"),
  );
});

describe("words that xargs takes from its input", () => {
  test.each([
    "echo 'true victim' | xargs -n1 env",
    "printf 'true\\nvictim x\\n' | xargs -L 1 env",
    "echo victim | xargs -I{} -L2 env",
    'echo env | xargs -I{} cat "$(pwd)/.{}"',
    "echo 'victim x' | xargs -d '\\n' sh -c 'sh -c \"$1\"' _",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each(["echo 'a b c' | xargs -n1 echo", "printf 'a' | xargs sh -c 'echo \"$1\"' _"])("%s is known", (text) =>
    expect(decisionOf(text)).toBe("allow"),
  );
});

describe("a hole in the middle of an option", () => {
  test.each([
    "find . -ex${Q}ec victim ';'",
    "find . $Q-exec victim ';'",
    "find . -exec$IFS victim ';'",
    "find . -dele${Q}te",
    "tar xf x.tar --to-command$Q=victim",
    "sort -$Q''o keep.txt a.txt",
    "sed -$Q''i s/a/b/ keep.txt",
    'awk "BEGIN{sys${Q}tem(\\"victim\\")}"',
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each(["sort -k$col f", "git log -$n", "tail -n$x f", "find . -maxdepth $n -name x", 'awk "NR==$n{print}" f'])(
    "%s is no other option",
    (text) => expect(decisionOf(text)).toBe("allow"),
  );
});
