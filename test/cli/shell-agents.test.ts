import { exec } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isInstalled, POLICY, ShellPlace } from "./shell-place.ts";

const place = new ShellPlace(POLICY);
const made = join(place.project, "made");
afterAll(() => place.remove());
afterEach(() => {
  expect(existsSync(made)).toBe(false);
});

const UNSET = "{ \\builtin unalias -- 'unsetenv'; \\builtin unset -f -- 'unsetenv'; } >/dev/null 2>&1 || true && ";
const directoryFile = join(place.root, "claude-0a1b-cwd");
/** TMPDIR is where an agent puts its own files. */
const env = { TMPDIR: place.root, SHELL: place.shell() };
const claude = (command: string) =>
  `shopt -u extglob 2>/dev/null || true && ${UNSET}eval '${command}' < /dev/null && pwd -P >| ${directoryFile}`;
const gemini = (command: string) =>
  `shopt -u promptvars nullglob extglob nocaseglob dotglob; { ${command}; }; __code=$?; pgrep -g 0 >${place.root}/shell_pgrep_7ad66c54c43b.tmp 2>&1; exit $__code;`;
const RC = "[[ -f ~/.bashrc ]] && source ~/.bashrc >/dev/null 2>&1 || true";
const opencode = (command: string) =>
  `\n        shopt -s expand_aliases\n        ${RC}\n        cd -- "$1"\n        eval ${JSON.stringify(command)}\n      `;

/** Each agent's own call line: what comes in front of the text, and how it frames a command. */
const CALLS: readonly (readonly [agent: string, (command: string) => readonly string[]])[] = [
  ["Claude Code", (command) => ["-c", "-l", claude(command)]],
  ["Claude Code with a snapshot", (command) => ["-c", claude(command)]],
  ["Codex", (command) => ["-lc", command]],
  ["Codex, no login", (command) => ["-c", command]],
  ["OpenCode's tool, Amazon Q, Roo", (command) => ["-c", command]],
  ["OpenCode, a person's command", (command) => ["-l", "-c", opencode(command), "opencode", place.project]],
  ["Continue", (command) => ["-l", "-c", command]],
  ["Gemini CLI, Qwen Code", (command) => ["-c", gemini(command)]],
];

describe("the call lines of agents", () => {
  test.each(CALLS)("%s", (_agent, argv) => {
    expect(place.call(argv("echo out; echo err >&2; exit 7"), { env })).toEqual({
      status: 7,
      stdout: "out\n",
      stderr: "err\n",
    });
    const denied = place.call(argv("touch made"), { env });
    expect(denied.status).toBe(126);
    expect(denied.stderr).toContain("\n  touch made");
  });

  test("Claude Code learns the directory that the command ended in", () => {
    place.call(["-c", claude("cd / && echo moved")], { env });
    expect(readFileSync(directoryFile, "utf8")).toBe("/\n");
    rmSync(directoryFile);
    place.call(["-c", claude("touch made && cd /")], { env });
    expect(existsSync(directoryFile)).toBe(false);
  });

  test("Claude Code gets no snapshot, and goes on without", () => {
    const file = join(place.home, ".claude/shell-snapshots/snapshot-bash-1785137321325-37gn94.sh");
    mkdirSync(join(file, ".."), { recursive: true });
    const { status, stderr } = place.call(["-c", "-l", `SNAPSHOT_FILE=${file}\ntouch "$SNAPSHOT_FILE"\n`], { env });
    expect({ status, made: existsSync(file) }).toEqual({ status: 126, made: false });
    expect(stderr).toContain("no snapshot of the user's shell is taken");
  });

  test("Claude Code's probe finds a bash", () => {
    expect(place.call(["--version"]).stdout).toContain("GNU bash");
  });

  test("a frame with more around it is judged as it stands", () => {
    const { status, stderr } = place.call(["-c", `${claude("echo a")}; touch made`], { env });
    expect(status).toBe(126);
    expect(stderr).toContain("rule `touch *` → deny");
  });
});

/** Runs a program that starts commands through `$SHELL`, or another way of its own. */
function through(program: string, argv: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = place.spawn(program, argv, { env: { ...env, TERM: "xterm", ...more } });
  return { status, text: `${stdout}${stderr}`.replaceAll("\r", "") };
}

