import { describe, expect, test } from "vitest";
import { readInvocation } from "../../src/segment/read.ts";
import type { Inner } from "../../src/segment/reading.ts";
import type { Entry } from "../../src/segment/spec.ts";
import { holeValue, shownValue, type Value } from "../../src/segment/value.ts";
import { splitLine } from "../arity/split-line.ts";

const timeout: Entry = {
  names: ["timeout"],
  syntax: "posix",
  closed: true,
  transparent: true,
  options: { "-k": "text", "-v": 0 },
  operands: ["text", "command"],
};
const env: Entry = {
  names: ["env"],
  syntax: "posix",
  closed: true,
  transparent: "bare",
  options: { "-i": 0, "-u": "text", "-S, --split-string": "split-words", "-C": "directory" },
  operands: ["assignment*", "command"],
};
const find: Entry = {
  names: ["find"],
  syntax: "find",
  closed: true,
  options: { "-name": "text", "-delete": { escape: "deletes" }, "-exec": { value: "command", until: [";", "+"] } },
  operands: ["list*"],
};
const xargs: Entry = {
  names: ["xargs"],
  syntax: "posix",
  closed: true,
  appends: true,
  options: { "-0": 0, "-n": "text", "-I": "placeholder", "-i": { value: "placeholder", glued: true } },
  operands: ["command"],
};
const bash: Entry = {
  names: ["bash"],
  syntax: "posix",
  closed: true,
  stdin: { role: "script", unless: ["-c"] },
  options: { "-c": 0, "-e": 0, "-s": 0, "-o": "text" },
  operands: [
    { role: "script", when: ["-c"] },
    { role: "script-file", unless: ["-c", "-s"] },
  ],
};
const ssh: Entry = {
  names: ["ssh"],
  closed: true,
  options: { "-p": "text", "-o": "config" },
  operands: ["net", "remote-script*"],
};
const watch: Entry = {
  names: ["watch"],
  syntax: "posix",
  closed: true,
  options: { "-n": "text", "-x, --exec": 0 },
  operands: [
    { role: "script", many: true, unless: ["--exec"] },
    { role: "command", when: ["--exec"] },
  ],
};
const git: Entry = { names: ["git"], options: { "-x, --exec": "program", "--init": "script-file" } };
const run: Entry = { names: ["run"], closed: true, options: { "-e": "assignment", "--cmd": "command" } };
const npm: Entry = { names: ["npm"], verbs: { run: { words: 3, operands: ["package-script", "text*"] } } };
const all = [timeout, env, find, xargs, bash, ssh, watch, git, run, npm];

function read(words: readonly Value[]) {
  return readInvocation(words, (name) => all.find(({ names }) => names.includes(name)));
}

function shown(inner: Inner): string {
  switch (inner.kind) {
    case "argv": {
      const assignments = inner.assignments.map(({ name, value }) => `${name}:=${shownValue(value)} `).join("");
      const marks = `${inner.appends ? " …" : ""}${inner.placeholder === undefined ? "" : ` by ${inner.placeholder}`}`;
      return `${assignments}${inner.words.map(shownValue).join(" ")}${marks}`;
    }
    case "script":
      return `${inner.role} <${shownValue(inner.text)}>${inner.parameters.map((value) => ` ${shownValue(value)}`).join("")}`;
    case "file":
      return `file ${[inner.path, ...inner.parameters].map(shownValue).join(" ")}`;
    case "stdin":
      return "stdin";
    case "package-script":
      return `package-script ${inner.names.map(shownValue).join(" ")}`;
  }
}

