import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../src/ask/database.ts";
import { addGrants } from "../../src/ask/grants.ts";
import { projectIdOf } from "../../src/ask/project.ts";
import { Project, widest } from "./call.ts";

const POLICY = `# rules of this project
extends = ["preset:catastrophe"]

[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "deny"
flags = ["--tags"]
reason = "tags are set by the release"
match = ["git push --tags"]

[[permissions.rule]]
tool = "bash"
does = ["looks"]
action = "allow"
`;

describe("policy show", () => {
  test("says that there is no policy", async () => {
    expect(await new Project().call("policy", "show")).toEqual({
      status: 0,
      stdout: "there is no policy: everything runs. `guarded-sh init` writes one\n",
      stderr: "",
    });
  });

  test("lists each rule under its file, with its line, and what it extends below it", async () => {
    const { status, stdout } = await new Project({ "guarded-sh.toml": POLICY }).call("policy", "show");
    const lines = stdout.split("\n");
    expect(status).toBe(0);
    expect(lines.slice(0, 6)).toEqual([
      "project: guarded-sh.toml",
      "  the first rule that matches decides, default ask",
      "  not trusted: its allow rules and its default do not count, see `guarded-sh trust`",
      "  deny  git push *  with --tags                                  :7",
      "  allow does looks                                               :15",
      "  extends preset:catastrophe",
    ]);
    expect(lines.at(-2)).toBe("where no rule speaks: ask (built-in)");
    expect(widest(stdout)).toBeLessThanOrEqual(100);
  });

  test("gives the same as JSON, with what counts", async () => {
    const { stdout } = await new Project({ "guarded-sh.toml": POLICY }).call("policy", "show", "--json");
    const shown = JSON.parse(stdout);
    expect({ ...shown, documents: shown.documents.length }).toEqual({
      version: 1,
      cwd: "/project",
      off: false,
      default: { decision: "ask", source: "built-in" },
      documents: 1,
      grants: [],
    });
    const [document] = shown.documents;
    expect({ ...document, extends: document.extends.map((base: { source: string }) => base.source) }).toEqual({
      source: "/project/guarded-sh.toml",
      layer: "project",
      trusted: false,
      off: false,
      order: "first-match",
      default: "ask",
      programs: [],
      extends: ["preset:catastrophe"],
      rules: [
        {
          tool: "bash",
          pattern: "git push *",
          action: "deny",
          flags: ["--tags"],
          reason: "tags are set by the release",
          match: ["git push --tags"],
          source: "/project/guarded-sh.toml:7",
          counts: true,
        },
        {
          tool: "bash",
          pattern: "*",
          action: "allow",
          does: ["looks"],
          source: "/project/guarded-sh.toml:15",
          counts: false,
        },
      ],
    });
  });

  test("shows files in the order of their layers, and the dictionary entries of each", async () => {
    const project = new Project({
      "guarded-sh.toml": POLICY,
      "more.toml": '[arity]\nmytool = 2\n\n[scope]\nwrite = ["."]\n',
    });
    await project.call("trust");
    const { stdout } = await project.call("policy", "show", "--policy", "more.toml");
    const heads = stdout.split("\n").filter((line) => /^[a-z]/.test(line));
    expect(heads).toEqual([
      "project: guarded-sh.toml",
      "given: more.toml",
      "where no rule speaks: ask (guarded-sh.toml)",
    ]);
    expect(stdout).toContain("  no rules: it does not vote\n  describes mytool\n");
  });
});

test("policy show lists what was granted in the project", async () => {
  const project = new Project({ "guarded-sh.toml": POLICY });
  const store = openStore(join(project.home, ".local/state/guarded-sh"));
  const origin = {
    project: projectIdOf(project.cwd, undefined),
    session: "s",
    request: "r",
    scope: "project",
  } as const;
  const proposals = [{ tool: "bash", pattern: "git fetch *", exact: false }];
  addGrants(store, origin, proposals, new Date());
  const { stdout } = await project.call("policy", "show");
  expect(stdout).toMatch(
    /\n\ngranted: answers what is asked, never a deny\n {2}allow git fetch \* +project, grant 1\n\n/,
  );
  expect(JSON.parse((await project.call("policy", "show", "--json")).stdout).grants).toEqual([
    { id: 1, tool: "bash", pattern: "git fetch *", exact: false, scope: "project" },
  ]);
});

