import { spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { ReadStream } from "node:tty";
import { CLOSE_DESCRIPTORS } from "./descriptors.ts";
import type { Size } from "./launch.ts";

/** What the kernel can still hold of what was written before a moment: past this, bytes are younger than it. */
const MAX_PENDING_BYTES = 262_144;

/** A pair of pseudo-terminal ends, of which the command gets descriptors of the far one. */
export interface Terminal {
  /** The path of the end that the command sees, such as `/dev/pts/3`. */
  readonly path: string;
  /** A descriptor of it for output. It cannot be read: a prompt on it fails instead of waiting. */
  openForOutput(): number;
  openForInput(): number;
  write(text: string): void;
  resize(size: Size): void;
  /** Reads what was written up to now. */
  drain(onData: (chunk: Buffer) => void): void;
  /** Leaves the near end to a process that reads it on, for background processes that still write. */
  handOver(shell: string): void;
  close(): void;
}

/** Opens a terminal and hands its bytes to `onData`. Loads the pty package. Throws what the system says. */
export async function openTerminal(size: Size, onData: (chunk: Buffer) => void): Promise<Terminal> {
  // The package's own `open` keeps a descriptor of the far end that nothing closes, and its `spawn` loses the last bytes
  // of a terminal that a background process holds; its compiled part has neither fault.
  const { requireBinary } = await import("@lydell/node-pty/requireBinary.js");
  const native = requireBinary("pty.node");
  const pair = native.open(size.columns, size.rows);
  const master = new ReadStream(pair.master);
  let closed = false;
  master.on("data", onData);
  master.on("error", () => {});
  // INVARIANT: our copy of the far end stays open until all is read. Once the last copy is closed, libuv takes the first
  // short read for the end and what lies behind it is lost: the tail of a fast program.
  const finish = () => {
    if (closed) return;
    closed = true;
    master.destroy();
    closeSync(pair.slave);
  };
  return {
    path: pair.pty,
    openForOutput: () => openSync(pair.pty, constants.O_WRONLY | constants.O_NOCTTY),
    openForInput: () => openSync(pair.pty, constants.O_RDONLY | constants.O_NOCTTY),
    write: (text) => {
      if (!closed) master.write(text);
    },
    resize: ({ columns, rows }) => {
      if (!closed) native.resize(pair.master, columns, rows);
    },
    drain: (receive) => {
      if (!closed) drain(pair.master, receive);
    },
    handOver: (shell) => {
      if (!closed) readOn(shell, pair.master);
      finish();
    },
    close: finish,
  };
}

/**
 * The exit of a process may be told before its last bytes. A read that finds nothing is the proof that none are left
 * (the kernel flushes its queues for it); a limit keeps a background process that never stops from being waited for.
 */
function drain(descriptor: number, onData: (chunk: Buffer) => void): void {
  for (let bytes = 0; bytes < MAX_PENDING_BYTES; ) {
    const chunk = readWaiting(descriptor);
    if (chunk === undefined) return;
    bytes += chunk.length;
    onData(chunk);
  }
}

/** What can be read without waiting; undefined if that is nothing (EAGAIN). */
function readWaiting(descriptor: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(4_096);
  try {
    const count = readSync(descriptor, buffer);
    return count === 0 ? undefined : buffer.subarray(0, count);
  } catch {
    return undefined;
  }
}

/** `cat` reads the terminal until the last writer is gone: with nobody reading, a server's log line would be an error. */
function readOn(shell: string, descriptor: number): void {
  const reader = spawn(shell, ["--noprofile", "--norc", "-c", `${CLOSE_DESCRIPTORS}exec cat`], {
    stdio: [descriptor, "ignore", "ignore"],
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
  });
  reader.on("error", () => {});
  reader.unref();
}
