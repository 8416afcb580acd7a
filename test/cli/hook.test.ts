import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { makeWorld, type World } from "../adapters/world.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

async function hook(input: string | undefined, ...argv: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (input !== undefined) stdin.end(input);
  const terminal = { stdin, stdout, stderr, env: world.env, cwd: world.cwd, colours: false };
  const status = await main(["hook", ...argv], terminal);
  return { status, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}

const event = (command: string) =>
  JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, cwd: world.cwd });

describe("guarded-sh hook", () => {
  test.each([
    ["ls", 0, "allow"],
    ["git push", 0, "ask"],
    ["rm x", 2, "deny"],
  ])("%s", async (command, status, decision) => {
    const answer = await hook(event(command), "claude-code", "--policy", world.policy);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.out)).toMatchObject({ hookSpecificOutput: { permissionDecision: decision } });
    expect(answer.err === "").toBe(decision === "allow");
  });

  test("nobody is asked with --approver none", async () => {
    expect(await hook(event("git push"), "auto", "--policy", world.policy, "--approver", "none")).toMatchObject({
      status: 2,
    });
  });

  test("--rewrite hands the command back as a call of this program", async () => {
    const { out } = await hook(event("ls 'a b'"), "claude-code", "--policy", world.policy, "--rewrite");
    expect(JSON.parse(out).hookSpecificOutput.updatedInput.command).toMatch(/ run -- "ls 'a b'"$/);
  });

  test.each([
    ["an option that there is not", ["cline", "--no-such-option"]],
    ["an approver that there is not", ["cline", "--approver", "me"]],
    ["a policy that there is not", ["cline", "--policy", "no-such-file.toml"]],
    ["two agents", ["cline", "codex"]],
    ["an agent that there is not", ["clinee"]],
    ["no agent", []],
  ])("a wrong call is a no, with %s", async (_, argv) => {
    const { status, out, err } = await hook(event("ls"), ...argv);
    expect(JSON.parse(out)).toMatchObject({ cancel: true });
    expect(err).toMatch(/^guarded-sh: /);
    if (argv[0] !== "cline") expect(status).toBe(2);
  });

  test("a policy in the project that does not load is a no", async () => {
    mkdirSync(join(world.cwd, ".guarded-sh"));
    writeFileSync(join(world.cwd, ".guarded-sh/policy.toml"), "nonsense");
    const { status, err } = await hook(event("ls"), "claude-code");
    expect(status).toBe(2);
    expect(err).toMatch(/toml-syntax/);
  });

  test("an event that never ends is a no in time", async () => {
    const started = Date.now();
    const { status, err } = await hook(undefined, "codex");
    expect(status).toBe(2);
    expect(err).toMatch(/did not end in time/);
    expect(Date.now() - started).toBeLessThan(20_000);
  });
});
