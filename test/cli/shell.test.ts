import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isInstalled, POLICY, ShellPlace } from "./shell-place.ts";

const place = new ShellPlace(POLICY);
afterAll(() => place.remove());

const DENIED = /^guarded-sh: denied, nothing was run\n {2}touch made/;

function madeNothing(): void {
  expect(existsSync(join(place.project, "made"))).toBe(false);
}

describe("as $SHELL", () => {
  test.each([
    [["-c", "echo a; exit 300"], { status: 44, stdout: "a\n", stderr: "" }],
    [["-lc", "echo a >&2"], { status: 0, stdout: "", stderr: "a\n" }],
    [["-c", "kill -9 $$"], { status: 137, stdout: "", stderr: "" }],
    [["-e", "-c", "false; echo no"], { status: 1, stdout: "", stderr: "" }],
    [["-o", "pipefail", "-c", "false | true"], { status: 1, stdout: "", stderr: "" }],
    [["-xc", "echo a"], { status: 0, stdout: "a\n", stderr: "+ echo a\n" }],
    [["-c", 'echo "$0 $# $*"', "zero", "one", "two"], { status: 0, stdout: "zero 2 one two\n", stderr: "" }],
    [["-c", "--", "echo $-"], { status: 0, stdout: "hBc\n", stderr: "" }],
    [["-c", " \n"], { status: 0, stdout: "", stderr: "" }],
  ])("%j", (argv, expected) => {
    expect(place.call(argv)).toEqual(expected);
  });

  test("bytes pass through both ways", () => {
    const input = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7) % 256));
    const { stdout } = place.spawn(place.shell(), ["-c", "cat"], { input });
    expect(stdout.equals(input)).toBe(true);
  });

  test("what is denied does not run: 126, and the denial on standard error", () => {
    const { status, stdout, stderr } = place.call(["-c", "echo before; touch made"]);
    expect({ status, stdout }).toEqual({ status: 126, stdout: "" });
    expect(stderr).toContain("rule `touch *` → deny");
    madeNothing();
  });

  test("what nobody can be asked about does not run", () => {
    const { status, stderr } = place.call(["-c", "unknownprogram x"]);
    expect(status).toBe(126);
    expect(stderr).toContain("needs approval and nobody can give it");
  });

  test.each([
    [["-c", '"$@"', "zero", "touch", "made"], 126],
    [["-c", '"$@"', "zero", "echo", "made"], 0],
    [["-c", '$0 "$1"', "touch", "made"], 126],
    [["-s", "touch", "made"], 126],
  ])("parameters are judged with the text: %j", (argv, status) => {
    expect(place.call(argv, { input: '"$@"' }).status).toBe(status);
    madeNothing();
  });

  test.each(["bash", "sh", "zsh"])("called %s it is one, whatever the first word", (name) => {
    expect(place.call(["--version"], { name }).stdout).toMatch(/^GNU bash, version \d\S* .*\(guarded-sh \d+\.\d+/);
    expect(place.call(["-c", "touch made"], { name })).toMatchObject({
      status: 126,
      stderr: expect.stringMatching(DENIED),
    });
  });

  test("called guarded-sh, a leading dash says so", () => {
    expect(place.call(["-lc", "touch made"], { name: "guarded-sh" }).status).toBe(126);
    expect(place.call(["--version"], { name: "guarded-sh" }).stdout).toMatch(/^guarded-sh \d/);
    expect(place.call(["./x.sh"], { name: "guarded-sh" }).stderr).toContain("guarded-sh -- ./x.sh");
  });

  test.each([
    ["text:stdout", "stdout"],
    ["text:stderr", "stderr"],
  ] as const)("GUARDED_SH_DENIAL=%s", (form, stream) => {
    const called = place.call(["-c", "touch made"], { env: { GUARDED_SH_DENIAL: form } });
    expect(called[stream]).toMatch(DENIED);
    expect(called[stream === "stdout" ? "stderr" : "stdout"]).toBe("");
  });

  test("GUARDED_SH_DENIAL=json is the whole result in a line", () => {
    const { stdout } = place.call(["-c", "touch made"], { env: { GUARDED_SH_DENIAL: "json:stdout" } });
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      kind: "denied",
      command: "touch made",
      denial: { ran: false },
    });
    expect(stdout.trimEnd()).not.toContain("\n");
  });
});

