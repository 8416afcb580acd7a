import { spawn } from "node:child_process";
import { constants, openSync, readSync } from "node:fs";
import type { ReadStream } from "node:tty";
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
  /** True once every process has closed the far end. */
  isClosed(): boolean;
  /** Leaves the near end to a process that reads it on, for background processes that still write. */
  handOver(shell: string): void;
  close(): void;
}

/** What the pty package gives; its own typings leave `open` out. */
interface Pair {
  readonly master: ReadStream;
  readonly slave: ReadStream;
  readonly fd: number;
  readonly ptsName: string;
  resize(columns: number, rows: number): void;
}

/** Opens a terminal and hands its bytes to `onData`. Loads the pty package. Throws what the system says. */
export async function openTerminal(size: Size, onData: (chunk: Buffer) => void): Promise<Terminal> {
  const { open } = (await import("@lydell/node-pty")) as unknown as { open(options: object): Pair };
  const pair = open({ cols: size.columns, rows: size.rows, encoding: null });
  // We never read as the command does; and only with our copy gone can the near end tell that all others are closed.
  pair.slave.destroy();
  let closed = false;
  pair.master.on("data", onData);
  // EIO is how Linux says that the far end is closed.
  pair.master.on("error", () => {
    closed = true;
  });
  pair.master.on("close", () => {
    closed = true;
  });
  const finish = () => {
    closed = true;
    pair.master.destroy();
  };
  return {
    path: pair.ptsName,
    openForOutput: () => openSync(pair.ptsName, constants.O_WRONLY | constants.O_NOCTTY),
    openForInput: () => openSync(pair.ptsName, constants.O_RDONLY | constants.O_NOCTTY),
    write: (text) => {
      if (!closed) pair.master.write(text);
    },
    resize: ({ columns, rows }) => {
      if (!closed) pair.resize(columns, rows);
    },
    drain: (receive) => {
      if (!closed) closed = drain(pair.fd, receive);
    },
    isClosed: () => closed,
    handOver: (shell) => {
      if (!closed) readOn(shell, pair.fd);
      finish();
    },
    close: finish,
  };
}

/**
 * The exit of a process may be told before its last bytes. A read that finds nothing is the proof that none are left
 * (the kernel flushes its queues for it); a limit keeps a background process that never stops from being waited for.
 */
function drain(descriptor: number, onData: (chunk: Buffer) => void): boolean {
  for (let bytes = 0; bytes < MAX_PENDING_BYTES; ) {
    const chunk = Buffer.allocUnsafe(65_536);
    try {
      const count = readSync(descriptor, chunk);
      if (count === 0) return true;
      bytes += count;
      onData(chunk.subarray(0, count));
    } catch (error) {
      return !(error instanceof Error && "code" in error && error.code === "EAGAIN");
    }
  }
  return false;
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
