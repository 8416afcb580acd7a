import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOOKS, type Hook, runHook } from "../../src/adapters/hooks/index.ts";
import { type Policy, parseInline } from "../../src/policy/index.ts";
import { breakEvent, randomOf, SHAPES, scramble } from "./damage.ts";
import { makeWorld, type World } from "./world.ts";

// GUARDED_SH_FUZZ=10000 is the full measure.
const TIMES = Number(process.env.GUARDED_SH_FUZZ ?? 300);
const ALLOWED = "ls -la src";
const DENIED = "rm -rf build";

let world: World;
let policy: Policy;
beforeAll(() => {
  world = makeWorld();
  const rules = [{ tool: "bash", pattern: ALLOWED, action: "allow" }];
  policy = parseInline({ default_action: "deny", rules }, { home: "/", env: new Map(), windows: false });
});
afterAll(() => world.remove());

const isAllow = (stdout: string) => /"allow"|"cancel":false|^\{\}|"systemMessage"/.test(stdout);

async function answerTo(hook: Hook | "auto", bytes: Uint8Array, env: Readonly<Record<string, string>> = {}) {
  return runHook(bytes, { hook, cwd: world.cwd, env: { ...world.env, ...env }, guard: { policy } });
}

describe.each(HOOKS.map((hook) => [hook.host, hook] as const))("%s", (host, hook) => {
  const shape = SHAPES.get(host);
  if (shape === undefined) throw new Error(`no shape for ${host}`);

  test("the whole event is allowed", async () => {
    const answer = await answerTo(hook, Buffer.from(JSON.stringify(shape.event(ALLOWED))), shape.env?.(ALLOWED));
    expect(answer).toMatchObject({ status: 0 });
    expect(isAllow(answer.stdout)).toBe(true);
  });

  test.each([[hook], ["auto" as const]])("a damaged event is a no with a reason (%#)", async (named) => {
    const random = randomOf(host.length * 7919);
    for (let i = 0; i < TIMES / 2; i++) {
      for (const bytes of [breakEvent(shape, ALLOWED, random), scramble(shape, DENIED, random)]) {
        // The environment of Amp and iFlow names the call as well.
        const { status, stdout, stderr } = await answerTo(named, bytes, shape.env?.(DENIED));
        const text = Buffer.from(bytes).toString();
        expect(isAllow(stdout), text).toBe(false);
        expect(stdout.length, text).toBeGreaterThan(2);
        expect(stdout.length, text).toBeLessThanOrEqual(10_000);
        expect(stderr, text).toMatch(/^guarded-sh: .+/);
        expect([0, 2], text).toContain(status);
        if (host !== "cline") expect(status, text).toBe(2);
      }
    }
  });
});
