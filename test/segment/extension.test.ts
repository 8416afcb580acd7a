import { describe, expect, test } from "vitest";
import { findEntry } from "../../src/segment/dictionary.ts";
import { entriesFromUser } from "../../src/segment/extension.ts";
import { readInvocation } from "../../src/segment/read.ts";
import { splitLine } from "../arity/split-line.ts";

function read(user: { arity?: Record<string, unknown>; command?: unknown[] }, line: string) {
  const { entries, problems } = entriesFromUser({ arity: user.arity ?? {}, command: user.command ?? [] });
  expect(problems).toEqual([]);
  return readInvocation(splitLine(line), (name) => findEntry(name, entries));
}

const prefix = (arity: Record<string, unknown>, line: string) => read({ arity }, line).prefix.join(" ");

function problemsOf(user: { arity?: Record<string, unknown>; command?: unknown[] }) {
  const { entries, problems } = entriesFromUser({ arity: user.arity ?? {}, command: user.command ?? [] });
  return [entries.size, ...problems.map(({ path, message }) => `${path.join(".")}: ${message}`)];
}

describe("[arity]", () => {
  test("says how many words name the action of a program nobody knows", () => {
    const arity = { mytool: 2, "mytool deploy": 3, "mytool log": 2 };
    expect(prefix(arity, "mytool build x y")).toBe("mytool build");
    expect(prefix(arity, "mytool deploy --force prod now")).toBe("mytool deploy prod");
    expect(prefix(arity, "mytool log a")).toBe("mytool log");
    expect(prefix({ mytool: 1 }, "mytool build")).toBe("mytool");
  });

  test("can make the prefix of a known program longer, with all its verbs", () => {
    expect(prefix({ git: 3 }, "git -C d push origin main")).toBe("git push origin");
    expect(prefix({ git: 3 }, "git remote add o u")).toBe("git remote add");
    expect(prefix({ "git push": 4 }, "git push origin main x")).toBe("git push origin main");
    expect(prefix({ "git push": 4 }, "git pull origin main x")).toBe("git pull");
  });

  test.each([
    [{ mytool: 0 }, "must be a whole number of words from 1 to 9"],
    [{ mytool: "2" }, "must be a whole number of words from 1 to 9"],
    [{ "": 1 }, "must begin with a program's name, without a directory"],
    [{ "/bin/x": 1 }, "must begin with a program's name, without a directory"],
    [{ "mytool --deploy": 2 }, "options never count: leave them out"],
    [{ "mytool deploy": 1 }, "must be at least 2, the words of its own key"],
    [{ "git remote add": 2 }, "must be at least 3, the words of its own key"],
    [{ "sudo rm": 2 }, "`rm` is an operand of sudo, not a verb"],
    [{ "npm run": 2 }, "`npm run` has 3 words already: it can only get more"],
  ])("%j is a problem: %s", (arity, message) => {
    expect(problemsOf({ arity })).toEqual([0, `arity.${Object.keys(arity)[0]}: ${message}`]);
  });
});

