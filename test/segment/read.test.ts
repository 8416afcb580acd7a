import { describe, expect, test } from "vitest";
import { readInvocation } from "../../src/segment/read.ts";
import type { Reading } from "../../src/segment/reading.ts";
import type { Entry } from "../../src/segment/spec.ts";
import { shownValue, type Value } from "../../src/segment/value.ts";
import { splitLine } from "../arity/split-line.ts";

/** The words of a line in which `$NAME` is a hole that splits and `"$NAME"` one that does not. */
function wordsOf(line: string): Value[] {
  return splitLine(line.replace(/"(\$\w+)"/g, "$1!")).map((word) => {
    const hole = /\$\w+/.exec(word);
    if (hole === null) return word;
    const [text] = hole;
    const splits = !word.endsWith("!");
    const after = word.slice(hole.index + text.length).replace(/!$/, "");
    const pieces = [word.slice(0, hole.index), { cause: "variable" as const, text }, after];
    return { pieces: pieces.filter((piece) => piece !== ""), splits };
  });
}

function read(line: string, ...entries: readonly Entry[]): Reading {
  return readInvocation(wordsOf(line), (name) => entries.find(({ names }) => names.includes(name)));
}

function shownOptions({ options }: Reading): string[] {
  return options.map(({ name, values }) => [name, ...values.map(shownValue)].join(" "));
}

function shownOperands({ operands }: Reading): string[] {
  return operands.map(({ role, value }) => `${role} ${shownValue(value)}`);
}

const tool: Entry = {
  names: ["tool"],
  options: { "-x": 0, "-v, --verbose": 0, "-f, --file": "text", "-i, --in-place": { value: "text", glued: true } },
};

describe("options of the gnu syntax", () => {
  test.each([
    ["tool -xvf a b", ["-x", "--verbose", "--file a"]],
    ["tool -xfa b", ["-x", "--file a"]],
    ["tool b --file=a", ["--file a"]],
    ["tool --file a b", ["--file a"]],
    ["tool --fil a b", ["--file a"]],
    ["tool --verb b", ["--verbose"]],
    ["tool b -- -x", []],
    ["tool -f -- b", ["--file --"]],
    ["tool -i.bak b", ["--in-place .bak"]],
    ["tool -xi b", ["-x", "--in-place"]],
    ["tool --in-place b", ["--in-place"]],
    ["tool --file= b", ["--file "]],
    ["tool - b", []],
    ["tool -f", ["--file"]],
    ["tool -xq b", ["-x", "-q"]],
    ["tool -qx b", ["-qx"]],
    ["tool --other=1 b", ["--other 1"]],
    ["tool -f$A b", ["--file $A"]],
    ["tool --file=$A b", ["--file $A"]],
    ["tool -$A b", ["-$A"]],
    ["tool --$A b", ["--$A"]],
    ["tool -x$A b", ["-x", "-x$A"]],
  ])("%s", (line, expected) => expect(shownOptions(read(line, tool))).toEqual(expected));

  test("an option whose name bash decides is dynamic, one whose value it decides is not", () => {
    const dynamic = read("tool -f$A --file=$B --v$C $D b", tool).options.map(({ dynamic }) => dynamic);
    expect(dynamic).toEqual([false, false, true]);
  });

  test("an abbreviation that fits two options is the one that does more", () => {
    const entry: Entry = { names: ["tool"], options: { "--compress": 0, "--compress-program": "program" } };
    expect(shownOptions(read("tool --compress-p rm", entry))).toEqual(["--compress-program rm"]);
    expect(shownOptions(read("tool --com rm", entry))).toEqual(["--compress-program rm"]);
    expect(shownOptions(read("tool --compress rm", entry))).toEqual(["--compress"]);
  });

  test("a letter that may be hidden behind an unknown one counts if it does more", () => {
    const entry: Entry = { names: ["tool"], options: { "-e": "program", "-v": 0 } };
    expect(shownOptions(read("tool -qve", entry))).toEqual(["-qve", "-e"]);
  });
});

