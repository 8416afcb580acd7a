import { spawnSync } from "node:child_process";
import { existsSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** What a run may touch, by absolute paths. */
export interface Scope {
  /** Everything else is read-only; without it nothing is. */
  readonly write?: readonly string[];
  readonly readDeny: readonly string[];
  readonly network: boolean;
}

export interface BoundarySetting {
  readonly cwd: string;
  readonly shell: string;
  /** Where our own files of a run are written. */
  readonly spoolDirectory?: string;
  readonly platform?: NodeJS.Platform;
  /** Where bubblewrap is looked for; never through PATH, which a text may change. */
  readonly programs?: readonly string[];
}

/** What is put in front of the shell, or why there is no boundary. */
export type Boundary =
  | { readonly kind: "ready"; readonly prefix: readonly string[] }
  | { readonly kind: "unavailable"; readonly message: string; readonly help: string };

const BUBBLEWRAP = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
const SEATBELT = ["/usr/bin/sandbox-exec"];
/** What root keeps: enough to build and install, nothing that changes mounts, devices or other processes. */
const KEPT_CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID", "KILL", "NET_BIND_SERVICE"];

/** Prepares the boundary of a run and tries it with a shell that does nothing. Never throws. */
export function boundaryFor(scope: Scope, setting: BoundarySetting): Boundary {
  const platform = setting.platform ?? process.platform;
  if (platform !== "linux" && platform !== "darwin")
    return { kind: "unavailable", message: `[scope] cannot be enforced on ${platform}`, help: "remove [scope]" };
  const candidates = setting.programs ?? (platform === "linux" ? BUBBLEWRAP : SEATBELT);
  const program = candidates.find((path) => existsSync(path));
  if (program === undefined) {
    const help = platform === "linux" ? "install bubblewrap, or remove [scope]" : "remove [scope]";
    return { kind: "unavailable", message: `[scope] needs ${candidates[0]}, which is not there`, help };
  }
  const prefix =
    platform === "linux"
      ? [program, ...bubblewrapArguments(scope, setting)]
      : [program, "-p", seatbeltProfile(scope, setting.spoolDirectory)];
  return tried(prefix, setting);
}

/** A boundary that cannot be set up would look like a command that failed. */
function tried(prefix: readonly string[], { cwd, shell }: BoundarySetting): Boundary {
  const [program = "", ...argv] = prefix;
  const { status, stderr, error } = spawnSync(program, [...argv, shell, "--noprofile", "--norc", "-c", ":"], {
    cwd,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    encoding: "utf8",
    timeout: 10_000,
  });
  if (status === 0) return { kind: "ready", prefix };
  const cause = error?.message ?? stderr.trim().split("\n")[0] ?? "";
  const help = "let this user make namespaces (kernel.unprivileged_userns_clone, AppArmor), or remove [scope]";
  return { kind: "unavailable", message: `[scope] cannot be enforced: ${cause || `status ${status}`}`, help };
}

/** Later mounts lie over earlier ones: what is hidden wins over what may be written, our own files over both. */
function bubblewrapArguments({ write, readDeny, network }: Scope, { cwd, spoolDirectory }: BoundarySetting): string[] {
  const writable = existing(write ?? []);
  const free = write === undefined || writable.includes("/");
  return [
    "--die-with-parent",
    ...(free ? ["--dev-bind", "/", "/"] : ["--ro-bind", "/", "/", ...DEVICES]),
    ...(free ? [] : writable.flatMap((path) => ["--bind", path, path])),
    ...existing(readDeny).flatMap(hide),
    ...existing(spoolDirectory === undefined || free ? [] : [spoolDirectory]).flatMap((path) => ["--bind", path, path]),
    ...(network ? [] : ["--unshare-net"]),
    // Root could mount everything anew.
    ...(process.getuid?.() === 0
      ? ["--cap-drop", "ALL", ...KEPT_CAPABILITIES.flatMap((name) => ["--cap-add", `CAP_${name}`])]
      : []),
    "--chdir",
    cwd,
    "--",
  ];
}

/** No disks; the terminals are the ones outside, because the run's own is one of them. */
const DEVICES = ["--dev", "/dev", "--dev-bind", "/dev/pts", "/dev/pts"];

/** A file under a device that may not be opened there, a folder under an empty one: the first fails, the second finds nothing. */
function hide(path: string): string[] {
  return isFolder(path) ? ["--perms", "0000", "--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
}

/** Only what is there can be a mount; with its links resolved, because a mount lies on the real path. */
function existing(paths: readonly string[]): string[] {
  const real = paths.flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return [];
    }
  });
  return [...new Set(real)].sort((a, b) => a.length - b.length);
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

/** The profile for macOS. Of two rules that match the later one decides. */
export function seatbeltProfile({ write, readDeny, network }: Scope, spoolDirectory?: string): string {
  const rules = ["(version 1)", "(allow default)"];
  if (write !== undefined) {
    const ours = spoolDirectory === undefined ? [] : [spoolDirectory];
    rules.push("(deny file-write*)");
    rules.push(`(allow file-write* (subpath "/dev") ${[...write, ...ours].flatMap(spellings).map(subpath).join(" ")})`);
  }
  if (readDeny.length > 0) {
    const hidden = readDeny.flatMap(spellings).map(subpath).join(" ");
    rules.push(`(deny file-read* ${hidden})`, `(deny file-write* ${hidden})`);
  }
  if (!network) rules.push("(deny network*)");
  return rules.join("\n");
}

/** As written and with links resolved: `/tmp` is a link there. */
function spellings(path: string): string[] {
  return [...new Set([resolve(path), ...existing([path])])];
}

function subpath(path: string): string {
  return `(subpath "${path.replace(/["\\]/g, "\\$&")}")`;
}
