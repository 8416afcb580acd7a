import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { makeFolder } from "../policy/make-folder.ts";
import { migrate } from "./schema.ts";
import { StoreError, storeCorrupt, storeErrorFrom } from "./store-error.ts";

/** An open database of grants and requests. */
export interface Store {
  readonly file: string;
  readonly database: Libsql.Database;
}

/**
 * The connections of this process, one a file: libsql gives the descriptors of a closed connection back only when its
 * statements are collected, so a server that opened one for each question would run out of them.
 */
const CONNECTIONS = new Map<string, Store & { readonly inode: number }>();

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
    makeFolder(stateFolder, 0o700);
    makeFile(file);
    refuse(file);
    const { ino } = statSync(file);
    const known = CONNECTIONS.get(file);
    // Another file lies there now: it was moved away, as a damaged one should be.
    if (known !== undefined && known.inode === ino) return known;
    const store = { ...open(file), inode: ino };
    CONNECTIONS.set(file, store);
    return store;
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
      database.prepare("PRAGMA journal_mode = WAL").all();
      return;
    } catch (error) {
      const busy = error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
      if (!busy || left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** Made here and not by SQLite, so that it never exists with another mode. */
function makeFile(file: string): void {
  // INVARIANT: a file that is there is never opened but by SQLite: when any descriptor of it is closed, the system drops
  // the locks of every connection of this process.
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

const PAGE_BYTES = 4096;

/** Refuses what the size and mode of the file tell already. */
function refuse(file: string): void {
  const { mode, size } = statSync(file);
  // Grants that others can write would let them decide what runs here.
  if ((mode & 0o022) !== 0)
    throw new StoreError("store-open", `${file} can be written by others`, `run: chmod 600 ${file}`);
  // SQLite takes a file that is shorter than a page for an empty database, and would write over it.
  if (size % PAGE_BYTES !== 0) throw storeCorrupt(file);
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
