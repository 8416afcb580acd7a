import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "../text/index.ts";
import { isTable } from "./fields.ts";
import { randomName, sha256 } from "./hash.ts";
import { makeFolder } from "./make-folder.ts";
import { readRegularFile } from "./regular-file.ts";

/** A project file that a person has trusted as it was. */
export interface TrustEntry {
  readonly path: string;
  readonly sha256: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Where trust is recorded: `$XDG_STATE_HOME/guarded-sh/trust.json`. */
export function trustFile(env: ReadonlyMap<string, string>, home: string): string {
  const state = env.get("XDG_STATE_HOME");
  return join(state?.startsWith("/") ? state : join(home, ".local/state"), "guarded-sh", "trust.json");
}

/** The hash that a file is trusted by. */
export function contentHash(text: string): string {
  return sha256(text);
}

/** All that is trusted. A record that is missing or cannot be read trusts nothing. */
export function readTrust(file: string): TrustEntry[] {
  try {
    const read = readRegularFile(file, LIMITS.policyBytes);
    if (read.kind === "fault") return [];
    const record: unknown = JSON.parse(read.bytes.toString("utf8"));
    const entries = isTable(record) && Array.isArray(record.files) ? record.files : [];
    return entries.filter(isEntry);
  } catch {
    return [];
  }
}

/** Whether this very content of the file was trusted. */
export function isTrusted(entries: readonly TrustEntry[], path: string, text: string): boolean {
  return entries.some((entry) => entry.path === path && entry.sha256 === contentHash(text));
}

/** Records a file as it is now, in place of what was recorded for it. */
export function trust(file: string, path: string, text: string, now: Date): TrustEntry {
  const entry = { path, sha256: contentHash(text), at: now.toISOString() };
  writeTrust(file, [...readTrust(file).filter((known) => known.path !== path), entry]);
  return entry;
}

/** Forgets a file; false when it was not trusted. */
export function revokeTrust(file: string, path: string): boolean {
  const entries = readTrust(file);
  const left = entries.filter((known) => known.path !== path);
  if (left.length === entries.length) return false;
  writeTrust(file, left);
  return true;
}

function isEntry(value: unknown): value is TrustEntry {
  return isTable(value) && ["path", "sha256", "at"].every((key) => typeof value[key] === "string");
}

/** Written beside and renamed, so that a reader never sees half a record. */
function writeTrust(file: string, files: readonly TrustEntry[]): void {
  makeFolder(dirname(file), 0o700);
  const beside = `${file}.${randomName()}`;
  writeFileSync(beside, `${JSON.stringify({ version: 1, files }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(beside, 0o600);
  renameSync(beside, file);
}
