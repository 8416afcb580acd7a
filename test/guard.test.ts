import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, test } from "vitest";
import {
  check,
  checkRequest,
  createPermissionHook,
  createSession,
  DiagnosticError,
  type Guard,
  openGuard,
  type Reply,
  type Result,
  run,
  runToolCalls,
  runTransparently,
  type ToolCall,
} from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "guard-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { PATH: process.env.PATH, HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state") };

const schema = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../src/result/result.schema.json"), "utf8"),
) as object;
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);

function valid(result: Result): Result {
  validate(JSON.parse(JSON.stringify(result)));
  expect(validate.errors ?? []).toEqual([]);
  return result;
}

let count = 0;
function guardWith(policy: string): Guard {
  const file = join(folder, `policy-${++count}.toml`);
  writeFileSync(file, policy);
  const cwd = join(folder, `work-${count}`);
  mkdirSync(cwd);
  return openGuard({ cwd, env, policyFiles: [file], managedPath: join(folder, "none") });
}

const rule = (pattern: string, action: string, tool = "bash") =>
  `[[permissions.rule]]\ntool = "${tool}"\npattern = "${pattern}"\naction = "${action}"\n`;
const policy = (otherwise: string, ...rules: string[]) =>
  `[permissions]\ndefault_action = "${otherwise}"\n${rules.join("")}`;

// The three manifests of the ticket that the project started from.
const DENY_LIST = policy("allow", rule("rm -rf *", "deny"), rule("git push *", "deny"));
const ALLOW_LIST = policy("deny", rule("git *", "allow"), rule("ls *", "allow"));
const ASK_BASED = policy("ask", rule("git add *", "allow"), rule("tee *", "allow"), rule("rm *", "deny"));

describe("a signal that was aborted before", () => {
  const guard = guardWith(policy("allow", rule("rm *", "deny"), rule("git push *", "ask")));
  const signal = AbortSignal.abort();
  const cancelled = { kind: "denied", is_error: true, denial: { kind: "cancelled", ran: false } };

  test.each([run, runTransparently])("%o runs nothing and is a denial of its own kind", async (start) => {
    for (const text of ["touch made", "git push"]) {
      const result = valid(await start(guard, text, { signal }));
      expect(result).toMatchObject(cancelled);
      expect(result.execution).toBeUndefined();
    }
    expect(existsSync(join(guard.surroundings.cwd, "made"))).toBe(false);
    expect(await start(guard, "rm x", { signal })).toMatchObject({ denial: { kind: "rule" } });
  });

  test("is one of the permission hook and of a session too", async () => {
    const call = { id: "1", name: "write", input: { path: "a" } };
    for (const each of [call, { ...call, name: "bash", input: { command: "touch made" } }])
      expect(await createPermissionHook(guard)(each, signal)).toMatchObject({
        result: { denial: { kind: "cancelled" } },
      });
    expect(await createSession(guard).run("touch made", { signal })).toMatchObject(cancelled);
  });
});

describe("what is no guard is refused by name", () => {
  const none = null as unknown as Guard;
  test.each<[string, () => unknown]>([
    ["createPermissionHook", () => createPermissionHook(none)],
    ["createSession", () => createSession(none)],
    ["check", () => check(none, "ls")],
    ["checkRequest", () => checkRequest(none, "edit", "a")],
  ])("%s", (name, misuse) => {
    expect(misuse).toThrow(new TypeError(`${name}: \`guard\` is what openGuard gives, not null`));
  });

  test("run rejects, so do options that there are not", async () => {
    await expect(run(none, "ls")).rejects.toThrow(TypeError);
    const guard = guardWith(ASK_BASED);
    expect(() => createPermissionHook(guard, { comandFields: {} } as object)).toThrow(
      "createPermissionHook: unknown option `comandFields`, did you mean `commandFields`?",
    );
    expect(() => createPermissionHook(guard, { subjectOf: "path" } as object)).toThrow("`subjectOf` is a function");
    expect(() => check(guard, 7 as unknown as string)).toThrow("check: `commandLine` is a string, not number");
  });
});

describe("the three manifests", () => {
  const text = "git add -A && rm -rf build | tee log";
  test.each([
    ["deny-list", DENY_LIST, "deny", ["allow", "deny", "allow"]],
    ["allow-list", ALLOW_LIST, "deny", ["allow", "deny", "deny"]],
    ["ask-based", ASK_BASED, "deny", ["allow", "deny", "allow"]],
  ])("%s", (_name, manifest, decision, segments) => {
    const { result } = check(guardWith(manifest), text);
    expect([valid(result).decision, result.segments.map((segment) => segment.decision)]).toEqual([decision, segments]);
  });

  test("without the table the layer is off and everything runs as before", () => {
    const { result } = check(guardWith(""), "rm -rf /nowhere");
    expect([valid(result).decision, result.off]).toEqual(["allow", true]);
  });
});

