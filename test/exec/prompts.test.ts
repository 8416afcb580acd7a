import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Launch, runInTerminal, terminalEnvironment } from "../../src/exec/index.ts";
import { launch, processesIn, run, temporaryDirectory } from "./terminal.ts";

const { path: directory, remove } = temporaryDirectory();
afterAll(remove);

const has = (program: string) => spawnSync("/bin/bash", ["-c", `type -P ${program}`]).status === 0;

/** Short enough for a test; people get QUIET_MS. */
const QUICK: Partial<Launch> = { quietMs: 700 };

describe.concurrent("without input, a question ends at once", () => {
  test.each([
    ['read -r x; echo "$? $x"', "1 \n"],
    ["read -r -s -p 'Password: ' p; echo got", "got\n"],
    ["cat; grep pattern; echo end", "end\n"],
    ["cat <<'EOF' >/dev/null\nx\nEOF\nread -r a; echo \"a=$a\"", "a=\n"],
    ['basename "a <b" && cat', "a <b\n"],
    ["read -r x </dev/tty; echo $?", "/bin/bash: line 1: /dev/tty: No such device or address\n1\n"],
  ])("%s", async (text, output) => {
    const execution = await run(directory, text);
    expect({ output: execution.output, waiting: execution.waiting }).toEqual({ output, waiting: null });
  });

  test.skipIf(!has("python3"))("python3 (skipped without python3)", async () => {
    expect(await run(directory, "python3")).toMatchObject({ exit: { kind: "exited", code: 0 }, output: "" });
  });

  test.skipIf(!has("sudo"))("sudo (skipped without sudo)", async () => {
    expect((await run(directory, "sudo -k true")).exit).toMatchObject({ kind: "exited" });
  });

  test.skipIf(!has("top"))("top (skipped without top)", async () => {
    expect((await run(directory, "top")).exit).toMatchObject({ kind: "exited" });
  });

  test.skipIf(!has("ssh"))("ssh to nowhere (skipped without ssh)", async () => {
    const { exit, output } = await run(directory, "ssh -F /dev/null -o ConnectTimeout=2 127.0.0.1 -p 1");
    expect(exit).toEqual({ kind: "exited", code: 255 });
    expect(output).toMatch(/refused/);
  });

  test.skipIf(!has("man"))("man (skipped without man)", async () => {
    expect((await run(directory, "man ls")).exit).toMatchObject({ kind: "exited" });
  });
});

describe.concurrent("a program that waits for a key all the same", () => {
  test.skipIf(!has("vim"))("vim is ended (skipped without vim)", async () => {
    const { exit, waiting, output } = await run(directory, "vim -u NONE file", QUICK);
    expect(exit).toEqual({ kind: "cancelled", by: "waiting" });
    expect(waiting).not.toBeNull();
    expect(output).toContain("~");
  });

  test.skipIf(!has("less"))("less is ended, and its line is named (skipped without less)", async () => {
    const { exit, waiting } = await run(directory, "seq 1000 > numbers; TERM=xterm less -M numbers", QUICK);
    expect(exit).toEqual({ kind: "cancelled", by: "waiting" });
    expect(waiting?.line).toMatch(/numbers lines 1-39/);
  });

  test("is only reported when asked, until the time limit", async () => {
    const more: Partial<Launch> = { ...QUICK, onWaiting: "report", timeoutMs: 3_000 };
    const { exit, waiting } = await run(directory, "echo 'Press a key'; read -r x </proc/self/fd/1; echo $?", more);
    expect({ exit, waiting }).toEqual({
      exit: { kind: "timed-out", afterMs: 3_000 },
      waiting: { line: "Press a key" },
    });
  });

  test("a silent command is none", async () => {
    const { exit, waiting } = await run(directory, "echo quiet; sleep 2; echo end", QUICK);
    expect({ exit, waiting }).toEqual({ exit: { kind: "exited", code: 0 }, waiting: null });
  });
});

