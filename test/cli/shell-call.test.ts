import { describe, expect, test } from "vitest";
import { isShellCall } from "../../src/cli/shell.ts";
import { readShellCall } from "../../src/cli/shell-call.ts";
import { denialForm } from "../../src/cli/shell-denial.ts";
import { DEEPEST, depthOf } from "../../src/cli/shell-depth.ts";

const words = (line: string) => line.split(" ").map((word) => (word === "_" ? "" : word));

describe("bash's own calling conventions", () => {
  test.each([
    [["-c T", "-lc T", "-cl T", "-l -c T", "-c -l T", "--login -c T", "-login -c T", "-c -- T", "-c - T"], []],
    [["--noprofile --norc -c T", "--norc -lc T", "--noediting -c T"], []],
    [["-e -c T", "-ec T", "-ce T", "-c -e T"], ["-e"]],
    [["-euxc T"], ["-e", "-u", "-x"]],
    [
      ["-o pipefail -c T", "-c -o pipefail T", "-co pipefail T"],
      ["-o", "pipefail"],
    ],
    [
      ["-euo pipefail -c T", "-euco pipefail T"],
      ["-e", "-u", "-o", "pipefail"],
    ],
    [["+O extglob -c T"], ["+O", "extglob"]],
    [["-O nullglob +o errexit -c T"], ["-O", "nullglob", "+o", "errexit"]],
    [["--verbose --restricted -c T"], ["--verbose", "--restricted"]],
  ])("%j is a text", (lines, options) => {
    for (const line of lines) {
      expect(readShellCall(words(line)), line).toEqual({
        kind: "text",
        text: "T",
        name: undefined,
        options,
        parameters: [],
      });
    }
  });

  test.each([
    ["-c T zero one -two", { kind: "text", text: "T", name: "zero", options: [], parameters: ["one", "-two"] }],
    ["-c _", { kind: "text", text: "", name: undefined, options: [], parameters: [] }],
    ["-c -- -x", { kind: "text", text: "-x", name: undefined, options: [], parameters: [] }],
    ["-e f.sh -c x", { kind: "file", path: "f.sh", options: ["-e"], parameters: ["-c", "x"] }],
    ["-- -f.sh", { kind: "file", path: "-f.sh", options: [], parameters: [] }],
    ["-s a b", { kind: "input", interactive: false, options: [], parameters: ["a", "b"] }],
    ["-i", { kind: "input", interactive: true, options: [], parameters: [] }],
    ["-l", { kind: "input", interactive: false, options: [], parameters: [] }],
    ["--version -c T", { kind: "version" }],
    ["--help", { kind: "help" }],
  ])("%s", (line, expected) => {
    expect(readShellCall(words(line))).toEqual(expected);
  });

  test("no word at all reads standard input", () => {
    expect(readShellCall([])).toEqual({ kind: "input", interactive: false, options: [], parameters: [] });
  });

  test.each([
    ["-c", "needs a text"],
    ["-o", "needs the name"],
    ["-i -c T", "`-i` reads ~/.bashrc"],
    ["-ic T", "`-i` reads ~/.bashrc"],
    ["-i f.sh", "`-i` reads ~/.bashrc"],
    ["--posix -c T", "judges bash's own language only"],
    ["-posix -c T", "judges bash's own language only"],
    ["-o posix -c T", "write `set -o posix` as a line of the text"],
    ["--rcfile F -c T", "`. FILE`"],
    ["-rcfile F -c T", "`. FILE`"],
    ["--init-file F", "`. FILE`"],
    ["-k -c T", "write `set -k` as a line"],
    ["-H -c T", "write `set -H` as a line"],
    ["+B -c T", "write `set +B` as a line"],
    ["-P -c T", "write `set -P` as a line"],
    ["+o braceexpand -c T", "write `set +o braceexpand`"],
    ["-O extglob -c T", "write `shopt -s extglob`"],
    ["-O expand_aliases -c T", "write `shopt -s expand_aliases`"],
    ["+O sourcepath -c T", "write `shopt -u sourcepath`"],
    ["-O nosuch -c T", "may change how bash reads the text"],
    ["-D -c T", "for translators"],
    ["-Z -c T", "not an option of bash"],
    ["--nosuch -c T", "not an option of bash"],
    ["-c --norc T", "behind short options"],
  ])("%s is refused", (line, message) => {
    expect(readShellCall(words(line))).toEqual({ kind: "refused", message: expect.stringContaining(message) });
  });
});

test.each([
  [["check", "ls"], undefined, false],
  [["--help"], undefined, false],
  [["-h"], "/x/guarded-sh", false],
  [["--version"], "/x/guarded-sh.js", false],
  [["--version"], "/x/bash", true],
  [["check", "ls"], "/x/bash", true],
  [["check", "ls"], "/x/-bash", true],
  [["check", "ls"], "/x/sh", true],
  [["check", "ls"], "/x/zsh", true],
  [["check", "ls"], "/x/my-bash", false],
  [["-c", "ls"], undefined, true],
  [["+e"], undefined, true],
  [["--", "f"], undefined, true],
  [[], undefined, true],
])("%j called as %s is a shell's call: %s", (argv, program, expected) => {
  expect(isShellCall(argv, { program })).toBe(expected);
});

test.each([
  [undefined, { json: false, stream: "stderr" }],
  ["", { json: false, stream: "stderr" }],
  ["text", { json: false, stream: "stderr" }],
  ["json", { json: true, stream: "stderr" }],
  ["text:stdout", { json: false, stream: "stdout" }],
  ["json:stdout", { json: true, stream: "stdout" }],
  [":stdout", { json: false, stream: "stdout" }],
  ["json:stderr", { json: true, stream: "stderr" }],
])("GUARDED_SH_DENIAL=%s", (value, expected) => {
  expect(denialForm({ env: { GUARDED_SH_DENIAL: value } })).toEqual(expected);
});

test("any other GUARDED_SH_DENIAL is an error", () => {
  expect(() => denialForm({ env: { GUARDED_SH_DENIAL: "yaml" } })).toThrow(/use text or json/);
});

test.each([
  [undefined, 0],
  ["", 0],
  ["3", 3],
  ["-1", DEEPEST],
  ["many", DEEPEST],
])("GUARDED_SH_DEPTH=%s is %d levels deep", (value, depth) => {
  expect(depthOf({ env: { GUARDED_SH_DEPTH: value } })).toBe(depth);
});
