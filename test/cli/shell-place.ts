import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const PROGRAM = resolve(import.meta.dirname, "../../bin/guarded-sh.js");

/** Programs that the tests run are allowed, `touch` is denied, and of the rest nothing is known. */
export const POLICY = `
[permissions]
default_action = "ask"
${[
  "echo *",
  "printf *",
  "cat *",
  "true",
  "false",
  "exit *",
  "kill *",
  "sleep *",
  "trap *",
  "wait",
  "cd *",
  "export *",
  "test *",
]
  .map((pattern) => `[[permissions.rule]]\ntool = "bash"\npattern = "${pattern}"\naction = "allow"`)
  .join("\n")}
[[permissions.rule]]
tool = "bash"
pattern = "touch *"
action = "deny"
[[permissions.rule]]
tool = "file_write"
pattern = "**"
action = "allow"
[[permissions.rule]]
tool = "file_read"
pattern = "**"
action = "allow"
`;

export interface Called {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home with a policy, a project, and guarded-sh under the names of shells. */
export class ShellPlace {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "guarded-sh-shell-")));
  readonly home = join(this.root, "home");
  readonly project = join(this.root, "project");
  readonly shells = join(this.root, "shells");

  constructor(policy: string | undefined) {
    mkdirSync(join(this.project, ".git"), { recursive: true });
    mkdirSync(this.shells);
    for (const name of ["bash", "sh", "zsh", "guarded-sh"]) symlinkSync(PROGRAM, join(this.shells, name));
    if (policy !== undefined) this.write("home/.config/guarded-sh/policy.toml", policy);
  }

  write(name: string, text: string, mode = 0o644): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return path;
  }

  /** The absolute path of guarded-sh under a name. */
  shell(name = "bash"): string {
    return join(this.shells, name);
  }

  env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return { PATH, HOME: this.home, LANG: "C.UTF-8", GUARDED_SH_APPROVER: "none", ...more };
  }

  /** Calls guarded-sh, or any program, as a child of this process. */
  spawn(
    program: string,
    argv: readonly string[],
    more: { env?: NodeJS.ProcessEnv; input?: string | Buffer; cwd?: string } = {},
  ) {
    return spawnSync(program, argv, {
      cwd: more.cwd ?? this.project,
      env: this.env(more.env),
      input: more.input ?? "",
      timeout: 90_000,
    }) satisfies SpawnSyncReturns<Buffer>;
  }

  call(argv: readonly string[], more: Parameters<ShellPlace["spawn"]>[2] & { name?: string } = {}): Called {
    const { status, stdout, stderr } = this.spawn(this.shell(more.name), argv, more);
    return { status, stdout: stdout.toString(), stderr: stderr.toString() };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Whether a program is installed; tests that need it show as skipped without it. */
export function isInstalled(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}
