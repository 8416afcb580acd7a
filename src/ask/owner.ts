import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process that waits for an answer. Its number alone could be another process by now. */
export interface Owner {
  readonly pid: number;
  /** When it started, in the system's own count; empty where that cannot be read. */
  readonly started: string;
  /** The machine and its process numbers: those of a container mean nothing outside. */
  readonly host: string;
}

/** This process. */
export function thisProcess(): Owner {
  return { pid: process.pid, started: startOf(process.pid)?.started ?? "", host: hostOf() };
}

/** ms without a sign of life after which a process that cannot be looked up is given up. */
const SILENCE_MS = 30_000;

/** Whether the process still runs; `seenAt` (ms) decides for one of another machine or container. */
export function isAlive(owner: Owner, seenAt: number, now: number): boolean {
  if (owner.host !== hostOf()) return now - seenAt < SILENCE_MS;
  if (!exists(owner.pid)) return false;
  const found = startOf(owner.pid);
  if (found === undefined || owner.started === "") return true;
  return found.started === owner.started && !found.ended;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but not ours.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Start time and whether it is a zombie, from what Linux tells; undefined elsewhere. */
function startOf(pid: number): { readonly started: string; readonly ended: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold blanks and parentheses of its own.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { started: fields[19] ?? "", ended: fields[0] === "Z" || fields[0] === "X" };
  } catch {
    return undefined;
  }
}

function hostOf(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