test("nothing of a denied text runs, and the denial says which segment and which rule", async () => {
  const guard = guardWith(policy("allow", rule("rm *", "deny")));
  const result = valid(await run(guard, "touch made && rm -rf made"));
  expect([
    result.kind,
    result.denial?.kind,
    result.denial?.ran,
    existsSync(join(guard.surroundings.cwd, "made")),
  ]).toEqual(["denied", "rule", false, false]);
  expect(result.denial?.message).toContain("rule `rm *` → deny");
});

test("an allowed text runs on a terminal and comes back with output and status", async () => {
  const result = valid(await run(guardWith(policy("allow")), "test -t 1 && echo terminal; exit 3"));
  expect([result.kind, result.is_error, result.execution?.output, result.execution?.exit]).toEqual([
    "ran",
    true,
    "terminal\n",
    { kind: "exited", code: 3 },
  ]);
});

test("what is asked and nobody can answer is refused at once", async () => {
  const started = Date.now();
  const result = valid(await run(guardWith(policy("ask")), "touch made"));
  expect([result.kind, result.denial?.kind, Date.now() - started < 20_000]).toEqual([
    "denied",
    "ask-unavailable",
    true,
  ]);
});

describe("replies", () => {
  const asking = (reply: Reply) => ({ asker: { ask: async () => reply } });
  test.each<[Reply, string, string | undefined]>([
    [{ kind: "once" }, "ran", undefined],
    [{ kind: "reject" }, "rejected", "rejected"],
    [{ kind: "reject", feedback: "use make" }, "rejected", "corrected"],
    [{ kind: "cascade" }, "rejected", "cascade"],
    [{ kind: "timeout", afterMs: 5 }, "denied", "ask-timeout"],
    [{ kind: "cancelled" }, "denied", "cancelled"],
  ])("%j", async (reply, kind, denial) => {
    const result = valid(await run(guardWith(policy("ask")), "true x", asking(reply)).then((r) => r));
    const asked = valid(await run(guardWith(policy("ask")), "uname x", asking(reply)));
    expect([asked.kind, asked.denial?.kind]).toEqual([kind, denial]);
    expect(result.version).toBe(1);
  });
});

test("an exception on the way to a verdict is no allow", async () => {
  const guard = guardWith(policy("allow"));
  const broken: Guard = {
    ...guard,
    loaded: {
      ...guard.loaded,
      policy: {
        get documents(): never {
          throw new Error("boom");
        },
      },
    },
  };
  await expect(run(broken, "true")).rejects.toThrow("boom");
  const hook = createPermissionHook(broken);
  expect((await hook({ id: "1", name: "bash", input: { command: "true" } }, new AbortController().signal)).kind).toBe(
    "result",
  );
});

describe("a policy that cannot be used", () => {
  test.each([
    ["[permissions]\n", "missing-field"],
    ['[permissions]\ndefault_action = "permit"\n', "unknown-decision"],
    [policy("ask", '[[permissions.rule]]\ntool = "bash"\npatern = "x"\naction = "allow"\n'), "unknown-field"],
    ["[permissions\n", "toml-syntax"],
    ["a\0", "unreadable-file"],
  ])("%j does not load", (text, code) => {
    expect(() => guardWith(text)).toThrow(DiagnosticError);
    try {
      guardWith(text);
    } catch (error) {
      expect((error as DiagnosticError).diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    }
  });

  test("a directory is no policy", () => {
    expect(() => openGuard({ cwd: folder, env, policyFiles: [folder] })).toThrow("directory");
  });
});

describe("the PreToolCall point", () => {
  const guard = guardWith(
    policy(
      "allow",
      rule("rm *", "deny"),
      rule("**/.env", "deny", "file_write"),
      rule("github.*", "ask", "github.delete"),
    ),
  );
  const calls: ToolCall[] = [
    { id: "a", name: "bash", input: { command: "ls; rm x" } },
    { id: "b", name: "write", input: { file_path: "conf/.env", content: "x" } },
    { id: "c", name: "read", input: { file_path: "conf/.env" } },
    { id: "d", name: "bash", input: { command: "ls" } },
    { id: "e", name: "bash", input: {} },
  ];

  test("a turn goes on after a denial: every call has its result", async () => {
    const seen: string[] = [];
    const noting = async (call: ToolCall) => {
      seen.push(call.id);
      return { kind: "continue" } as const;
    };
    const outcomes = await runToolCalls(calls, createPermissionHook(guard), [noting], async (call) => `did ${call.id}`);
    expect(
      outcomes.map((outcome) =>
        outcome.kind === "called"
          ? outcome.value
          : [outcome.result.tool_use_id, outcome.result.is_error, outcome.result.content.split("\n")[0]],
      ),
    ).toEqual([
      ["a", true, "permission denied"],
      ["b", true, "permission denied"],
      "did c",
      "did d",
      ["e", true, "permission denied"],
    ]);
    expect(seen).toEqual(["c", "d"]);
  });

  test("a call that a user's hook has changed is judged again", async () => {
    const rewrite = async () =>
      ({ kind: "continue", call: { id: "d", name: "bash", input: { command: "rm x" } } }) as const;
    const [outcome] = await runToolCalls(
      [calls[3] as ToolCall],
      createPermissionHook(guard),
      [rewrite],
      async () => "did",
    );
    expect(outcome?.kind).toBe("result");
  });
});
