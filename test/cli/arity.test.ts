import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { appendToml, setTomlKey } from "../../src/cli/toml-insert.ts";
import { Project, widest } from "./call.ts";

describe("arity explain", () => {
  test("says of every word what it is, and which file says so", async () => {
    const { status, stdout } = await new Project().call("arity", "explain", "git -C x push -f origin");
    expect({ status, lines: stdout.split("\n") }).toEqual({
      status: 0,
      lines: [
        "git -C x push -f origin",
        "  program    git       arity/curated/git.json over arity/generated/git.json",
        "  option     -C x      value x; left out in front of the verb; arity/curated/git.json",
        "  verb       push      arity/curated/git.json",
        "  option     -f        --force; changes: an allow that does not name it asks; arity/curated/git.json",
        "  operand    origin    net",
        "  prefix     git push",
        "  does       sends",
        "  directory  x",
        "  file       net origin",
        "  escape     `--force` makes git change something",
        "",
      ],
    });
  });

  test("reads what a wrapper runs as a segment of its own", async () => {
    const { stdout } = await new Project().call("arity", "explain", "--json", "timeout 5 docker exec web sh -c 'ls /'");
    const { segments } = JSON.parse(stdout);
    expect(
      segments.map(
        ({ text, parent, runs, words }: { text: string; parent: number; runs: string[]; words: unknown[] }) => ({
          text,
          parent,
          runs,
          words: words.length,
        }),
      ),
    ).toEqual([
      { text: "timeout 5 docker exec web sh -c 'ls /'", parent: null, runs: ["docker exec web sh -c ls /"], words: 3 },
      { text: "docker exec web sh -c ls /", parent: 0, runs: ["sh -c ls /"], words: 4 },
      { text: "sh -c ls /", parent: 1, runs: ["script: ls /"], words: 3 },
      { text: "ls /", parent: 2, runs: [], words: 2 },
    ]);
  });

  test("says so when nothing is known", async () => {
    const { stdout } = await new Project().call("arity", "explain", "mytool a --b");
    expect(stdout).toContain("program    mytool    not in the dictionary: one word, nothing known\n");
    expect(stdout).toContain("option     --b       not listed\n");
  });

  test("a text that is no bash is status 1", async () => {
    expect((await new Project().call("arity", "explain", "echo 'a")).status).toBe(1);
  });
});

describe("arity show", () => {
  test("shows a verb in every file that has it", async () => {
    const { stdout } = await new Project().call("arity", "show", "git", "stash");
    expect(stdout).toMatch(
      /^arity\/curated\/git\.json\n[\s\S]*\n {2}verb {7}drop: deletes\n[\s\S]*\n\narity\/generated\/git\.json\n/,
    );
    expect(widest(stdout)).toBeLessThanOrEqual(100);
  });

  test("gives the entries as they are written", async () => {
    const { stdout } = await new Project().call("arity", "show", "--json", "timeout");
    const { sources } = JSON.parse(stdout);
    expect(sources[0].file).toBe("arity/curated/timeout.json");
    expect(sources[0].spec.names).toContain("timeout");
  });

  test.each([
    [
      ["arity", "show", "gitt"],
      "guarded-sh: `gitt` is not in the dictionary: one word, nothing known, did you mean `git`?",
    ],
    [["arity", "show", "git", "zz"], "guarded-sh: `git zz` is not described"],
    [["arity", "show"], "guarded-sh: no program is named"],
    [["arity", "shw"], "guarded-sh: unknown verb of `arity` `shw`, did you mean `show`?"],
  ])("%j is answered in one line", async (argv, message) => {
    const { status, stderr } = await new Project().call(...argv);
    expect({ status, first: stderr.split("\n")[0] }).toEqual({ status: 2, first: message });
  });
});

