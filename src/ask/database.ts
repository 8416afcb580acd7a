import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { migrate } from "./schema.ts";
import { StoreError, storeCorrupt, storeErrorFrom } from "./store-error.ts";

/** An open database of grants and requests. */
export interface Store {
  readonly file: string;
  readonly database: Libsql.Database;
}

/** ms that a statement waits for another process's transaction. */
const BUSY_MS = 3000;

/** The file of grants and pending requests in a state folder. */
export function databaseFile(stateFolder: string): string {
  return join(stateFolder, "guarded-sh.db");
}

/** Opens the database, made first when there is none. Throws a `StoreError`; a file that is not ours is never touched. */
export function openStore(stateFolder: string): Store {
  const file = databaseFile(stateFolder);
  return inOurWords(file, () => {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    // Made here and not by SQLite, so that it never exists with another mode.
    closeSync(openSync(file, "a", 0o600));
    refuseShared(file);
    refuseDamaged(file);
    return open(file);
  });
}

/** The same if there is one; undefined when nothing was ever stored. */
export function openExistingStore(stateFolder: string): Store | undefined {
  return existsSync(databaseFile(stateFolder)) ? openStore(stateFolder) : undefined;
}

function open(file: string): Store {
  const database = new Libsql(file, { timeout: BUSY_MS });
  try {
    useWal(database);
    // libsql leaves the name of a database empty.
    migrate(Object.assign(database, { name: file }));
    return { file, database };
  } catch (error) {
    database.close();
    throw error;
  }
}

const WAL_TRIES = 60;

/** The switch to WAL needs the file for itself and does not wait for others by itself, as other statements do. */
function useWal(database: Libsql.Database): void {
  for (let left = WAL_TRIES; ; left--) {
    try {
      database.prepare("PRAGMA journal_mode = WAL").get();
      return;
    } catch (error) {
      const busy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
      if (!busy || left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** Grants that others can write would let them decide what runs here. */
function refuseShared(file: string): void {
  if ((statSync(file).mode & 0o022) === 0) return;
  throw new StoreError("store-open", `${file} can be written by others`, `run: chmod 600 ${file}`);
}

const MAGIC = "SQLite format 3\0";

/** SQLite takes a file that is too short to be a database for an empty one, and would write over it. */
function refuseDamaged(file: string): void {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const header = Buffer.alloc(18);
    readSync(descriptor, header, 0, header.length, 0);
    const given = header.readUInt16BE(16);
    const pageBytes = given === 1 ? 65_536 : given;
    if (size === 0 || (header.toString("latin1", 0, 16) === MAGIC && size % pageBytes === 0)) return;
  } finally {
    closeSync(descriptor);
  }
  throw storeCorrupt(file);
}

/** Runs one transaction that holds the write lock from its start, so that what it reads is still so when it writes. */
export function transaction<T>({ file, database }: Store, work: () => T): T {
  return inOurWords(file, () => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const value = work();
      database.exec("COMMIT");
      return value;
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      throw error;
    }
  });
}

/** Rows of a query, each as it comes. */
export function rowsOf({ file, database }: Store, sql: string, ...values: readonly unknown[]): readonly unknown[] {
  return inOurWords(file, () => database.prepare(sql).all(...values));
}

/** Runs a statement and tells how many rows it changed. */
export function change({ file, database }: Store, sql: string, ...values: readonly unknown[]): number {
  return inOurWords(file, () => database.prepare(sql).run(...values).changes);
}

function inOurWords<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeErrorFrom(error, file);
  }
}

export function closeStore({ database }: Store): void {
  database.close();
}
