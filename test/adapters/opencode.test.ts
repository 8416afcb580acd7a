import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenCodeContext, openCodeTool, runForOpenCode } from "../../src/adapters/opencode/tool.ts";
import openCodePlugin from "../../src/opencode-plugin.ts";
import openCodePluginV2 from "../../src/opencode-plugin-v2.ts";
import defaultTool from "../../src/opencode-tool.ts";
import { makeWorld, type World } from "./world.ts";

const START = [process.execPath, resolve(import.meta.dirname, "../../bin/guarded-sh.js")];
const POLICY = `[permissions]
default_action = "deny"
[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "ask"
`;
const rule = (tool: string, pattern: string, action: string) =>
  `[[permissions.rule]]\ntool = "${tool}"\npattern = "${pattern}"\naction = "${action}"\n`;

let world: World;
const before = { ...process.env };
beforeAll(() => {
  world = makeWorld();
  // The policy is looked up by the tool itself: in the home of this process.
  Object.assign(process.env, { HOME: world.env.HOME, XDG_STATE_HOME: world.env.XDG_STATE_HOME });
  delete process.env.XDG_CONFIG_HOME;
  const folder = join(world.env.HOME ?? "", ".config/guarded-sh");
  mkdirSync(folder, { recursive: true });
  const allowed = ["ls *", "pwd", "echo *", "sleep *"].map((pattern) => rule("bash", pattern, "allow"));
  writeFileSync(join(folder, "policy.toml"), `${POLICY}${allowed.join("")}${rule("file_read", "src/**", "allow")}`);
});
afterAll(() => {
  Object.assign(process.env, { HOME: before.HOME, XDG_STATE_HOME: before.XDG_STATE_HOME });
  if (before.XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME;
  if (before.XDG_CONFIG_HOME !== undefined) process.env.XDG_CONFIG_HOME = before.XDG_CONFIG_HOME;
  world.remove();
});

describe("the tool", () => {
  const context = (more: Partial<OpenCodeContext> = {}) => ({ sessionID: "s", directory: world.cwd, ...more });

  test("has the arguments of the built-in one", () => {
    expect(defaultTool).toBe(openCodeTool);
    expect(Object.keys(openCodeTool.args)).toEqual(["command", "timeout", "workdir"]);
  });

  test("runs what is allowed, in the directory that is named", async () => {
    const said = await runForOpenCode({ command: "pwd; ls nothing", workdir: "src" }, context(), START);
    expect(said).toMatch(new RegExp(`^${join(world.cwd, "src")}\n.*nothing.*\n\\[exit status 2\\]$`));
  });

  test("tells a denial as text and runs nothing", async () => {
    const said = await runForOpenCode({ command: "echo a; rm -rf src" }, context(), START);
    expect(said).toMatch(/^guarded-sh: denied, nothing was run/);
    expect(existsSync(join(world.cwd, "src"))).toBe(true);
  });

  test.each([
    ["a yes runs it", async () => {}, /exit status/],
    ["a no runs nothing", () => Promise.reject(new Error("no")), /^guarded-sh: rejected by a person, nothing was run/],
    ["nobody to ask is a no", undefined, /^guarded-sh: rejected/],
  ])("asks under its own permission: %s", async (_, ask, expected) => {
    const asked: unknown[] = [];
    const asking = ask && {
      ask: (question: unknown) => {
        asked.push(question);
        return ask();
      },
    };
    expect(await runForOpenCode({ command: "git push nowhere" }, context(asking), START)).toMatch(expected);
    if (ask !== undefined) expect(asked).toMatchObject([{ permission: "guarded-sh", patterns: ["git push nowhere"] }]);
  });

  test("ends when the call is aborted, and at its time limit", async () => {
    const abort = AbortSignal.timeout(700);
    expect(await runForOpenCode({ command: "sleep 30" }, context({ abort }), START)).toMatch(/cancelled/);
    expect(await runForOpenCode({ command: "sleep 30", timeout: 300 }, context(), START)).toMatch(
      /timed out after 0.3 s/,
    );
  });

  test("a guarded-sh that cannot be started is a failure that says so", async () => {
    const said = await runForOpenCode({ command: "ls" }, context(), ["/no/such/program"]);
    expect(said).toMatch(/^guarded-sh: failed, nothing was run: guarded-sh could not be started/);
  });
});

describe("the plugin of line 1", () => {
  async function before(tool: string, args: unknown): Promise<string> {
    const hooks = await openCodePlugin.server({ directory: world.cwd });
    return hooks["tool.execute.before"]({ tool }, { args }).then(
      () => "goes on",
      (error: Error) => error.message,
    );
  }

  test.each<[string, unknown, RegExp]>([
    ["bash", { command: "ls" }, /^goes on$/],
    ["bash", { command: "ls && rm x" }, /^guarded-sh: denied, nothing was run: `rm x`/],
    ["bash", { command: "git push" }, /^guarded-sh: needs approval and nobody can give it/],
    ["bash", {}, /^guarded-sh: failed, nothing was run: `command` or `cmd` is missing/],
    ["bash", undefined, /^guarded-sh: failed/],
    ["read", { filePath: "src/a.ts" }, /^goes on$/],
    ["write", { filePath: "src/a.ts" }, /^guarded-sh: denied/],
  ])("%s %j", async (tool, args, expected) => {
    expect(await before(tool, args)).toMatch(expected);
  });

  test("tells the model and passes the session on", async () => {
    const hooks = await openCodePlugin.server({ directory: world.cwd });
    const definition = { description: "Runs commands." };
    await hooks["tool.definition"]({ toolID: "bash" }, definition);
    expect(definition.description).toMatch(/^Runs commands\.\n\nEvery command/);
    const shell = { env: {} as Record<string, string> };
    await hooks["shell.env"]({ sessionID: "s" }, shell);
    expect(shell.env).toEqual({ GUARDED_SH_SESSION: "s" });
  });
});

test("the plugin of line 2 sets the effect and refuses at last", async () => {
  const hooks = new Map<string, (event: Record<string, unknown>) => Promise<void>>();
  const hook = (name: string, run: (event: Record<string, unknown>) => Promise<void>) => hooks.set(name, run);
  await openCodePluginV2.setup({ directory: world.cwd, permission: { hook }, tool: { hook } });
  const effectOf = async (command: string, effect = "allow") => {
    const event: Record<string, unknown> = { action: "shell", resources: [command], effect };
    await hooks.get("evaluate")?.(event);
    return event.effect;
  };
  expect(await effectOf("ls")).toBe("allow");
  expect(await effectOf("ls", "deny")).toBe("deny");
  expect(await effectOf("git push")).toBe("ask");
  expect(await effectOf("rm x")).toBe("deny");
  await expect(hooks.get("execute.before")?.({ tool: "shell", input: { command: "rm x" } })).rejects.toThrow(/denied/);
  await expect(hooks.get("execute.before")?.({ tool: "shell", input: {} })).rejects.toThrow(/failed/);
});
