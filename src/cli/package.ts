import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the installed package: the nearest one above this file that has a package.json and the dictionary. */
export function packageFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    if (existsSync(join(at, "arity", "index.txt"))) return at;
    if (dirname(at) === at) throw new Error("guarded-sh is not completely installed: the folder `arity` is missing");
  }
}

export function presetsFolder(): string {
  return join(packageFolder(), "presets");
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as { version: string };
  return version;
}
