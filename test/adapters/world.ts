import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A project of its own with the policy of the recorded pairs, and a home without any. */
export interface World {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly policy: string;
  remove(): void;
}

export function makeWorld(): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "guarded-sh-hooks-")));
  const cwd = join(root, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(cwd, "src"));
  mkdirSync(join(root, "home"));
  const policy = join(root, "policy.toml");
  copyFileSync(join(import.meta.dirname, "hooks/policy.toml"), policy);
  writeFileSync(join(root, "bad.toml"), "[permissions]\n");
  return {
    cwd,
    env: { HOME: join(root, "home"), PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(root, "state") },
    policy,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