describe("options of the other syntaxes", () => {
  const rows: readonly [Entry["syntax"], string, readonly string[], readonly string[]][] = [
    ["posix", "tool -x a -v b", ["-x"], ["text a", "text -v", "text b"]],
    ["posix", "tool --verb -- -x", ["--verbose"], ["text -x"]],
    ["plain", "tool a --verb -f=b", ["--verb", "--file b"], ["text a"]],
    ["go", "tool -file a --file=b -x c", ["--file a", "--file b", "-x"], ["text c"]],
    ["go", "tool -xv c", ["-xv"], ["text c"]],
    ["none", "tool -x -- a", [], ["text -x", "text --", "text a"]],
    ["tar", "tool xvf a b", ["-x", "--verbose", "--file a"], ["text b"]],
    ["tar", "tool fx a b", ["--file a", "-x"], ["text b"]],
    ["tar", "tool -xf a b x", ["-x", "--file a"], ["text b", "text x"]],
    ["tar", "tool --file a x", ["--file a"], ["text x"]],
    ["tar", "tool $A b", ["$A"], ["text b"]],
    ["find", "tool a ( -x , ! -f b ) -xv", ["-x", "--file b", "-xv"], ["text a"]],
  ];
  test.each(rows)("%s: %s", (syntax, line, options, operands) => {
    const entry: Entry = { ...tool, ...(syntax && { syntax }) };
    const reading = read(line, entry);
    expect([shownOptions(reading), shownOperands(reading)]).toEqual([options, operands]);
  });

  test("dd reads names with values", () => {
    const dd: Entry = { names: ["dd"], syntax: "dd", options: { "if=": "read", "of=": "edit" } };
    const reading = read("dd if=a of=$B bs=1M --help x", dd);
    expect(shownOptions(reading)).toEqual(["if= a", "of= $B", "bs= 1M", "--help"]);
    expect(shownOperands(reading)).toEqual(["text x"]);
  });

  test("plus signs begin options only where an entry lists some", () => {
    const cargo: Entry = { names: ["cargo"], options: { "+": "text" }, verbs: { test: {} } };
    const shell: Entry = { names: ["sh"], options: { "-e, +e": 0, "+O": "text" }, operands: ["script-file"] };
    expect(shownOptions(read("cargo +nightly test", cargo))).toEqual(["+ nightly"]);
    expect(read("cargo +nightly test", cargo).prefix).toEqual(["cargo", "test"]);
    expect(shownOptions(read("sh +eO extglob x", shell))).toEqual(["+e", "+O extglob"]);
    expect(shownOperands(read("tool +x", tool))).toEqual(["text +x"]);
  });

  test("-NUM is a dash and digits", () => {
    const head: Entry = { names: ["head"], closed: true, options: { "-NUM": 0, "-n": "text" } };
    expect(read("head -20 a", head).escapes).toEqual([]);
    expect(read("head -20k a", head).escapes.map(({ name }) => name)).toEqual(["-20k"]);
  });

  test("options end behind the value of one that says so", () => {
    const entry: Entry = { names: ["tool"], closed: true, options: { "-m": { value: "text", last: true } } };
    const reading = read("tool -m mod -q --exec x", entry);
    expect([shownOptions(reading), shownOperands(reading)]).toEqual([["-m mod"], ["text -q", "text --exec", "text x"]]);
  });
});

describe("a value that is always the next word", () => {
  const entry: Entry = {
    names: ["sh"],
    syntax: "posix",
    options: { "-c": 0, "-e": 0, "+o, -o": { value: "text", separate: true } },
  };
  test.each([
    ["sh -oc errexit x", ["-o errexit", "-c"], ["text x"]],
    ["sh -co errexit x", ["-c", "-o errexit"], ["text x"]],
    ["sh -oeo a b x", ["-o a", "-e", "-o b"], ["text x"]],
    ["sh +oc a x", ["-o a", "+c"], ["text x"]],
    ["sh -o", ["-o"], []],
  ])("%s", (line, options, operands) => {
    const reading = read(line, entry);
    expect([shownOptions(reading), shownOperands(reading)]).toEqual([options, operands]);
  });
});

describe("verbs and prefixes", () => {
  const git: Entry = {
    names: ["git"],
    closed: true,
    does: ["runs"],
    options: { "-C": "directory", "-c": "config", "--no-pager": { transparent: true } },
    verbs: {
      push: { does: ["sends"], options: { "-f, --force": 0 } },
      remote: { verbs: { add: {}, new: "add" } },
      difftool: { escape: "runs" },
      tool: { words: 3 },
    },
  };
  test.each([
    ["git -C d -c x=y push -f origin", "git push"],
    ["git push", "git push"],
    ["git remote add o u", "git remote add"],
    ["git remote new o u", "git remote new"],
    ["git remote -v", "git remote"],
    ["git status", "git"],
    ["git $A push", "git"],
    ["git -- push", "git"],
    ["git tool --x build y", "git tool build"],
    ["git tool $A y", "git tool"],
    ["/usr/bin/git push", "/usr/bin/git push"],
    ["git --unknown value push", "git push"],
    ["git a push", "git"],
    ["$A push", ""],
  ])("%s: %s", (line, prefix) => expect(read(line, git).prefix.join(" ")).toBe(prefix));

  test("a verb decides what is done, its escape and where its options stand", () => {
    const reading = read("git --no-pager push --force", git);
    expect(reading.does).toEqual(["sends"]);
    expect(reading.options.map(({ name, beforeVerb }) => [name, beforeVerb])).toEqual([
      ["--no-pager", true],
      ["--force", false],
    ]);
    expect(read("git status", git).does).toEqual(["runs"]);
    expect(read("git difftool", git).escapes).toMatchObject([{ escape: "runs", name: "difftool", index: 1 }]);
  });

  test("directories and configuration are read before and after the verb", () => {
    const reading = read("git -C a -C b -c alias.x=y push", git);
    expect(reading.directories).toEqual(["a", "b"]);
    expect(reading.evaluated).toEqual([{ role: "config", value: "alias.x=y", index: 6 }]);
  });
});

