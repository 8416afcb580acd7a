import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const BUILT = join(root, "dist/cli.cjs");

/** Tests that start the program start what was built: built again when a source is newer. */
export default function setup(): void {
  if (!existsSync(BUILT) || newest(["src", "bin", "scripts/build.mjs", "package.json"]) > statSync(BUILT).mtimeMs) {
    execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
  }
}

function newest(paths: readonly string[]): number {
  return Math.max(...paths.map((path) => newestIn(join(root, path))));
}

/** Time of the last change below a path, in ms. */
function newestIn(path: string): number {
  const stat = statSync(path);
  return stat.isDirectory()
    ? Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))))
    : stat.mtimeMs;
}
