import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../policy/index.ts";
import { makeFolder } from "../policy/make-folder.ts";

/** Calls with the same arguments in a row after which it is asked whether to go on. */
export const DOOM_LOOP_CALLS = 3;

const KEPT_DAYS = 30;

/**
 * Notes a call of a session and tells how many in a row, this one included, had the very same arguments. A small file, not the
 * database: it is written for every call of a session. A record that cannot be kept counts one.
 */
export function countCall(stateFolder: string, session: string, tool: string, subject: string): number {
  const folder = join(stateFolder, "calls");
  const file = join(folder, hashOf(session));
  const call = hashOf(`${tool}\0${subject}`);
  try {
    const [last, count] = readRecord(file, folder);
    const now = last === call ? count + 1 : 1;
    writeFileSync(file, `${call} ${now}\n`, { mode: 0o600 });
    return now;
  } catch {
    return 1;
  }
}

function hashOf(text: string): string {
  return sha256(text);
}

function readRecord(file: string, folder: string): readonly [string, number] {
  try {
    const [last = "", count] = readFileSync(file, "utf8").trim().split(" ");
    return [last, Number(count) || 0];
  } catch {
    // The first call of a session: a good time to forget old ones.
    makeFolder(folder, 0o700);
    removeOld(folder);
    return ["", 0];
  }
}

function removeOld(folder: string): void {
  const oldest = Date.now() - KEPT_DAYS * 86_400_000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true });
  }
}
