import { describe, expect, test } from "vitest";
import { codes, lines, split, worldWith } from "./split.ts";

/** Several spellings, one expectation: the segments in the order of the text. */
function cases(
  name: string,
  rows: readonly (readonly [texts: readonly string[], segments: readonly string[]])[],
): void {
  describe(name, () => {
    for (const [texts, segments] of rows)
      for (const text of texts) test(JSON.stringify(text), () => expect(lines(text)).toEqual(segments));
  });
}

cases("every simple command of a list, pipeline or compound is a segment", [
  [
    [
      "a; b",
      "a\nb",
      "a && b",
      "a || b",
      "a & b",
      "a | b",
      "a |& b",
      "(a; b)",
      "{ a; b; }",
      "! a | b",
      "time a | b",
      "a \\\n&& b",
    ],
    ["a", "b"],
  ],
  [["if a; then b; else c; fi"], ["a", "b", "c"]],
  [
    ["while a; do b; done", "until a; do b; done"],
    ["a", "b"],
  ],
  [
    [
      "for x in 1; do b; done",
      "select x in 1; do b; done",
      "for ((;;)); do b; done",
      "case x in x) b ;; esac",
      "f() { b; }",
      "function f { b; }",
      "coproc b",
      "coproc N { b; }",
    ],
    ["b"],
  ],
]);

test.each([
  "a $(b)",
  "a `b`",
  'a "$(b)"',
  "a <(b)",
  "a >(b)",
  "a x<(b)",
  "a 2>(b)",
  "a ${x:-$(b)}",
  "a \"${x:-'$(b)'}\"",
  "a \"${x#'y'$(b)}\"",
  "a ${x/$(b)/c}",
  "a ${x:$(b)}",
  "a ${y[$(b)]}",
  "a $((1 + $(b)))",
  "a $(( '$(b)' ))",
  "a $[ $(b) ]",
  "a <<E\n$(b)\nE",
  "a <<E\n${x:-'$(b)'}\nE",
  "a <<< $(b)",
  "a > $(b)",
  "a {fd}> $(b)",
  "a `c \\`b\\``",
  "x=$(b) a",
  "x=(1 $(b)) a",
  "x[$(b)]=1 a",
  "x['$(b)']=1 a",
])("the substitution in %j is found", (text) => {
  expect(lines(text).filter((line) => line === "b")).toEqual(["b"]);
});

test.each([
  "x=$(b)",
  "x[$(b)]=1",
  "[[ $(b) ]]",
  "[[ a =~ $(b) ]]",
  "(( $(b) ))",
  "(( '$(b)' ))",
  "for ((i=$(b);;)); do :; done",
  "for i in $(b); do :; done",
  "case $(b) in x) ;; esac",
  "case x in $(b)) ;; esac",
  "> $(b)",
  "x=<(b)",
  "{ :; } > $(b)",
])("%j runs a command without being one", (text) => {
  expect(lines(text)).toContain("b");
});

cases("text that bash does not run is no segment", [
  [["echo 'a; b'", 'echo "a; b"', "echo a\\;\\ b", "echo $'a; b'"], ["echo a; b"]],
  [["cat <<'E'\n$(b)\nE", "cat <<E\nb; c\nE", "cat # ; b", "cat <<\\E\n`b`\nE"], ["cat"]],
]);

cases("wrappers are peeled, recursively", [
  [["timeout 5 rm x"], ["timeout 5 rm x", "wrapper: rm x"]],
  [["sudo -u root -- rm x"], ["sudo -u root -- rm x", "wrapper: rm x"]],
  [
    ["sudo -uroot env A=1 nice -n 5 rm x"],
    [
      "sudo -uroot env A=1 nice -n 5 rm x",
      "wrapper: env A=1 nice -n 5 rm x",
      "wrapper: A=1 nice -n 5 rm x",
      "wrapper: rm x",
    ],
  ],
  [["env -S 'rm -r' x"], ["env -S rm -r x", "wrapper: rm -r x"]],
  [["xargs rm"], ["xargs rm", "wrapper: rm …"]],
  [["xargs -I% mv % d"], ["xargs -I% mv % d", "wrapper: mv % d"]],
  [
    ["find . -exec rm {} \\;", "find . -exec rm {} ';'"],
    ["find . -exec rm {} ;", "wrapper: rm ./**"],
  ],
]);

cases("script arguments are read as scripts", [
  [
    ["bash -c 'a; b'", 'bash -c "a; b"', "bash -c $'a; b'"],
    ["bash -c a; b", "script: a", "script: b"],
  ],
  [["bash -lc 'rm x'"], ["bash -lc rm x", "script: rm x"]],
  [["eval rm '-r' x"], ["eval rm -r x", "script: rm -r x"]],
  [["trap 'rm x' EXIT"], ["trap rm x EXIT", "script: rm x"]],
  [["sh <<E\nrm x\nE"], ["sh", "script: rm x"]],
  [["sh <<< 'rm x'"], ["sh", "script: rm x"]],
  [["echo 'rm x' | sh"], ["echo rm x", "sh", "script: rm x"]],
  [["bash -c 'rm $1' _ x"], ["bash -c rm $1 _ x", "script: rm x"]],
]);