/** What denies shows in the status, or only in what was printed. */
function expectDenied({ status, text }: ReturnType<typeof through>): void {
  expect(status).not.toBe(0);
  expect(text).toContain("guarded-sh: denied, nothing was run");
}

describe("programs that start a shell", () => {
  beforeAll(() => {
    place.write("project/Makefile", "good:\n\t@echo made $@; echo more\nbad:\n\ttouch made\n");
    place.write(
      "project/package.json",
      JSON.stringify({ name: "x", scripts: { good: "echo from npm", bad: "touch made" } }),
    );
  });

  test.skipIf(!isInstalled("make"))("make (needs make)", () => {
    expect(through("make", [`SHELL=${place.shell()}`, "good"])).toEqual({ status: 0, text: "made good\nmore\n" });
    expectDenied(through("make", [`SHELL=${place.shell()}`, "bad"]));
  });

  test.skipIf(!isInstalled("git"))("git, by an alias (needs git)", () => {
    const alias = (command: string) => ["-c", `alias.x=!"$SHELL" -c "${command}"`, "x"];
    expect(through("git", alias("echo aliased"))).toEqual({ status: 0, text: "aliased\n" });
    expectDenied(through("git", alias("touch made")));
  });

  test.skipIf(!isInstalled("script"))("script (needs script)", () => {
    expect(through("script", ["-qec", "echo typed", "/dev/null"])).toEqual({ status: 0, text: "typed\n" });
    expectDenied(through("script", ["-qec", "touch made", "/dev/null"]));
  });

  test.skipIf(!isInstalled("npm"))("npm (needs npm)", () => {
    const script = (name: string) => ["run", "--silent", "--script-shell", place.shell("sh"), name];
    expect(through("npm", script("good"))).toEqual({ status: 0, text: "from npm\n" });
    expectDenied(through("npm", script("bad")));
  });

  test.skipIf(!isInstalled("find"))("find (needs find)", () => {
    const each = (command: string) => ["Makefile", "-exec", place.shell(), "-c", command, "zero", "{}", "+"];
    expect(through("find", each('echo "found $1"'))).toEqual({ status: 0, text: "found Makefile\n" });
    expectDenied(through("find", each('touch made "$1"')));
  });

  test.skipIf(!isInstalled("vim"))("vim, by its option `shell` (needs vim)", () => {
    const bang = (command: string) => [
      ...["-N", "-u", "NONE", "-es"],
      ...["-c", `call writefile([system('${command}') . v:shell_error], 'out', 'b')`, "-c", "qa!"],
    ];
    through("vim", bang("echo from vim"));
    expect(readFileSync(join(place.project, "out"), "utf8")).toMatch(/^from vim\W0$/);
    through("vim", bang("touch made"));
    expect(readFileSync(join(place.project, "out"), "utf8")).toBe("126");
  });

  test.skipIf(!isInstalled("tmux"))("tmux, by its default-shell (needs tmux)", async () => {
    const socket = join(place.root, "tmux");
    const config = place.write("tmux.conf", `set -g default-shell ${place.shell()}\nset -g remain-on-exit on\n`);
    const tmux = (...argv: readonly string[]) => through("tmux", ["-S", socket, "-f", config, ...argv]);
    try {
      tmux("new-session", "-d", "-x", "100", "-y", "20", "echo in a pane");
      tmux("new-window", "touch made");
      const shown = () =>
        ["0", "1"].map((window) => tmux("capture-pane", "-p", "-S", "-", "-t", `:${window}`).text).join("");
      await expect
        .poll(shown, { timeout: 60_000, interval: 200 })
        .toMatch(/in a pane[\s\S]*guarded-sh: denied, nothing was run/);
    } finally {
      tmux("kill-server");
    }
  });

  test("node's child_process, by its option", async () => {
    const run = (command: string) =>
      new Promise<{ code: number; text: string }>((done) => {
        const options = { shell: place.shell(), cwd: place.project, env: place.env(env) };
        exec(command, options, (error, stdout, stderr) =>
          done({ code: Number(error?.code ?? 0), text: stdout + stderr }),
        );
      });
    expect(await run("echo a | cat")).toEqual({ code: 0, text: "a\n" });
    expect(await run("touch made")).toMatchObject({ code: 126, text: expect.stringContaining("nothing was run") });
  });
});
