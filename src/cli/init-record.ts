import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../policy/make-folder.ts";

/** What a file was before and is now. */
export interface FileChange {
  readonly path: string;
  /** Undefined: there was none. */
  readonly before: string | undefined;
  readonly after: string;
  readonly executable: boolean;
  /** Folders that were made for it, the outermost first. */
  readonly madeFolders: readonly string[];
}

/** Where the record of one agent's configuration in one place lies. */
export function recordFile(stateFolder: string, agent: string, place: string): string {
  return join(
    stateFolder,
    "guarded-sh",
    "init",
    `${agent}-${createHash("sha256").update(place).digest("hex").slice(0, 16)}.json`,
  );
}

/** The text of a file; undefined when there is none. */
export function textOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isFile()) throw new Error(`${path} is not a regular file: it was left as it is`);
  return readFileSync(path, "utf8");
}

/** The folders above a path that are not there yet, the outermost first. */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let at = dirname(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  return missing;
}

/** Writes the files and records how to undo it. What an earlier record says was before stays. */
export function writeChanges(record: string, changes: readonly FileChange[]): void {
  const known = readRecord(record);
  const earlier = new Map(known.map((change) => [change.path, change]));
  const merged = changes.map((change) => {
    const first = earlier.get(change.path);
    return first === undefined ? change : { ...change, before: first.before, madeFolders: first.madeFolders };
  });
  const kept = known.filter(({ path }) => !changes.some((change) => change.path === path));
  makeFolder(dirname(record), 0o700);
  writeFileSync(record, `${JSON.stringify({ version: 1, files: [...kept, ...merged] }, null, 2)}\n`, { mode: 0o600 });
  for (const { path, after, executable } of changes) {
    makeFolder(dirname(path));
    writeFileSync(path, after);
    if (executable) chmodSync(path, 0o755);
  }
}

/** The changes on record; none when there is no record. Throws for one that cannot be read. */
export function readRecord(record: string): readonly FileChange[] {
  const text = textOf(record);
  if (text === undefined) return [];
  const { files } = JSON.parse(text) as { readonly files: readonly FileChange[] };
  return files;
}

/** Writes a file as it was, or takes it away with the folders that were made for it and are empty. */
export function restore({ path, before, madeFolders }: Pick<FileChange, "path" | "before" | "madeFolders">): void {
  if (before !== undefined) {
    writeFileSync(path, before);
    return;
  }
  rmSync(path, { force: true });
  for (const folder of madeFolders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return; // something else is in it by now
    }
  }
}

/** Forgets a record. */
export function dropRecord(record: string): void {
  rmSync(record, { force: true });
}
