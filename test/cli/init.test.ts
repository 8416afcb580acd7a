import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AGENTS, type Agent, type Change } from "../../src/adapters/agents/index.ts";
import { unifiedDiff } from "../../src/cli/diff.ts";
import { changedText, EditError, withoutChange } from "../../src/cli/init-edit.ts";
import { main } from "../../src/cli/main.ts";

// An existing configuration of each agent and what init makes of it. RECORD_INIT=1 writes the second anew; read the diff.
const folder = join(import.meta.dirname, "init");
const recording = process.env.RECORD_INIT === "1";
const STARTING = {
  program: "/usr/bin/node /opt/guarded-sh/bin/guarded-sh.js",
  module: (name: string) => `file:///opt/guarded-sh/dist/${name}.js`,
  home: "/home/user",
  allTools: false,
};

const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined);

function rowsOf(agent: Agent): readonly [string, string | undefined, Change][] {
  return agent.changes("project", STARTING).map((change) => {
    const end = change.kind === "json" ? "jsonc" : change.kind === "toml" ? "toml" : "txt";
    const before = change.kind === "file" ? undefined : read(`${agent.name}.before.golden.${end}`);
    return [`${agent.name}.after.golden.${end}`, before, change];
  });
}

/** A line without commas and without the brackets at its end: a list that was empty is opened. */
const bare = (line: string) => line.replace(/[,\r]/g, "").replace(/ *[{[]?[\]}]?$/, "");

describe.each(AGENTS.map((agent) => [agent.name, agent] as const))("%s", (_, agent) => {
  test.each(rowsOf(agent))("%s is what is made of the file", (golden, before, change) => {
    const after = changedText(before, change);
    if (recording) writeFileSync(join(folder, golden), after);
    expect(after).toBe(read(golden));
  });

  // A file in one line has none that could stay; OpenCode's one word for everything has to become an object.
  const lined = rowsOf(agent).filter(([, before]) => before?.includes("\n"));
  test.each(lined)("%s: every line that was there is still there, in order", (_golden, before = "", change) => {
    const left = changedText(before, change).split("\n").map(bare);
    for (const line of before.split("\n").filter((one) => !one.includes('"permission"'))) {
      const at = left.findIndex((other) => other.startsWith(bare(line)));
      expect(at, line).toBeGreaterThanOrEqual(0);
      left.splice(0, at + 1);
    }
  });

  test.each(rowsOf(agent))("%s: a second time changes nothing", (_golden, before, change) => {
    const after = changedText(before, change);
    expect(changedText(after, change)).toBe(after);
  });

  test.each(rowsOf(agent))(
    "%s: what is ours can be taken out of a file that was edited since",
    (_golden, before, change) => {
      const after = `${changedText(before, change)}`;
      expect(withoutChange(after, change) ?? "").not.toContain("guarded-sh");
    },
  );
});

describe("a file that cannot be changed is left alone", () => {
  const json = (text: string) => () =>
    changedText(text, {
      kind: "json",
      path: "x",
      edits: [{ kind: "add", at: ["hooks", "PreToolUse"], value: { a: 1 } }],
    });

  test.each([
    ["not JSON", json("{ nonsense")],
    ["a list", json("[]")],
    ["hooks that are text", json('{"hooks":"x"}')],
    ["hooks that are no list", json('{"hooks":{"PreToolUse":{}}}')],
    ["not TOML", () => changedText("a =", { kind: "toml", path: "x", text: "[[hooks.X]]\na = 1\n" })],
    ["a TOML table in one line", () => changedText("hooks = {}\n", { kind: "toml", path: "x", text: "[[hooks.X]]\n" })],
    [
      "a script of somebody else",
      () => changedText("#!/bin/sh\n", { kind: "file", path: "x", text: "", executable: true }),
    ],
  ])("%s", (_, change) => {
    expect(change).toThrow(EditError);
  });
});

test("a diff shows the changed lines with some around them", () => {
  const before = "a\nb\nc\nd\ne\nf\n";
  expect(unifiedDiff("x", before, before.replace("e\n", "e\nE\n"))).toBe(
    "--- x\n+++ x\n@@ -3,4 +3,5 @@\n c\n d\n e\n+E\n f",
  );
  expect(unifiedDiff("x", undefined, "a")).toBe(
    "--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file",
  );
  expect(unifiedDiff("x", "a\n", "a\n")).toBe("");
});

