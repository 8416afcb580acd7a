/** Why the database of grants and requests cannot be used. */
export type StoreErrorCode =
  | "store-locked"
  | "store-corrupt"
  | "store-newer"
  | "store-foreign"
  | "store-open"
  | "store-full"
  | "store-unreadable";

/** The database cannot be used, so nothing that has to be asked may run. `help` says how to mend it. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly help: string;

  constructor(code: StoreErrorCode, message: string, help: string, cause?: unknown) {
    super(`${code}: ${message}`, { cause });
    this.name = "StoreError";
    this.code = code;
    this.help = help;
  }
}

/** A database's or file system's error in our words; anything else is given back as it is. */
export function storeErrorFrom(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const code = "code" in error ? String(error.code) : "";
  const found = KINDS.find(({ codes }) => codes.some((start) => code.startsWith(start)));
  if (found !== undefined) return found.make(file, error);
  if (code.startsWith("SQLITE") || error.message.includes("ConnectionFailed")) return unreadable(file, error);
  return /^E[A-Z]+$/.test(code) ? unreadable(file, error) : error;
}

const KINDS: readonly {
  readonly codes: readonly string[];
  readonly make: (file: string, error: Error) => StoreError;
}[] = [
  { codes: ["SQLITE_BUSY", "SQLITE_LOCKED"], make: locked },
  { codes: ["SQLITE_NOTADB", "SQLITE_CORRUPT"], make: storeCorrupt },
  { codes: ["SQLITE_FULL", "ENOSPC"], make: full },
];

function locked(file: string, cause: Error): StoreError {
  const help = `end the process that holds it (\`fuser ${file}\` names it), then try again`;
  return new StoreError("store-locked", `${file} is locked by another process`, help, cause);
}

/** The file is no database, or one that was cut off. */
export function storeCorrupt(file: string, cause?: Error): StoreError {
  const help = `move it away (\`mv ${file} ${file}.broken\`): a new one is made, the grants in it have to be given again`;
  return new StoreError("store-corrupt", `${file} is damaged or no database`, help, cause);
}

function full(file: string, cause: Error): StoreError {
  return new StoreError(
    "store-full",
    `${file} cannot be written: the disk is full`,
    "make room, then try again",
    cause,
  );
}

function unreadable(file: string, cause: Error): StoreError {
  const help = `make ${file} and its folder readable and writable for you, or set XDG_STATE_HOME to a folder that is`;
  return new StoreError("store-unreadable", `${file} cannot be used: ${wordsOf(cause)}`, help, cause);
}

/** The words of the library name its own parts, not what is wrong. */
function wordsOf(cause: Error): string {
  const code = "code" in cause ? String(cause.code) : "";
  return WORDS.find(([start]) => code.startsWith(start))?.[1] ?? "it cannot be opened";
}

const WORDS: readonly (readonly [code: string, words: string])[] = [
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["SQLITE_PERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["SQLITE_READONLY", "it is read-only"],
  ["ENOTDIR", "its folder is a file"],
  ["EEXIST", "its folder is a file"],
  ["EISDIR", "a folder lies in its place"],
  ["ELOOP", "its path is a loop of links"],
  ["EMFILE", "too many files are open"],
  ["EIO", "the disk failed"],
  ["SQLITE_IOERR", "it could not be read or written"],
];