describe("inner commands", () => {
  test.each([
    ["timeout -k 3 5 git push -f", ["git push -f"]],
    ["timeout 5 -- rm", ["-- rm"]],
    ["timeout -- 5 rm -v", ["rm -v"]],
    ["timeout 5", []],
    ["timeout --unknown 5 rm x", ["rm x"]],
    ["env", []],
    ["env A=1", []],
    ["env -i A=1 B= a-b=c rm A=2", ["A:=1 B:= a-b:=c rm A=2"]],
    ["env -S 'A=1 rm -r' x", ["A:=1 rm -r x"]],
    ["env -iS'rm \"a b\"' x", ["rm a b x"]],
    ["env --split-string='-u X rm' x", ["rm x"]],
    ["env -S 'rm $X' x", ["rm $X x"]],
    ["env -S 'rm '\\''a' x", ["rm 'a x"]],
    ["find . -exec rm -r {} ; -name x", ["rm -r {} by {}"]],
    ["find . -exec rm {} + -exec ls + {} + -delete", ["rm {} by {}", "ls + {} by {}"]],
    ["find . -exec rm {}", ["rm {} by {}"]],
    ["xargs -0n 1 rm -r", ["rm -r …"]],
    ["xargs", []],
    ["xargs -I{} mv {} x", ["mv {} x by {}"]],
    ["xargs -I % mv % x", ["mv % x by %"]],
    ["xargs -i mv {} x", ["mv {} x by {}"]],
    ["xargs mv {} x", ["mv {} x … by {}"]],
    ["bash -c 'rm x' name arg", ["script <rm x> name arg"]],
    ["bash -ce 'rm x' -c", ["script <rm x> -c"]],
    ["bash -c -o pipefail 'rm x'", ["script <rm x>"]],
    ["bash -e x.sh -c a", ["file x.sh -c a"]],
    ["bash", ["stdin"]],
    ["bash -s a", ["stdin"]],
    ["bash -c", []],
    ["ssh -p 1 host", []],
    ["ssh host -p 1 rm -r x", ["remote-script <rm -r x>"]],
    ["watch -n 1 git status -s", ["script <git status -s>"]],
    ["watch -x git status", ["git status"]],
    ["git --exec='rm x' -x ls", ["program <rm x>", "program <ls>"]],
    ["git --init a.sh", ["file a.sh"]],
    ["run -e A=1 -e B --cmd rm -e x", ["A:=1 rm -e x"]],
    ["npm run build -- --watch", ["package-script build"]],
  ])("%s", (line, expected) => expect(read(splitLine(line)).inner.map(shown)).toEqual(expected));

  test("have the places of their words", () => {
    const [inner] = read(splitLine("timeout -k 3 5 git push")).inner;
    expect(inner).toMatchObject({ kind: "argv", from: 4, to: 6, by: "timeout" });
    expect(read(splitLine("find . -exec rm {} ;")).inner[0]).toMatchObject({ from: 3, to: 5, by: "-exec" });
    expect(read(splitLine("env -S 'rm a' b")).inner[0]).toMatchObject({ from: 2, to: 4 });
    expect(read(splitLine("git -x ls")).inner[0]).toMatchObject({ from: 2, to: 3, by: "--exec" });
    expect(read(splitLine("git --exec=ls")).inner[0]).toMatchObject({ from: 1, to: 2 });
  });

  test("a wrapper is seen through as its entry says", () => {
    const rows = ["timeout -v 5 ls", "env A=1 ls", "env -i ls", "xargs ls"];
    expect(rows.map((line) => read(splitLine(line)).transparent)).toEqual([true, true, false, false]);
  });

  test("an option that a wrapper does not know is an escape", () => {
    const rows = ["timeout --unknown 5 rm", "timeout -vq 5 rm", "find . -newer x", "timeout 5 rm --unknown"];
    expect(
      rows.map((line) => read(splitLine(line)).escapes.map(({ escape: deed, name }) => `${deed} ${name}`)),
    ).toEqual([["unknown --unknown"], ["unknown -q"], ["unknown -newer"], []]);
    expect(read(splitLine("timeout --unknown 5 rm")).escapes[0]?.message).toBe(
      "`--unknown` is not an option of timeout that the dictionary knows",
    );
  });
});

describe("holes in front of an inner command", () => {
  const split = holeValue({ cause: "variable", text: "$T" }, true);
  const whole = holeValue({ cause: "variable", text: "$T" });
  const few = holeValue({ cause: "variable", text: "$T", choices: ["5", "6"] }, true);
  const escapes = (...words: Value[]) => read(words).escapes.map(({ escape: deed, name }) => `${deed} ${name}`);

  test("one that may be several words makes its place uncertain", () => {
    expect(escapes("timeout", split, "rm", "x")).toEqual(["unknown $T"]);
    expect(escapes("timeout", "-k", split, "5", "rm")).toEqual(["unknown $T"]);
    expect(escapes("timeout", whole, "rm", "x")).toEqual([]);
    expect(escapes("timeout", few, "rm", "x")).toEqual([]);
    expect(escapes("timeout", "5", split, "x")).toEqual([]);
  });

  test("one that may be an option is unknown to a closed entry", () => {
    expect(escapes("timeout", { pieces: ["-", { cause: "variable", text: "$T" }], splits: false }, "5", "rm")).toEqual([
      "unknown -$T",
    ]);
  });

  test("one that is the command stays in its place", () => {
    expect(read(["env", "A=1", whole, "x"]).inner.map(shown)).toEqual(["A:=1 $T x"]);
    expect(
      read(["env", { pieces: ["A=", { cause: "variable", text: "$T" }], splits: false }, "rm"]).inner.map(shown),
    ).toEqual(["A:=$T rm"]);
  });

  test("one in a list may end it, so an option behind it counts", () => {
    expect(escapes("find", ".", "-exec", "echo", whole, "-exec", "rm", "{}", ";")).toEqual([
      "runs -exec",
      "unknown -exec",
    ]);
    expect(escapes("find", ".", "-exec", "grep", whole, "{}", ";")).toEqual(["runs -exec"]);
  });
});