describe("arity lint", () => {
  const entry = {
    names: ["mytool"],
    options: { "-f, --file": "read" },
    verbs: { deploy: { words: 3 } },
    examples: [{ line: "mytool deploy -f a prod", prefix: "mytool deploy prod", files: ["read a"] }],
  };
  const lint = (value: unknown) =>
    new Project({ "e.json": JSON.stringify(value, null, 1) }).call("arity", "lint", "e.json");

  test("passes an entry whose examples are read as they say", async () => {
    expect(await lint(entry)).toEqual({
      status: 0,
      stdout: "e.json: 1 entry, all examples are read as they say\n",
      stderr: "",
    });
  });

  test.each([
    [
      { ...entry, options: { "-f": "reed" } },
      /^e\.json:6:9: bad-entry: `options\.-f` `reed` is no role\n[\s\S]*help: did you mean `read`\?/,
    ],
    [{ ...entry, opts: {} }, /^e\.json:\d+:\d+: bad-entry: `opts` `opts` is not a field here/],
    [{ ...entry, examples: [] }, /^e\.json:\d+:\d+: bad-entry: `examples` must be a list that is not empty/],
    [{ names: ["mytool"] }, /^e\.json:1:1: bad-entry: `mytool` has no example: nothing shows that it is right/],
    [
      { ...entry, examples: [{ line: "mytool deploy prod", prefix: "mytool deploy" }] },
      /^e\.json:16:14: example-failed: `prefix` is "mytool deploy prod", the example says "mytool deploy"/,
    ],
  ])("finds the fault in %j", async (value, message) => {
    const { status, stdout } = await lint(value);
    expect(status).toBe(1);
    expect(stdout).toMatch(message);
    expect(widest(stdout)).toBeLessThanOrEqual(120);
  });

  test("a file that is not JSON is told where", async () => {
    const { status, stdout } = await new Project({ "e.json": '{"names": ["x",}' }).call("arity", "lint", "e.json");
    expect({ status, first: stdout.split("\n")[0] }).toEqual({
      status: 1,
      first: "e.json:1:16: json-syntax: ValueExpected",
    });
  });

  test("checks the tables of a policy, and runs their examples", async () => {
    const good =
      '[arity]\nmytool = 2\n\n[[command]]\nnames = ["other"]\nexamples = [{ line = "other x", prefix = "other" }]\n';
    const project = new Project({ "p.toml": good, "q.toml": good.replace('prefix = "other"', 'prefix = "other x"') });
    expect((await project.call("arity", "lint", "p.toml")).stdout).toBe(
      "p.toml: 2 entries, all examples are read as they say\n",
    );
    expect((await project.call("arity", "lint", "q.toml")).stdout).toMatch(
      /^q\.toml:6:23: example-failed: `prefix` of `other x` is "other"/,
    );
  });

  test("a policy may not make a curated option harmless", async () => {
    const text = '[[command]]\nnames = ["sort"]\n\n[command.options]\n"--compress-program" = 0\n';
    const { status, stdout } = await new Project({ "p.toml": text }).call("arity", "lint", "p.toml");
    expect({ status, first: stdout.split("\n")[0] }).toEqual({
      status: 1,
      first: expect.stringMatching(
        /^\/project\/p\.toml:5:24: bad-entry: .*`--compress-program` runs and cannot be made harmless$/,
      ),
    });
  });
});

