import type Libsql from "libsql";
import { StoreError } from "./store-error.ts";

/** `gsh1`: marks the file as ours. */
const APPLICATION_ID = 0x67736831;

/** One list of statements for each version of the schema; `user_version` says how many of them a file has seen. */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE "grant" (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project TEXT NOT NULL,
      tool TEXT NOT NULL,
      pattern TEXT NOT NULL,
      exact INTEGER NOT NULL,
      decision TEXT NOT NULL CHECK (decision = 'allow'),
      scope TEXT NOT NULL CHECK (scope IN ('session', 'project')),
      session TEXT NOT NULL,
      request TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT
    ) STRICT`,
    `CREATE UNIQUE INDEX grant_once ON "grant" (project, tool, pattern, exact, scope, CASE scope WHEN 'session' THEN session ELSE '' END)`,
    `CREATE TABLE request (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      session TEXT NOT NULL,
      project TEXT NOT NULL,
      question TEXT NOT NULL,
      pid INTEGER NOT NULL,
      started TEXT NOT NULL,
      host TEXT NOT NULL,
      screen TEXT,
      reply TEXT,
      recheck INTEGER NOT NULL DEFAULT 0,
      created_at TEXT NOT NULL,
      seen_at INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX request_session ON request (session)",
  ],
];

/** Brings a database to the newest schema. Throws a `StoreError` for a file that is not ours or is from a newer version. */
export function migrate(database: Libsql.Database): void {
  const version = knownVersion(database);
  if (version > MIGRATIONS.length) {
    const message = `${database.name} was written by a newer guarded-sh`;
    throw new StoreError(
      "store-newer",
      message,
      `use that version, or move it away (\`mv ${database.name} ${database.name}.newer\`)`,
    );
  }
  if (version < MIGRATIONS.length) upgrade(database);
  database.exec("PRAGMA synchronous = FULL");
}

/** The version of a file that is ours or still empty; what holds tables and was not made by us would be somebody's data. */
function knownVersion(database: Libsql.Database): number {
  // One transaction, or another process could make the tables between two looks.
  database.exec("BEGIN");
  const version = numberOf(database, "user_version");
  const ours = numberOf(database, "application_id") === APPLICATION_ID;
  const tables = database.prepare("SELECT name FROM sqlite_master").all();
  database.exec("COMMIT");
  if (ours || (tables.length === 0 && version === 0) || version > MIGRATIONS.length) return version;
  const message = `${database.name} is a database of another program`;
  throw new StoreError("store-foreign", message, `move it away (\`mv ${database.name} ${database.name}.other\`)`);
}

function upgrade(database: Libsql.Database): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have done it while this one waited for the lock.
    for (const statements of MIGRATIONS.slice(numberOf(database, "user_version")))
      for (const statement of statements) database.exec(statement);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function numberOf(database: Libsql.Database, pragma: "user_version" | "application_id"): number {
  // Read to its end: a statement that stops half-way would hold on to what it read.
  const [row] = database.prepare(`PRAGMA ${pragma}`).all() as readonly Readonly<Record<string, unknown>>[];
  return Number(row?.[pragma]);
}