describe("operands", () => {
  const cp: Entry = {
    names: ["cp"],
    options: { "-t, --target": "write", "-i": 0 },
    operands: [
      { role: "read", many: true, as: { "-i": "edit" } },
      { role: "write", unless: ["-t"] },
    ],
  };
  test.each([
    ["cp a b c", ["read a", "read b", "write c"]],
    ["cp -t d a b", ["write d", "read a", "read b"]],
    ["cp a b --target=d", ["read a", "read b", "write d"]],
    ["cp -i a b", ["edit a", "write b"]],
    ["cp -- -a b", ["read -a", "write b"]],
    ["cp $A b", ["read $A", "write b"]],
  ])("%s", (line, files) => {
    expect(read(line, cp).files.map(({ access, path }) => `${access} ${shownValue(path)}`)).toEqual(files);
  });

  test("a path is used where no word stands for it", () => {
    const entry: Entry = {
      names: ["tool"],
      options: { "-a": 0, "-b": 0 },
      operands: ["text", { role: "search", many: true, when: ["-a"], unless: ["-b"], default: ".", orInput: true }],
    };
    const files = (line: string) => read(line, entry).files;
    expect(files("tool -a x")).toEqual([{ access: "search", path: ".", index: 0, orInput: true }]);
    expect(files("tool x -a y")).toEqual([{ access: "search", path: "y", index: 3 }]);
    expect([files("tool x"), files("tool -ab x")]).toEqual([[], []]);
    expect(files("tool -a")).toEqual([{ access: "search", path: ".", index: 0, orInput: true }]);
  });

  test("the value of an option may have another role with another option", () => {
    const as = { "--get": "read", "--list": "read" } as const;
    const entry: Entry = { names: ["tool"], options: { "-x, --get": 0, "-f": { value: "write", as, unless: ["*"] } } };
    const access = (line: string) => read(line, entry).files.map((file) => file.access);
    expect([access("tool -f a"), access("tool -f a -x"), access("tool -xfa")]).toEqual([["write"], ["read"], ["read"]]);
  });

  test("a role that an option of its own has is an escape, unless its value is harmless", () => {
    const entry: Entry = {
      names: ["tool"],
      options: {
        "-o": "write",
        "--to": { value: "write", unless: ["-", "/dev/*"] },
        "--quiet": { value: "program", unless: ["*"] },
        "-i": { value: "text", glued: true, escape: "changes", unless: [""] },
      },
    };
    const escapes = (line: string) => read(line, entry).escapes.map(({ name, escape: deed }) => `${name} ${deed}`);
    expect(escapes("tool -o a")).toEqual(["-o writes"]);
    expect(escapes("tool --to=- --to=/dev/null --quiet=rm -i")).toEqual([]);
    expect(escapes("tool --to=$A --to=x -i.bak")).toEqual(["--to writes", "--to writes", "-i changes"]);
    expect(read("tool -o a", entry).escapes[0]?.message).toBe("`-o` makes tool write a file");
  });
});

describe("a program nobody knows", () => {
  test("is one word; words with a dash may be options", () => {
    expect(read("prog sub -xv --a=b --c - $A -- -d")).toEqual({
      entry: undefined,
      spec: undefined,
      prefix: ["prog"],
      verbs: [],
      options: [
        { name: "-xv", index: 2, values: [] },
        { name: "--a", index: 3, values: ["b"] },
        { name: "--c", index: 4, values: [] },
      ].map(({ name, ...rest }) => ({
        name,
        spelled: name,
        spellings: [name],
        facts: undefined,
        valueIndices: [],
        beforeVerb: false,
        dynamic: false,
        ...rest,
      })),
      operands: [
        { index: 1, value: "sub", role: "text" },
        { index: 5, value: "-", role: "text" },
        { index: 6, value: { pieces: [{ cause: "variable", text: "$A" }], splits: true }, role: "text" },
        { index: 8, value: "-d", role: "text" },
      ],
      terminator: 7,
      inner: [],
      files: [],
      escapes: [],
      directories: [],
      evaluated: [],
      hidden: [],
      verbNames: [],
      transparent: false,
      runner: false,
      does: [],
    });
  });
});