test("script files are followed, to a depth", () => {
  const world = worldWith({ "/repo/a.sh": "#!/bin/sh\nrm x\n. ./b.sh\n", "/repo/b.sh": "b\n" });
  expect(lines("bash a.sh", world)).toEqual(["bash a.sh", "file: rm x", "file: . ./b.sh", "file: b"]);
  expect(lines("./a.sh", world)).toEqual(["./a.sh", "file: rm x", "file: . ./b.sh", "file: b"]);
  expect(lines("cd /repo && sh ./b.sh", world)).toEqual(["cd /repo", "sh ./b.sh", "file: b"]);
  const loop = split("sh a.sh", worldWith({ "/repo/a.sh": "sh a.sh" }));
  expect(loop.findings.map(({ code }) => code)).toEqual(["opaque-script"]);
});

test("package scripts are followed, with what runs before and after", () => {
  const world = worldWith({
    "/repo/package.json": JSON.stringify({ scripts: { prebuild: "a", build: "b && npm run c", c: "d" } }),
  });
  expect(lines("npm run build", world)).toEqual(["npm run build", "file: a", "file: b", "file: npm run c", "file: d"]);
  const others = { pretest: "p", test: "t", prepare: "r", postinstall: "i", start: "s" };
  const named = worldWith({ "/repo/package.json": JSON.stringify({ scripts: others }) });
  expect(lines("npm test", named)).toEqual(["npm test", "file: p", "file: t"]);
  expect(lines("yarn start", named)).toEqual(["yarn start", "file: s"]);
  expect(lines("npm ci", named)).toEqual(["npm ci", "file: i", "file: r"]);
});

test("package scripts are opaque when they may be there and cannot be read, and nothing when there are none", () => {
  const there = new Set(["/repo", "/repo/broken/package.json", "/repo/broken", "/repo/empty"]);
  const world = {
    ...worldWith({ "/repo/broken/package.json": "{" }),
    exists: (path: string) => there.has(path),
  };
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["npm run x", []],
    ["npm --prefix empty run x", []],
    ["cd empty && npm run x", []],
    ["npm --prefix broken run x", ["opaque-script"]],
    ["cd broken && npm run x", ["opaque-script"]],
    ["cd fresh && npm run x", ["opaque-script"]],
    ["npm run $X", ["opaque-script"]],
    ["echo {} > package.json; npm run x", ["opaque-script"]],
    ["cp a/package.json .; npm run x", ["opaque-script"]],
    ["tar -xf a.tar -C /repo; npm run x", ["opaque-script"]],
  ];
  expect(rows.map(([text]) => [text, codes(text, world)])).toEqual(rows);
  // Where nobody can start, nothing runs.
  expect(codes("cd fresh && npm run x", { ...world, exists: () => false })).toEqual([]);
});

test("a program by its path is followed although the dictionary knows one of that name", () => {
  const world = worldWith({
    "/repo/task": "#!/bin/sh\nrm x",
    "/repo/make": "#!/usr/bin/python3\nx",
    "/usr/bin/git": "#!/bin/sh\nrm x",
  });
  expect(lines("./task build", world)).toEqual(["./task build", "file: rm x"]);
  expect(lines("./make build", world)).toEqual(["./make build"]);
  expect(lines("/usr/bin/git status", world)).toEqual(["/usr/bin/git status"]);
});

test("bash runs a text without a first line that says who reads it, and nothing else without one", () => {
  const world = worldWith({
    "/repo/s": "rm x\n",
    "/repo/sub/s": "rm y\n",
    "/repo/empty": "",
    "/repo/py": "#!/bin/python\nx",
  });
  expect(lines("./s", world)).toEqual(["./s", "file: rm x"]);
  expect(lines("env ./s", world)).toEqual(["env ./s", "wrapper: ./s", "file: rm x"]);
  expect(lines("sub/../s", world)).toEqual(["sub/../s", "file: rm x"]);
  expect(lines("cd sub; ./s", world)).toEqual(["cd sub", "./s", "file: rm y", "file: rm x"]);
  for (const text of ["./empty", "./py", "./binary"]) expect(lines(text, world)).toEqual([text]);
  expect(codes("echo 'rm x' > s; ./s", world)).toEqual(["opaque-script"]);
  for (const made of ["mv x sub", "ln -sfn x sub", "cp -r x sub"])
    expect(codes(`${made}; sub/s`, world)).toEqual(["opaque-script"]);
});

test("a segment says where it stands", () => {
  const text = "a && b | sudo c";
  const { segments } = split(text);
  expect(
    segments.map(({ text: own, span, via, origin, parent }) => [
      own,
      text.slice(span.start, span.end),
      via,
      origin,
      parent,
    ]),
  ).toEqual([
    ["a", "a", [], "text", undefined],
    ["b", "b", ["&&"], "text", undefined],
    ["sudo c", "sudo c", ["&&", "|"], "text", undefined],
    ["c", "c", ["&&", "|"], "wrapper", 2],
  ]);
});
