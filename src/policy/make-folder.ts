import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder and those above it, with a mode. Throws what the system says. */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  // Not with `recursive`: Node tries for ever where a folder is there and yet none can be made in it, as in /proc.
  if (!existsSync(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process has made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}