describe("arity add", () => {
  const POLICY = '# mine\n[permissions]\ndefault_action = "ask" # careful\n';

  test("a prefix is a line of [arity]; the next explain and the next rule use it", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    const { status, stdout } = await project.call("arity", "add", "mytool", "deploy", "--prefix", "3");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `+
+[arity]
+"mytool deploy" = 3
written to guarded-sh.toml; see \`guarded-sh arity explain 'mytool deploy …'\`
`,
    });
    await project.call("arity", "add", "mytool", "--prefix", "2");
    expect(readFileSync(join(project.cwd, "guarded-sh.toml"), "utf8")).toBe(
      `${POLICY}\n[arity]\n"mytool deploy" = 3\nmytool = 2\n`,
    );
    await project.call("trust");
    const { stdout: explained } = await project.call("arity", "explain", "mytool deploy prod now");
    expect(explained).toContain("prefix     mytool deploy prod\n");
    expect(explained).toContain("program    mytool    guarded-sh.toml\n");
  });

  test("options and operands are a [[command]]", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    const argv = ["--option=-c, --config=config-file", "--option=-v", "--operand", "read*", "--does", "looks"];
    await project.call("arity", "add", "mytool", ...argv, "--example", "mytool -c x a");
    expect(readFileSync(join(project.cwd, "guarded-sh.toml"), "utf8")).toBe(`${POLICY}
[[command]]
names = ["mytool"]
does = ["looks"]
operands = ["read*"]
examples = [{ line = "mytool -c x a" }]
[command.options]
"-c, --config" = "config-file"
-v = 0
`);
    expect((await project.call("arity", "lint", "guarded-sh.toml")).status).toBe(0);
  });

  test("a wrapper's inner command is judged by its own rules", async () => {
    const rules = '[[permissions.rule]]\ntool = "bash"\npattern = "rm *"\naction = "deny"\n';
    const project = new Project({ "guarded-sh.toml": `${POLICY}${rules}` });
    expect((await project.call("check", "inside-vm rm -rf x")).status).toBe(3);
    await project.call("arity", "add", "inside-vm", "--wrapper", "--does", "runs");
    await project.call("trust");
    expect((await project.call("check", "inside-vm rm -rf x")).status).toBe(4);
  });

  test("without a project's file it goes to the user's own, --dry-run writes nothing", async () => {
    const project = new Project();
    const dry = await project.call("arity", "add", "mytool", "--prefix", "2", "--dry-run");
    expect(dry.stdout).toBe("[arity]\nmytool = 2\n");
    const { stdout } = await project.call("arity", "add", "mytool", "--prefix", "2");
    expect(stdout).toContain("written to ~/.config/guarded-sh/policy.toml;");
    expect(readFileSync(join(project.home, ".config/guarded-sh/policy.toml"), "utf8")).toBe("[arity]\nmytool = 2\n");
  });

  test("says that a trusted file has changed", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    await project.call("trust");
    const { stdout } = await project.call("arity", "add", "mytool", "--prefix", "2");
    expect(stdout).toContain("guarded-sh.toml has changed: `guarded-sh trust` records it as it is now\n");
  });

  test.each([
    [["mytool"], "guarded-sh: nothing is said of it: give --prefix, --option or another"],
    [["mytool", "--prefix", "0"], "guarded-sh: --prefix wants a number of words from 1 to 9, not `0`"],
    [["mytool", "x", "--wrapper"], "guarded-sh: --wrapper is said of a program, not of a verb"],
    [
      ["mytool", "x", "--does", "looks", "--prefix", "1"],
      "guarded-sh: --prefix wants at least 2, the words that are named",
    ],
    [["mytool", "--option=foo"], "guarded-sh: `foo` is no option: one begins with a dash, --option=--foo"],
    [["sort", "x", "--does", "looks"], /bad-entry: .* `x` is an operand of sort, not a verb/],
    [["git", "--option=--force=reed"], /bad-entry: .* `reed` is no role/],
    [
      ["mytool", "--operand", "reed"],
      "/project/guarded-sh.toml:7:13: bad-entry: `command.0.operands.0` `reed` is no role",
    ],
    [
      ["mytool", "deploy", "--prefix", "1"],
      "/project/guarded-sh.toml:6:19: bad-entry: `arity.mytool deploy` must be at least 2, the words of its own key",
    ],
    [["git", "push", "--prefix", "1"], /bad-entry: .*must be at least 2/],
  ])("%j is refused, and nothing is written", async (argv, message) => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    const { status, stderr } = await project.call("arity", "add", ...argv);
    expect({ status, first: stderr.split("\n")[0] }).toEqual({
      status: 2,
      first: typeof message === "string" ? message : expect.stringMatching(message),
    });
    expect(readFileSync(join(project.cwd, "guarded-sh.toml"), "utf8")).toBe(POLICY);
  });
});

