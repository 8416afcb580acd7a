import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** The bytes of a file, or one line on why there are none. */
export type FileRead =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "fault"; readonly message: string; readonly help?: string };

/** Reads a regular file of at most `limit` bytes. A pipe, a device or a socket is a fault: it could keep the reader for ever. */
export function readRegularFile(path: string, limit: number): FileRead {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK opening a FIFO waits for somebody who writes to it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return { kind: "fault", message: "this is a directory, not a file" };
    if (!stat.isFile()) return special();
    const bytes = stat.size > limit ? undefined : readAll(descriptor, limit);
    return bytes === undefined
      ? { kind: "fault", message: `the file is larger than ${limit} bytes` }
      : { kind: "read", bytes };
  } catch (error) {
    const code = codeOf(error);
    // A socket cannot be opened at all.
    return code === "ENXIO" ? special() : { kind: "fault", message: `the file cannot be read: ${wordsOf(code)}` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function special(): FileRead {
  return { kind: "fault", message: "this is not a regular file", help: "write the text to a file and name that" };
}

/** Up to the limit, whatever the size says: the file may grow, and those of /proc have none. */
function readAll(descriptor: number, limit: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.alloc(64 * 1024);
    const read = readSync(descriptor, chunk);
    if (read === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    length += read;
    if (length > limit) return undefined;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

function wordsOf(code: string): string {
  const known = new Map([
    ["ENOENT", "there is no such file"],
    ["EACCES", "permission denied"],
  ]);
  return known.get(code) ?? code;
}