describe("the verb", () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "guarded-sh-init-")));
    mkdirSync(join(root, "project/.git"), { recursive: true });
    mkdirSync(join(root, "home"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function call(...argv: readonly string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const env = { HOME: join(root, "home"), PATH: process.env.PATH };
    const terminal = { stdin: new PassThrough(), stdout, stderr, env, cwd: join(root, "project"), colours: false };
    const status = await main(["init", ...argv], terminal);
    return { status, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
  }

  /** Every file below the root with its text and mode, but for the state. */
  function snapshot(): ReadonlyMap<string, string> {
    const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
      (name) => !name.startsWith("home/.local"),
    );
    return new Map(
      names.map((name) => {
        const stat = statSync(join(root, name));
        return [name, stat.isFile() ? `${stat.mode & 0o777} ${readFileSync(join(root, name), "utf8")}` : "folder"];
      }),
    );
  }

  function writeBefore(agent: Agent): void {
    for (const change of agent.changes("project", STARTING)) {
      const end = change.kind === "toml" ? "toml" : "jsonc";
      const before = change.kind === "file" ? undefined : read(`${agent.name}.before.golden.${end}`);
      if (before === undefined) continue;
      mkdirSync(dirname(join(root, "project", change.path)), { recursive: true });
      writeFileSync(join(root, "project", change.path), before);
    }
  }

  test.each(AGENTS.map((agent) => [agent.name, agent] as const))(
    "configures %s, tries it, and undoes it byte for byte",
    async (name, agent) => {
      writeBefore(agent);
      const before = snapshot();
      const added = await call(name);
      expect(added.err).toMatch(
        agent.event === undefined ? /is configured/ : /^ok: `ls` allow\nok: `rm guarded-sh\.toml` deny\n/,
      );
      expect(added).toMatchObject({ status: 0 });
      expect(snapshot()).not.toEqual(before);
      expect(await call(name, "--remove")).toMatchObject({ status: 0 });
      const home = [...before, ...[...snapshot()].filter(([path]) => path === "home/.local")];
      expect(snapshot()).toEqual(new Map(home));
    },
  );

  test("--dry-run shows the change and writes nothing", async () => {
    const before = snapshot();
    const { status, out } = await call("gemini", "--dry-run");
    expect(status).toBe(0);
    expect(out).toMatch(/\+\+\+ .*\/\.gemini\/settings\.json\n/);
    expect(out).toMatch(/\+extends = \["preset:developer"\]/);
    expect(snapshot()).toEqual(before);
  });

  test("a policy that is there is kept", async () => {
    const policy = '[permissions]\ndefault_action = "deny"\n';
    writeFileSync(join(root, "project/guarded-sh.toml"), policy);
    const { err } = await call("claude-code", "--preset", "read-only");
    expect(err).toMatch(/^guarded-sh: policy in force: .*guarded-sh\.toml\n/);
    await call("claude-code", "--remove");
    expect(readFileSync(join(root, "project/guarded-sh.toml"), "utf8")).toBe(policy);
  });

  test("for the user the files lie in the home", async () => {
    expect(await call("codex", "--user", "--preset", "read-only")).toMatchObject({ status: 0 });
    expect(existsSync(join(root, "home/.codex/config.toml"))).toBe(true);
    expect(readFileSync(join(root, "home/.config/guarded-sh/policy.toml"), "utf8")).toMatch(/preset:read-only/);
  });

  test.each([
    [["clod-code"], /unknown agent `clod-code`, did you mean `claude-code`\?/],
    [[], /name one agent/],
    [["codex", "--preset", "../x"], /there is no preset/],
    [["amp", "--file", "x"], /more than one file/],
  ])("a mistake writes nothing: %j", async (argv, message) => {
    const before = snapshot();
    const { status, err } = await call(...argv);
    expect(status).toBe(2);
    expect(err).toMatch(message);
    expect(snapshot()).toEqual(before);
  });

  test("a file of somebody else is not overwritten", async () => {
    mkdirSync(join(root, "project/.cline/hooks"), { recursive: true });
    writeFileSync(join(root, "project/.cline/hooks/PreToolUse"), "#!/bin/sh\nexit 0\n");
    const before = snapshot();
    expect(await call("cline")).toMatchObject({ status: 1 });
    expect(snapshot()).toEqual(before);
  });
});
