import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOOKS, type HookAnswer, type HookSetting, runHook } from "../../src/adapters/hooks/index.ts";
import { makeWorld, type World } from "./world.ts";

// Recorded pairs: the event of a host and the answer it gets. RECORD_HOOKS=1 writes the answers anew; read the diff.
const folder = join(import.meta.dirname, "hooks");
const recording = process.env.RECORD_HOOKS === "1";

interface Pair {
  readonly event?: unknown;
  /** Standard input as it is, where it is not JSON. */
  readonly text?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly rewrite?: boolean;
  readonly shellOnly?: boolean;
  /** false: there is no policy. Text: a policy that does not load. */
  readonly policy?: false | string;
  /** The policy lies in the project instead of being given. */
  readonly project?: boolean;
  /** Another host would send the same. */
  readonly ambiguous?: boolean;
  readonly answer?: { readonly status: number; readonly stdout: unknown; readonly stderr: string };
}

let world: World;
beforeAll(() => {
  world = makeWorld();
});
afterAll(() => world.remove());

/** A path of this run in place of the word that stands for it, and back. */
const placed = (text: string) => text.replaceAll("{{cwd}}", world.cwd).replaceAll("{{root}}", dirname(world.cwd));
const unplaced = (text: string) =>
  [world.cwd, world.cwd.slice(1)]
    .reduce((all, path) => all.replaceAll(path, "{{cwd}}"), text)
    .replaceAll(dirname(world.cwd), "{{root}}");

function settingOf(hook: HookSetting["hook"], pair: Pair): HookSetting {
  const files = pair.policy === false ? [] : [pair.policy === undefined ? world.policy : badPolicy()];
  if (pair.project) writeFileSync(join(world.cwd, "guarded-sh.toml"), readFileSync(world.policy));
  return {
    hook,
    cwd: world.cwd,
    env: { ...world.env, XDG_STATE_HOME: freshState(), ...JSON.parse(placed(JSON.stringify(pair.env ?? {}))) },
    guard: { policyFiles: pair.project ? [] : files, managedPath: join(world.cwd, "none") },
    shellOnly: pair.shellOnly === true,
    ...(pair.rewrite ? { rewrite: ["/usr/bin/node", "/opt/guarded sh/bin.js"] } : {}),
  };
}

/** Calls of one session are counted: every answer has a state of its own. */
const freshState = () => mkdtempSync(join(dirname(world.policy), "state-"));
const badPolicy = () => join(dirname(world.policy), "bad.toml");

/** Whether a reason stands beside its carets or below them is a matter of how long the path of this run is. */
const besideCarets = (answer: Pair["answer"]): unknown =>
  JSON.parse(JSON.stringify(answer ?? null).replace(/\^\\+n {2}(?! )/g, "^ "));

async function answerOf(hook: HookSetting["hook"], pair: Pair): Promise<NonNullable<Pair["answer"]>> {
  const text = pair.text ?? placed(JSON.stringify(pair.event));
  const { status, stdout, stderr } = await runHook(Buffer.from(text), settingOf(hook, pair));
  if (pair.project) writeFileSync(join(world.cwd, "guarded-sh.toml"), "");
  return { status, stdout: JSON.parse(unplaced(stdout)), stderr: unplaced(stderr) };
}

const read = (file: string): Pair => JSON.parse(readFileSync(file, "utf8"));

describe.each(HOOKS.map((hook) => [hook.host, hook] as const))("%s", (host, hook) => {
  const files = readdirSync(join(folder, host)).map((name) => join(folder, host, name));

  test.each(files.map((file) => [basename(file, ".json"), file]))("%s", async (_, file) => {
    const pair = read(file);
    const answer = await answerOf(hook, pair);
    if (recording) writeFileSync(file, `${JSON.stringify({ ...pair, answer }, null, 2)}\n`);
    else expect(besideCarets(answer)).toEqual(besideCarets(pair.answer));
  });

  test("auto recognizes it and answers the same", async () => {
    for (const file of files) {
      const pair = read(file);
      const judged = !JSON.stringify(pair.answer ?? "").includes("guarded-sh: failed");
      if (judged && !pair.ambiguous)
        expect(besideCarets(await answerOf("auto", pair)), file).toEqual(besideCarets(pair.answer));
    }
  });

  test("a refusal is a no with its reason on both streams, whatever the message", () => {
    for (const message of ["x", "a\nb", "\u0001".repeat(100_000), "é".repeat(20_000)])
      expectRefusal(hook.host, hook.refuse(message));
  });
});

/** The host's no: exit status 2, for Cline `cancel`; never an allow, never empty, never too long. */
function expectRefusal(host: string, { status, stdout, stderr }: HookAnswer): void {
  expect(status).toBe(host === "cline" ? 0 : 2);
  expect(stderr).toMatch(/^guarded-sh: /);
  expect(stdout.length).toBeLessThanOrEqual(10_000);
  expect(stderr.length).toBeLessThanOrEqual(10_000);
  if (host === "cline") expect(JSON.parse(stdout)).toMatchObject({ cancel: true });
  expect(stdout).toMatch(/"deny"|"block"|"cancel":true/);
  expect(stdout).not.toMatch(/"allow"|"ask"/);
}

describe("the same call again and again", () => {
  const [claude] = HOOKS;
  const pair = () => read(join(folder, "claude-code/command-allowed.json"));

  async function thirdAnswer(shellOnly: boolean): Promise<string> {
    const setting = { ...settingOf(claude ?? "auto", pair()), shellOnly };
    const bytes = Buffer.from(placed(JSON.stringify(pair().event)));
    await runHook(bytes, setting);
    await runHook(bytes, setting);
    return (await runHook(bytes, setting)).stdout;
  }

  test("the third one is asked", async () => {
    expect(await thirdAnswer(false)).toMatch(/"ask".*doom_loop/);
  });

  test("a hook that sees only command lines cannot tell and does not ask", async () => {
    expect(await thirdAnswer(true)).toMatch(/"allow"/);
  });
});