describe("[[command]]", () => {
  test("describes a program of one's own", () => {
    const command = {
      names: ["mywrap", "mw"],
      syntax: "posix",
      options: { "-d, --dir": "directory", "--on": { value: ["text", "text"] } },
      operands: ["text", "command"],
      does: ["runs"],
    };
    const reading = read({ command: [command] }, "mw -d x --on a b prod git push");
    expect(reading.inner.map((inner) => inner.kind === "argv" && inner.words)).toEqual([["git", "push"]]);
    expect(reading.directories).toEqual(["x"]);
    expect(read({ command: [command] }, "mywrap --other prod ls").escapes.map(({ name }) => name)).toEqual(["--other"]);
  });

  test("and [arity] may speak of one program", () => {
    const user = { arity: { "mytool deploy": 3 }, command: [{ names: ["mytool"], options: { "-e": "text" } }] };
    expect(read(user, "mytool -e prod deploy x y").prefix).toEqual(["mytool", "deploy", "x"]);
  });

  test("can add an escape to what the dictionary knows", () => {
    const command = [{ names: ["git"], verbs: { push: { options: { "--force": { escape: "changes" } } }, own: {} } }];
    expect(read({ command }, "git push -f").escapes.map(({ name }) => name)).toEqual(["--force"]);
    expect(read({ command }, "git own x").prefix).toEqual(["git", "own"]);
  });

  test.each([
    [{ option: {} }, ["command.0: `names` is missing", "command.0.option: `option` is not a field here"]],
    ["x", ["command.0: must be a table"]],
    [{ names: ["a/b"] }, ["command.0.names.0: must be a program's name, without a directory and without blanks"]],
    [{ names: [] }, ["command.0.names: must be a list that is not empty"]],
    [{ names: ["x"], options: { "-a": "file" } }, ["command.0.options.-a: `file` is no role"]],
    [{ names: ["x"], options: { "-a": 4 } }, ["command.0.options.-a: must be a number of values from 0 to 3"]],
    [{ names: ["x"], options: { "-a -b": 0 } }, ["command.0.options.-a -b: must be the spellings of one option"]],
    [{ names: ["x"], operands: ["reads*"] }, ["command.0.operands.0: `reads` is no role"]],
    [{ names: ["x"], operands: [{}] }, ["command.0.operands.0: `role` is missing"]],
    [{ names: ["x"], lists: { ":": "net" } }, ["command.0.lists.:: `net` is no role here"]],
    [{ names: ["x"], stdin: { when: ["-s"] } }, ["command.0.stdin: `role` is missing"]],
    [
      { names: ["x"], verbs: { a: { closed: false } } },
      ["command.0.verbs.a.closed: can only be true: leave it out otherwise"],
    ],
    [
      { names: ["x"], shell: { leaves: true } },
      ["command.0.shell: `shell` is for builtins, which are described already"],
    ],
  ])("%j is a problem", (command, messages) => expect(problemsOf({ command: [command] })).toEqual([0, ...messages]));

  test("the nearest word helps", () => {
    const { problems } = entriesFromUser({
      arity: {},
      command: [{ names: ["x"], optoins: {}, operands: ["directry"] }],
    });
    expect(problems.map(({ help }) => help)).toEqual(["did you mean `options`?", "did you mean `directory`?"]);
  });

  test("two tables for one program are a problem", () => {
    expect(problemsOf({ command: [{ names: ["x"] }, { names: ["y", "x"] }] })).toEqual([
      1,
      "command.1.names: `x` is described twice: put it all into one table",
    ]);
  });
});

describe("what would loosen a curated entry", () => {
  test.each([
    [{ names: ["sudo"], transparent: true }, "transparent: `transparent` of sudo is known and cannot be changed"],
    [{ names: ["git"], syntax: "none" }, "syntax: `syntax` of git is known and cannot be changed"],
    [{ names: ["rm"], operands: ["text*"] }, "operands: `operands` of rm is known and cannot be changed"],
    [
      { names: ["sort"], options: { "--compress-program": "text" } },
      "options.--compress-program: `--compress-program` runs and cannot be made harmless",
    ],
    [
      { names: ["sort"], options: { "--compress-prog": "text" } },
      "options.--compress-prog: `--compress-prog` is short for an option that does more",
    ],
    [{ names: ["git"], options: { "-C": 0 } }, "options.-C: the values of `-C` are known and cannot be changed"],
    [{ names: ["sudo"], verbs: { rm: {} } }, "verbs.rm: `rm` is an operand of sudo, not a verb"],
    [{ names: ["git"], separators: [";"] }, "separators: `separators` of git is known and cannot be changed"],
    [{ names: ["sudo"], lists: { ":::": "text" } }, "lists: `lists` of sudo is known and cannot be changed"],
  ])("%j is a problem", (command, message) => {
    expect(problemsOf({ command: [command] })).toEqual([0, `command.0.${message}`]);
  });
});
