import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of presets beside the folder that this file was built into. */
export function packagePresets(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const folder = join(at, "presets");
    if (existsSync(join(folder, "developer.toml"))) return folder;
    if (dirname(at) === at) return folder;
  }
}