describe("when guarded-sh itself cannot, nothing runs: 125", () => {
  test.each([
    ["an option that changes the reading", ["--posix", "-c", "echo a"], {}, "judges bash's own language only"],
    ["a form of denial that is none", ["-c", "echo a"], { GUARDED_SH_DENIAL: "x" }, "use text or json"],
    ["an approver that is none", ["-c", "echo a"], { GUARDED_SH_APPROVER: "x" }, "is no approver"],
    ["too deep inside itself", ["-c", "echo a"], { GUARDED_SH_DEPTH: "8" }, "started inside itself 8 times"],
  ])("%s", (_name, argv, env, message) => {
    const { status, stdout, stderr } = place.call(argv, { env });
    expect({ status, stdout }).toEqual({ status: 125, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("a policy that does not load, a directory that is gone", () => {
    const broken = new ShellPlace("[permissions");
    const { status, stdout, stderr } = broken.call(["-c", "echo a"], { env: { GUARDED_SH_DENIAL: "json:stdout" } });
    expect({ status, stderr }).toEqual({ status: 125, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "failed",
      denial: { message: expect.stringContaining("policy.toml:1") },
    });
    broken.remove();
    const script = `mkdir gone && cd gone && rmdir ../gone && exec ${place.shell()} -c 'echo a'`;
    expect(place.spawn("/bin/sh", ["-c", script]).status).toBe(125);
  });
});

describe("scripts and standard input", () => {
  test("a script knows its path, its parameters and its input", () => {
    place.write("project/s.sh", 'echo "$0|${BASH_SOURCE[0]}|$1"\nread -r line\necho "got $line"\n');
    const policy = place.call(["s.sh", "one"], { input: "typed\n" });
    expect(policy.stderr).toContain("read");
    place.write("project/s.sh", 'echo "$0|${BASH_SOURCE[0]}|$1"\ncat\n');
    expect(place.call(["s.sh", "one"], { input: "typed\n" })).toEqual({
      status: 0,
      stdout: "s.sh|s.sh|one\ntyped\n",
      stderr: "",
    });
  });

  test("its denial shows the line of it", () => {
    place.write("project/d.sh", "echo a\ntouch made # here\n");
    const { status, stderr } = place.call(["d.sh"]);
    expect(status).toBe(126);
    expect(stderr).toContain("touch made");
    madeNothing();
  });

  test("`#!/usr/bin/env bash` finds guarded-sh, which does not find itself", () => {
    const script = place.write("project/env.sh", "#!/usr/bin/env bash\necho $BASH\n", 0o755);
    const env = { PATH: `${place.shells}:${process.env.PATH}` };
    expect(place.spawn(script, [], { env }).stdout.toString()).toMatch(/^\/(usr\/)?bin\/bash\n$/);
    const denied = place.write("project/deny.sh", "#!/usr/bin/env bash\ntouch made\n", 0o755);
    expect(place.spawn(denied, [], { env }).status).toBe(126);
    madeNothing();
  });

  test("a script that starts itself for ever ends, where no policy finds it out before", () => {
    const loop = new ShellPlace(undefined);
    loop.write("project/self.sh", "echo level\nbash ./self.sh\n");
    const { status, stdout } = loop.call(["self.sh"], { env: { PATH: `${loop.shells}:${process.env.PATH}` } });
    expect({ status, levels: stdout.split("\n").length - 1 }).toEqual({ status: 125, levels: 8 });
    loop.remove();
  });

  test.each([
    ["commands on standard input", [], "echo a\necho b\n", "a\nb\n"],
    ["with parameters", ["-s", "x", "y"], 'echo "$2"', "y\n"],
  ])("%s", (_name, argv, input, stdout) => {
    expect(place.call(argv, { input })).toEqual({ status: 0, stdout, stderr: "" });
  });

  test("a missing script is 127 as in bash, a program is no script, -i needs a terminal", () => {
    expect(place.call(["missing.sh"]).status).toBe(127);
    expect(place.call(["/bin/true"]).status).toBe(125);
    expect(place.call(["-i"]).status).toBe(125);
    expect(place.call([], { input: Buffer.from([0x80, 0xff]) }).status).toBe(125);
  });
});

describe("the shell that runs is bash without start-up files", () => {
  test.each([
    ["BASH_ENV", {}, ["-c", "echo a"]],
    ["a profile", {}, ["-lc", "echo a"]],
    ["a function from outside", { "BASH_FUNC_echo%%": "() { builtin echo from function; }" }, ["-c", "echo a"]],
    ["SHELLOPTS", { SHELLOPTS: "xtrace" }, ["-c", "echo a"]],
  ])("%s is not read", (_name, env, argv) => {
    const file = place.write("home/.bash_profile", "echo from profile\n");
    expect(place.call(argv, { env: { BASH_ENV: file, ...env } })).toEqual({ status: 0, stdout: "a\n", stderr: "" });
  });

  test("signals are passed on", async () => {
    const child = spawn(place.shell(), ["-c", "trap 'kill $!; exit 9' TERM; sleep 20 & echo ready; wait"], {
      cwd: place.project,
      env: place.env(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    await Promise.race([once(child.stdout, "data"), ended]);
    child.kill("SIGTERM");
    expect(await ended).toEqual([9, null]);
  });
});

describe.skipIf(!isInstalled("script"))("a person's lines (needs `script`)", () => {
  const type = (lines: string, env: NodeJS.ProcessEnv = {}) => {
    const { stdout, status } = place.spawn("script", ["-qec", place.shell(), "/dev/null"], {
      input: lines,
      env: { SHELL: "/bin/sh", TERM: "dumb", ...env },
    });
    return { status, shown: stdout.toString().replaceAll("\r", "") };
  };

  test("each is judged; directory and exports stay; `exit` ends", () => {
    const { status, shown } = type(
      [
        "cd /",
        "export GREETING=hello",
        "echo in$PWD $GREETING",
        "touch made",
        "for i in 1 2",
        "do echo it$i",
        "done",
        "exit 3",
        "",
      ].join("\n"),
    );
    expect(status).toBe(3);
    for (const line of ["in/ hello", "guarded-sh: denied, nothing was run", "it1\nit2"]) expect(shown).toContain(line);
    expect(existsSync("/made")).toBe(false);
  });

  test("lines that end in the middle wait for more", () => {
    expect(type("echo 'a\nb' \\\nc\ncat <<E\nhere\nE\nexit\n").shown).toMatch(/a\nb c\n\W*here\n/);
  });
});

describe("what `run` shows", () => {
  const text = "printf 'first\\rlast!\\n'; sleep 1; echo end";

  test("in a pipe: what the terminal came to show", () => {
    const { stdout } = place.call(["run", text], { name: "guarded-sh" });
    expect(stdout).toBe("last!\nend\n");
  });

  test.skipIf(!isInstalled("script"))("on a terminal: everything as it comes, once (needs `script`)", async () => {
    const child = spawn("script", ["-qec", `${place.shell("guarded-sh")} run "${text}"`, "/dev/null"], {
      cwd: place.project,
      env: place.env({ SHELL: "/bin/sh" }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const shown: string[] = [];
    child.stdout.on("data", (chunk: Buffer) => shown.push(chunk.toString()));
    await once(child, "close");
    // The second part of it came in a piece of its own.
    expect(shown.join("")).toMatch(/^first\r+last!\r+\nend\r+\n$/);
    expect(shown.length).toBeGreaterThan(1);
  });

  test("what the boundary of [scope] kept from it", () => {
    const scoped = new ShellPlace(`${POLICY}[scope]\nread_deny = ["~/*"]\n`);
    for (const argv of [
      ["run", "echo a"],
      ["-c", "echo a"],
    ]) {
      const { status, stdout, stderr } = scoped.call(argv, { name: "guarded-sh" });
      expect({ status, stdout }).toEqual({ status: 125, stdout: "" });
      expect(stderr).toContain("paths there have no wildcards\nhelp: write the path itself");
    }
    scoped.remove();
  });
});