describe.concurrent("input", () => {
  test.each([
    ['read -r a; read -r b; echo "$b $a"', "one\ntwo", "two one\n"],
    ["cat", "a\0b\nc", "ab\nc"],
    ["wc -c", "x".repeat(100_000), "100000\n"],
    ["cat /dev/stdin; [ -t 0 ] || echo file", "x\n", "x\nfile\n"],
  ])("given as text is standard input: %s", async (text, stdin, output) => {
    expect((await run(directory, text, { stdin })).output).toBe(output);
  });

  test("given as text to a terminal is typed when the command reads", async () => {
    const text = "sleep 0.3; read -r -s -p 'Password: ' p </dev/tty; echo; echo \"$p\" | wc -c; cat; echo end";
    const { output } = await run(directory, text, { terminalInput: true, stdin: "secret" });
    expect(output).toBe("Password: \n7\nend\n");
  });

  test("can answer a question", async () => {
    const questions: string[] = [];
    const running = runInTerminal(
      launch(directory, "read -r -p 'Sure? [y/N] ' x; echo \"got $x\"", { ...QUICK, terminalInput: true }),
      {
        onPrompt: (line) => {
          questions.push(line);
          running.write("y\n");
        },
      },
    );
    const { exit, output, waiting } = await running.execution;
    expect({ exit, waiting, questions }).toEqual({
      exit: { kind: "exited", code: 0 },
      waiting: null,
      questions: ["Sure? [y/N]"],
    });
    expect(output).toBe("Sure? [y/N] y\ngot y\n");
    expect(running.write("late\n")).toBe(false);
  });

  test("cannot be typed where there is none", async () => {
    const running = runInTerminal(launch(directory, "cat"));
    expect(running.write("x")).toBe(false);
    expect((await running.execution).output).toBe("");
  });
});

describe("git", () => {
  const repository = join(directory, "repository");
  const identity = { GIT_AUTHOR_NAME: "n", GIT_AUTHOR_EMAIL: "n@example.test" };
  const env = terminalEnvironment(
    { PATH: process.env.PATH, HOME: directory },
    {},
    { ...identity, GIT_COMMITTER_NAME: "n", GIT_COMMITTER_EMAIL: "n@example.test", GIT_CONFIG_NOSYSTEM: "1" },
  );
  const git = (text: string) => run(repository, text, { env, spoolDirectory: join(directory, "spool") });

  test.skipIf(!has("git"))("never waits (skipped without git)", async () => {
    mkdirSync(repository);
    const head = "commit refs/heads/main\ncommitter n <n@example.test> 1000000000 +0000\ndata 1\nx\n";
    const history = Array.from({ length: 1_000 }, () => head).join("");
    const made = await run(repository, "git init -q -b main && git config core.pager less && git fast-import --quiet", {
      env,
      stdin: history,
      spoolDirectory: join(directory, "spool"),
    });
    expect(made.exit).toEqual({ kind: "exited", code: 0 });

    const log = await git("git log --oneline; git branch -a");
    expect(log.output.split("\n").length).toBe(1_002);
    expect(processesIn(repository, "less")).toEqual([]);

    const commit = await git("echo 1 > f; git add f; git commit");
    expect(commit).toMatchObject({ exit: { kind: "exited", code: 1 }, waiting: null });
    expect(commit.output).toContain("empty commit message");

    expect((await git("git commit -qm one && git commit --amend")).exit).toEqual({ kind: "exited", code: 0 });

    const rebase = await git("git rebase -i HEAD~1");
    expect(rebase.exit).toEqual({ kind: "exited", code: 1 });
    expect(rebase.output).toContain("no editor here; set GIT_SEQUENCE_EDITOR");

    await git("git config core.sshCommand 'echo custom'; git remote add origin ssh://nowhere.test/x");
    const fetched = await git("git fetch 2>&1 | cat; GIT_TRACE=1 git fetch 2>&1 | grep -c BatchMode");
    expect(existsSync(join(repository, ".git"))).toBe(true);
    expect(Number(fetched.output.trim().split("\n").at(-1))).toBeGreaterThan(0);
  });
});
