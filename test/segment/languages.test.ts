import { describe, expect, test } from "vitest";
import { awkProgram } from "../../src/segment/awk.ts";
import { sedProgram } from "../../src/segment/sed.ts";
import { split } from "./split.ts";

const sedNames = (script: string) => sedProgram(script).escapes.map(({ name }) => name);
const awkNames = (program: string) =>
  awkProgram(program)
    .escapes.map(({ name }) => name)
    .sort();

describe("sed scripts that only edit what is printed", () => {
  test.each([
    "s/a/b/g",
    "s/[^/]*$//",
    "s/[[:space:]]*$//;s/[]/]//",
    "1,5p",
    "/a/,/b/{s/x/y/;p}",
    "$!N;s/\\n/ /;P;D",
    ":a;N;$!ba;s/\\n/,/g",
    ":a\n$!{N;ba}\ns/x/y/",
    "0~3d",
    "0,/re/I!d",
    "\\,usr/bin,Id",
    "s|a|w e|;y/abc/xyz/",
    "a\\\ntext with 1e victim",
    "i one line\\\nand 1e victim",
    "$a done",
    "#n a comment with e\np",
    "s/a/b/ ; s/c/d/2p",
    "l 5;q 1",
    "v 4.2",
    "s,[,],x,",
  ])("%s", (script) => expect(sedProgram(script)).toEqual({ escapes: [], files: [], commands: [] }));
});

describe("sed scripts that run a command", () => {
  test.each([
    "1e victim",
    "s/a/victim/e",
    "s/a/victim/gpe",
    "/o/IMe victim",
    "/o/ M I e victim",
    "v;1e victim",
    "v 4.2;1e victim",
    "s\\a\\b\\;1e victim",
    "s/[[.].]/]/x/;1e victim",
    "s/[/]/x/;1e victim",
    "/[\\]/e victim",
    "/[]/]/e victim",
    "s/x/[/;1e victim;s/]/",
    "a x\\\\\n1e victim",
    "1,+2!e victim",
    "\\;a;e victim",
    "{s/a/b/};1e victim",
    "s/a/b/ ;1e victim",
    "sxaxbx;1e victim",
    "p#x\n1e victim",
  ])("%s", (script) => expect(sedNames(script)).toContain("e"));
});

describe("sed scripts of which it is not sure what they do", () => {
  test.each([
    ":a 1e victim",
    "b a 1e victim",
    "/[^",
    "s/a",
    "s/a/b/ i1e victim",
    "k",
    "s/a\nb/c/",
    "1;e",
    "a",
    "p\r",
    "c\\ \\\n1e victim",
  ])("%j", (script) => expect(sedNames(script)).not.toEqual([]));
});

test("a sed script names the files that it reads and writes", () => {
  expect(sedProgram("/x/r a b\ns/a/b/w out;1\n2w /dev/stdout").files).toEqual([
    { access: "read", path: "a b" },
    { access: "write", path: "out;1" },
    { access: "write", path: "/dev/stdout" },
  ]);
});

describe("awk programs that only read and print", () => {
  test.each([
    "{print $1}",
    "NR>3 && /a|b/ {n++} END {print n/2, (n+1)/2}",
    '{printf "%s > %s\\n", $1, $2}',
    "/[^/]+$/ {print}",
    '{gsub(/[/"]/, ""); print}',
    "$3 > 100 {print (a > b) ? 1 : 2}",
    '{ print "to stderr" > "/dev/stderr" }',
    '{sum += $1 / 2} # system("x") | y',
    '"system(x)" ~ $0',
    "{while ((getline line) > 0) n++}",
  ])("%s", (program) => expect(awkProgram(program).escapes).toEqual([]));
});

describe("awk programs that do more", () => {
  test.each([
    ['{system("vic" "tim")}', ["system"]],
    ['{system("victim" x)}', ["system"]],
    ["{system($1)}", ["system"]],
    ['{system("vic\\x74im")}', ["system"]],
    ['{x "victim" | getline}', ["|"]],
    ['{print | "victim " x}', ["|"]],
    ["{print | cmd}", ["|"]],
    ['@load "x"', ["@"]],
    ['{f = "system"; @f("victim")}', ["@"]],
    ['{print $1 > "out"}', [">"]],
    ['{print $1,\n $2 >> "out"}', [">"]],
    ["{print > $1}", [">"]],
    ["{getline x < $1}", ["getline"]],
    ['BEGIN {ARGV[1] = ".env"}', ["ARGV"]],
    ["/a", ["awk"]],
  ] as const)("%s", (program, names) => expect(awkNames(program)).toEqual(expect.arrayContaining([...names])));
});

describe("an awk program's command that stands in it is judged by itself", () => {
  test.each([
    '{system("victim")}',
    '{system ("victim")}',
    '!/[/]"/{system("victim")}#"',
    '!/[]/"]/{system("victim")}#"',
    '{ if (1) /"/; system("victim"); y="" }',
    '{ i++ /1; system("victim") /1 }',
    '{ "4" /1; system("victim") /1 }',
    '{ x = 1\n/"/ }; { system("victim") } #"',
    '{"victim" | getline}',
    '{print | "victim"}',
    '{print |& "victim"}',
    '{while (("victim" | getline line) > 0) n++}',
    '{x = 1; "victim" |& getline x}',
  ])("%s", (program) => {
    const { escapes, commands } = awkProgram(program);
    expect({ commands, runs: escapes.filter((each) => each.escape === "runs") }).toEqual({
      commands: ["victim"],
      runs: [],
    });
  });

  test("inside the command line", () => {
    const { segments } = split(`awk 'BEGIN { "ls -l" | getline; system("rm -rf x") }'`);
    expect(segments.map(({ argv }) => argv.join(" ")).slice(1)).toEqual(["ls -l", "rm -rf x"]);
  });
});

test("an awk program names the files that it reads and writes", () => {
  expect(awkProgram('{while ((getline l < "in") > 0) print l > "out"; getline < ".env"}').files).toEqual([
    { access: "write", path: "out" },
    { access: "read", path: "in" },
    { access: "read", path: ".env" },
  ]);
});

test("a program with too many readings is not understood", () => {
  expect(awkNames("(a)/b/c/(d)/e/(f)/g/(h)/i/(j)/k/(l)/m/(n)/o/(p)/q/(r)/s/(t)/u/(v)/w/")).toContain("awk");
});

describe("a program text of which a part is not known", () => {
  const escapes = (line: string) => split(line).segments[0]?.reading?.escapes.map(({ name }) => name);

  test.each([
    'sed -n "$((10)),${n}p" a',
    'sed "s/$(pwd | tr / _)/x/" a',
    'sed "s|$a|$b|g;${n}d" a',
    'awk -v x=1 "\\$1 > $n / 2 {print}" a',
    'awk "/$pattern/" a',
  ])("%s", (line) => expect(escapes(line)).toEqual([]));

  test.each([
    'sed "$script" a',
    'awk "$program" a',
    'sed "s/a/b/$flags" a',
    'sed "1$command" a',
    'for p in p "1e x"; do sed "$p" a; done',
  ])("%s", (line) => expect(escapes(line)).not.toEqual([]));
});
