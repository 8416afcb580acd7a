import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package: the nearest one above this file that holds the program. */
export function packageFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    if (existsSync(join(at, "bin/guarded-sh.js"))) return at;
    if (dirname(at) === at) throw new Error("guarded-sh is not completely installed: `bin` is missing");
  }
}

/** The folder of the presets. */
export function packagePresets(): string {
  return join(packageFolder(), "presets");
}
