import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SPOOL_AGE_MS } from "./launch.ts";

const BUFFER_BYTES = 65_536;
/** Only what we wrote is ever removed, whatever else lies in the directory. */
const OURS = /^guarded-sh-[0-9a-f-]{36}\.(?:output|prologue|directory|exports|stdin)$/;

/** The path of a file that belongs to one run; "" in no directory, where none can be made. */
export function spoolPath(
  directory: string,
  id: string,
  kind: "output" | "prologue" | "directory" | "exports" | "stdin",
) {
  // Without a directory there is no path: one in the own directory would be made where nobody expects it.
  return directory === "" ? "" : join(directory, `guarded-sh-${id}.${kind}`);
}

/** Creates a file of ours with mode 0600; an existing one, or a link in its place, is an error. */
export function createPrivateFile(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
}

/** Makes the directory with mode 0700 if it is missing. Throws what the system says. */
export function makeSpoolDirectory(directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  // Not with `recursive`: Node tries for ever where a folder is there and yet none can be made in it, as in /proc.
  if (!existsSync(parent)) makeSpoolDirectory(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another run has made it meanwhile.
    if (!existsSync(directory)) throw error;
  }
}

/** The first directory that files can be made in: the wanted one, else a new one for temporary files, else "". */
export function usableSpoolDirectory(wanted: string, temporary: string = tmpdir()): string {
  try {
    makeSpoolDirectory(wanted);
    accessSync(wanted, constants.W_OK | constants.X_OK);
    return wanted;
  } catch {
    try {
      // With a name that nobody can have taken before.
      return mkdtempSync(join(temporary, "guarded-sh-"));
    } catch {
      return "";
    }
  }
}

/** Takes a temporary directory away unless it holds an output. Never throws. */
export function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // An output that was cut lies in it.
  }
}

/** Removes files of ours that are older than seven days; returns their names. Never throws. */
export function cleanSpool(directory: string, olderThanMs: number = SPOOL_AGE_MS, now: number = Date.now()): string[] {
  return namesIn(directory)
    .filter((name) => OURS.test(name) && isOlder(join(directory, name), now - olderThanMs))
    .filter((name) => removeQuietly(join(directory, name)));
}

/** Removes a file; false if it cannot be. */
export function removeQuietly(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** The whole output of a run in a file. Writing is synchronous: the terminal waits for the disk, memory does not fill. */
export class Spool {
  readonly path: string;
  readonly #maxBytes: number;
  #descriptor: number | undefined;
  #buffer: Buffer[] = [];
  #buffered = 0;
  #bytes = 0;
  complete = true;

  constructor(path: string, maxBytes: number) {
    this.path = path;
    this.#maxBytes = maxBytes;
    this.#try(() => {
      this.#descriptor = createPrivateFile(path);
    });
  }

  /** True once the file exists. */
  get usable(): boolean {
    return this.#descriptor !== undefined;
  }

  write(chunk: Buffer): void {
    const room = this.#maxBytes - this.#bytes;
    if (!this.complete || chunk.length > room) this.complete = false;
    if (room <= 0 || this.#descriptor === undefined) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#bytes += kept.length;
    this.#buffered += kept.length;
    this.#buffer.push(kept);
    if (this.#buffered >= BUFFER_BYTES) this.#flush();
  }

  close(): void {
    this.#flush();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #flush(): void {
    if (this.#descriptor === undefined || this.#buffered === 0) return;
    const whole = Buffer.concat(this.#buffer);
    this.#buffer = [];
    this.#buffered = 0;
    this.#try(() => {
      for (let at = 0; at < whole.length && this.#descriptor !== undefined; ) {
        at += writeSync(this.#descriptor, whole, at);
      }
    });
  }

  /** A full disk ends the file, not the command. */
  #try(write: () => void): void {
    try {
      write();
    } catch {
      this.complete = false;
    }
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isOlder(path: string, before: number): boolean {
  try {
    return statSync(path).mtimeMs < before;
  } catch {
    return false;
  }
}