describe("arity add to what is there", () => {
  const POLICY = `[permissions]
default_action = "ask"

[[command]] # mine
names = ["mytool", "mt"]
does = ["looks"] # only
[command.options]
"-f" = 0 # why
[command.verbs.deploy]
words = 3

[env]
pass = ["A"]

[[command]]
names = ["inline"]
verbs = { foo = { words = 2 }, f = "foo" }
options = {}

[[command]]
names = ["listed"]
operands = [
  "read", # the first
]
examples = [
  { line = "listed a" }, # one
]
`;

  test.each<[readonly string[], readonly string[]]>([
    [
      ["mytool", "--does", "writes", "--does", "looks"],
      ['-does = ["looks"] # only', '+does = ["looks", "writes"] # only'],
    ],
    [["mytool", "--option=-v"], ["+-v = 0"]],
    [
      ["mytool", "--option=-f, --file=read"],
      ['-"-f" = 0 # why', '+"-f, --file" = "read" # why'],
    ],
    [
      ["mt", "--operand", "read", "--prefix", "2"],
      ["+words = 2", '+operands = ["read"]'],
    ],
    [["mytool", "deploy", "--does", "sends"], ['+does = ["sends"]']],
    [
      ["mytool", "deploy", "--option=--to=net"],
      ["+[command.verbs.deploy.options]", '+--to = "net"'],
    ],
    [
      ["mytool", "log", "all", "--does", "looks"],
      ["+[command.verbs.log.verbs.all]", '+does = ["looks"]'],
    ],
    [
      ["inline", "f", "--does", "looks", "--option=-n"],
      [
        '-verbs = { foo = { words = 2 }, f = "foo" }',
        '+verbs = { foo = { words = 2, does = ["looks"], options = { -n = 0 } }, f = "foo" }',
      ],
    ],
    [
      ["inline", "--option=-v"],
      ["-options = {}", "+options = { -v = 0 }"],
    ],
    [
      ["listed", "--example", "listed b"],
      ['-  { line = "listed a" }, # one', '+  { line = "listed a" }, { line = "listed b" }, # one'],
    ],
    [
      ["git", "foo", "--does", "sends", "--option=--to=net"],
      [
        "+",
        "+[[command]]",
        '+names = ["git"]',
        "+[command.verbs.foo]",
        '+does = ["sends"]',
        "+[command.verbs.foo.options]",
        '+--to = "net"',
      ],
    ],
    [
      ["mytool", "deploy", "--prefix", "4"],
      ["+", "+[arity]", '+"mytool deploy" = 4'],
    ],
  ])("%j changes these lines and no others, and what it says is used", async (argv, lines) => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    const { status, stdout } = await project.call("arity", "add", ...argv);
    expect([status, stdout.split("\n").slice(0, -2)]).toEqual([0, lines]);
    expect((await project.call("arity", "lint", "guarded-sh.toml")).status).toBe(0);
    const again = await project.call("arity", "add", ...argv);
    expect(again).toEqual({ status: 0, stdout: "guarded-sh.toml says all of this already\n", stderr: "" });
  });

  test("a verb of a known program is read as it says", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    await project.call("arity", "add", "git", "foo", "--does", "sends", "--option=--to=net");
    await project.call("trust");
    const { stdout } = await project.call("arity", "explain", "git foo --to x");
    expect(stdout).toContain("verb       foo       guarded-sh.toml\n");
    expect(stdout).toContain("does       sends\n");
  });

  test("a table that cannot be added to stays as it is", async () => {
    const text = '[[command]]\nnames = ["dotted"]\noptions."-v" = 0\n';
    const project = new Project({ "guarded-sh.toml": text });
    const { status, stderr } = await project.call("arity", "add", "dotted", "--option=-w");
    expect([status, stderr.split("\n")]).toEqual([
      2,
      [
        "/project/guarded-sh.toml:2:9: bad-entry: the table of `dotted` is written in a way that cannot be added to",
        '2 | names = ["dotted"]',
        "  |         ^^^^^^^^^^",
        "help: nothing was written: add it there by hand, or write its tables below headers, without dotted keys",
        "",
      ],
    ]);
    expect(readFileSync(join(project.cwd, "guarded-sh.toml"), "utf8")).toBe(text);
  });
});

describe("a key set in a TOML text", () => {
  test.each([
    ["", "[arity]\na = 2\n"],
    ["# x\n", "# x\n\n[arity]\na = 2\n"],
    ["[arity] # mine\nb = 1\n\n[env]\n", "[arity] # mine\nb = 1\na = 2\n\n[env]\n"],
    ["[arity]\na = 1 # why\nb = 1\n", "[arity]\na = 2 # why\nb = 1\n"],
    ['[arity]\n"a" = 1\n', "[arity]\na = 2\n"],
    ["[arity]\n# none yet\n\n[[command]]\n", "[arity]\na = 2\n# none yet\n\n[[command]]\n"],
  ])("%j", (before, after) => expect(setTomlKey(before, "arity", "a", "2")).toBe(after));

  test("a block goes to the end, behind one empty line", () => {
    expect(appendToml("", "[x]")).toBe("[x]\n");
    expect(appendToml("a = 1", "[x]")).toBe("a = 1\n\n[x]\n");
    expect(appendToml("a = 1\n\n\n", "[x]")).toBe("a = 1\n\n[x]\n");
  });
});