describe("policy explain", () => {
  const project = new Project({ "guarded-sh.toml": POLICY });

  test("says once that there is no policy", async () => {
    const { stdout } = await new Project().call("policy", "explain", "ls");
    expect(stdout.split("there is no policy").length - 1).toBe(1);
  });

  test("goes through the stages: words, rules, near misses, files, verdict, decision", async () => {
    const { status, stdout } = await project.call("policy", "explain", "env A=1 git -C lib push --force | tee log");
    expect(status).toBe(4);
    const [first, second, third] = stdout.split("\n\n");
    expect(first?.split("\n")[0]).toBe("1  env A=1 git -C lib push --force");
    expect(second?.split("\n")).toEqual([
      "2  git -C lib push --force, in 1",
      "  program    git       arity/curated/git.json over arity/generated/git.json",
      "  option     -C lib    value lib; left out in front of the verb; arity/curated/git.json",
      "  verb       push      arity/curated/git.json",
      "  option     --force   changes: an allow that does not name it asks; arity/curated/git.json",
      "  prefix     git push",
      "  does       sends",
      "  directory  lib",
      "  escape     `--force` makes git change something",
      expect.stringMatching(/^ {2}rule {7}deny {2}rule `git push \* with -f or --force or --mirror` → deny/),
      "  near       `git push *` → deny (guarded-sh.toml:7): none of --tags is given",
      expect.stringMatching(/^ {2}near {7}`git push \* \+\*` → deny/),
      "  verdict    deny",
    ]);
    expect(third).toContain(
      "effect           file_write log: no rule speaks about it, and none has to\n  verdict    ask",
    );
    expect(stdout).toContain("\ndecision deny: the strictest of 3 segments, the files and the findings\n");
    expect(widest(stdout)).toBeLessThanOrEqual(100);
  });

  test("is what check --explain prints", async () => {
    const explained = await project.call("policy", "explain", "rm -rf / && echo $(x)");
    expect(await project.call("check", "--explain", "rm -rf / && echo $(x)")).toEqual(explained);
  });

  test("gives the result with its trace as JSON", async () => {
    const { stdout } = await project.call("policy", "explain", "--json", "git push");
    const { decision, explain } = JSON.parse(stdout);
    expect(decision).toBe("ask");
    expect(explain).toEqual([
      {
        text: "git push",
        origin: "text",
        parent: null,
        prefix: "git push",
        words: [
          { word: "git", is: "program", note: "", from: "arity/curated/git.json over arity/generated/git.json" },
          { word: "push", is: "verb", note: "", from: "arity/curated/git.json" },
        ],
        does: ["sends"],
        transparent: false,
        runner: false,
        files: [],
        directories: [],
        escapes: [],
        runs: [],
        near: expect.arrayContaining([
          { pattern: "git push *", action: "deny", source: "guarded-sh.toml:7", why: "none of --tags is given" },
        ]),
      },
    ]);
  });

  test("shows where a text cannot be read", async () => {
    const { status, stdout, stderr } = await project.call("policy", "explain", "echo 'a");
    expect({ status, decided: stdout.includes("decision deny") }).toEqual({ status: 4, decided: true });
    expect(stderr).toMatch(/^command line:1:\d+: syntax-error/);
  });
});

describe("help and mistakes", () => {
  test.each([
    [["policy"], expect.stringMatching(/^guarded-sh: `policy` needs a verb: show, explain\b/)],
    [["policy", "shw"], "guarded-sh: unknown verb of `policy` `shw`, did you mean `show`?"],
    [["policy", "show", "x"], "guarded-sh: policy show takes no operand"],
    [["policy", "show", "--jsn"], "guarded-sh: unknown option `--jsn`, did you mean `--json`?"],
    [["policy", "explain"], "guarded-sh: no command line is given"],
  ])("%j is answered in one line with the remedy below", async (argv, message) => {
    const { status, stdout, stderr } = await new Project().call(...argv);
    expect({ status, stdout, lines: stderr.split("\n").slice(0, 1) }).toEqual({
      status: 2,
      stdout: "",
      lines: [message],
    });
  });

  test("the group lists its verbs, each verb has two examples", async () => {
    const project = new Project();
    expect((await project.call("policy", "--help")).stdout).toContain("usage: guarded-sh policy VERB [OPTIONS] …");
    for (const verb of ["show", "explain"]) {
      const { stdout } = await project.call("policy", verb, "--help");
      expect(stdout.split("\n  guarded-sh ").length).toBe(3);
      expect(widest(stdout)).toBeLessThanOrEqual(100);
    }
  });
});
