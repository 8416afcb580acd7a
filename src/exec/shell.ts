import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** Where bash is looked for; never through PATH, in which `bash` may be guarded-sh itself. */
export const SHELLS: readonly string[] = [
  "/bin/bash",
  "/usr/bin/bash",
  "/usr/local/bin/bash",
  "/opt/homebrew/bin/bash",
];

/** The shell that was found, or one line on why there is none. */
export type FoundShell =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "missing"; readonly message: string; readonly help: string };

/** Finds bash by absolute path, skipping guarded-sh itself under that name. `candidates` replaces the fixed list. */
export function findShell(
  candidates: readonly string[] = SHELLS,
  self: string | undefined = process.argv[1],
): FoundShell {
  const path = candidates.find((candidate) => isExecutable(candidate) && !isSelf(candidate, self));
  if (path !== undefined) return { kind: "found", path };
  return {
    kind: "missing",
    message: `no bash at ${candidates.join(", ")}`,
    help: "install bash at one of these places",
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path.startsWith("/") && statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The same file as the running program, or a file of the same package: a symlink `bash` to `bin/guarded-sh.js`. */
function isSelf(path: string, self: string | undefined): boolean {
  const real = realpathSync(path);
  if (self === undefined) return false;
  try {
    const own = realpathSync(self);
    return real === own || real.startsWith(packageOf(own) + sep);
  } catch {
    return false;
  }
}

/** The folder of the package a program of ours lies in; a lone file is its own package. */
function packageOf(file: string): string {
  const folder = dirname(dirname(file));
  return existsSync(join(folder, "package.json")) ? folder : file;
}
