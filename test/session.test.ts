import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createSession, openGuard } from "../src/index.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "guarded-sh-session-")));
mkdirSync(join(place, ".git"));
mkdirSync(join(place, "sub"));
writeFileSync(
  join(place, "policy.toml"),
  '[permissions]\ndefault_action = "allow"\n[[permissions.rule]]\ntool = "bash"\npattern = "$PROGRAM"\naction = "deny"\n',
);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const guard = () =>
  openGuard({
    cwd: place,
    env: { PATH: process.env.PATH, HOME: place, XDG_STATE_HOME: join(place, "state") },
    policyFiles: [join(place, "policy.toml")],
    managedPath: join(place, "none.toml"),
  });

describe("a session", () => {
  test("keeps the directory, also after a failure, an `exit` and a denial", async () => {
    const session = createSession(guard());
    await session.run("cd sub; false");
    expect(session.cwd).toBe(join(place, "sub"));
    await session.run("cd ..; exit 3");
    expect(session.cwd).toBe(place);
    const [first, second] = await Promise.all([session.run("cd sub && pwd"), session.run("pwd")]);
    expect([first.execution?.output, second.execution?.output]).toEqual(Array(2).fill(`${join(place, "sub")}\n`));
    expect(second.cwd).toBe(join(place, "sub"));
  });

  test("keeps exported variables only when it is asked to, and judges with them", async () => {
    const forgetful = createSession(guard());
    await forgetful.run("export GREETING=hello");
    expect((await forgetful.run("echo [$GREETING]")).execution?.output).toBe("[]\n");
    const session = createSession(guard(), { keepExports: true });
    await session.run("export GREETING='hello there' OTHER=x; HIDDEN=1; unset OTHER");
    expect((await session.run('echo "[$GREETING$HIDDEN$OTHER]"')).execution?.output).toBe("[hello there]\n");
    expect(session.check('"$GREETING"').segments[0]?.words).toEqual(["hello there"]);
  });

  test("a directory that is gone is an error until the session moves", async () => {
    const session = createSession(guard());
    await session.run("mkdir gone && cd gone && rmdir ../gone");
    expect(await session.run("echo a")).toMatchObject({ kind: "failed", denial: { ran: false } });
    session.moveTo(place);
    expect((await session.run("echo a")).execution?.output).toBe("a\n");
  });

  test("start-up variables of bash are not kept", async () => {
    const session = createSession(guard(), { keepExports: true });
    writeFileSync(join(place, "env.sh"), "echo from a start-up file\n");
    await session.run(`export BASH_ENV=${join(place, "env.sh")} KEPT=1`, {
      asker: { ask: async () => ({ kind: "once" }) },
    });
    expect((await session.run("echo $KEPT")).execution?.output).toBe("1\n");
  });
});
