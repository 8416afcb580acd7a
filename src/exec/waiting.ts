import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import type { Census } from "./census.ts";
import { readLink, readText } from "./processes.ts";

/** System call numbers by processor: a plain read, and the calls that wait for any of several descriptors. */
const CALLS: ReadonlyMap<string, { readonly read: readonly number[]; readonly poll: readonly number[] }> = new Map([
  ["x64", { read: [0, 19], poll: [7, 23, 232, 270, 271, 281, 441] }],
  ["arm64", { read: [63, 65], poll: [22, 72, 73, 441] }],
]);

/**
 * Whether a process of the run waits for a key: it is blocked in a read of the terminal, or waits on a descriptor that
 * is the terminal after switching it to single keys (editors, pagers, menus). A server that merely has a terminal
 * does neither. Linux needs /proc; elsewhere `ps` names what a process sleeps on.
 */
export function waitsForInput(census: Census, terminal: string): boolean {
  const pids = census.look().map((row) => row.pid);
  if (process.platform !== "linux") return pids.some(sleepsOnTerminal);
  if (pids.some((pid) => readsTerminal(pid, terminal))) return true;
  return pids.some((pid) => pollsTerminal(pid, terminal)) && takesSingleKeys(terminal);
}

interface Call {
  readonly number: number;
  readonly descriptor: number;
}

function readsTerminal(pid: number, terminal: string): boolean {
  const reads = CALLS.get(process.arch)?.read ?? [];
  const calls = callsOf(pid);
  if (calls.length === 0) return readText(`/proc/${pid}/wchan`) === "wait_woken" && hasTerminal(pid, terminal, true);
  return calls.some(
    (call) => reads.includes(call.number) && isTerminal(readLink(`/proc/${pid}/fd/${call.descriptor}`), terminal),
  );
}

function pollsTerminal(pid: number, terminal: string): boolean {
  const polls = CALLS.get(process.arch)?.poll ?? [];
  return callsOf(pid).some((call) => polls.includes(call.number)) && hasTerminal(pid, terminal, false);
}

/** The system call each thread is in; none if the kernel does not tell. `running` is no call. */
function callsOf(pid: number): Call[] {
  return entriesOf(`/proc/${pid}/task`).flatMap((thread) => {
    const fields = readText(`/proc/${pid}/task/${thread}/syscall`)?.trim().split(" ") ?? [];
    const number = Number(fields[0]);
    return fields.length > 2 && Number.isInteger(number) ? { number, descriptor: Number(fields[1]) } : [];
  });
}

/** Whether a descriptor is the terminal. Our own for output are write-only; an editor polls even such a one for keys. */
function hasTerminal(pid: number, terminal: string, forReading: boolean): boolean {
  return entriesOf(`/proc/${pid}/fd`).some((descriptor) => {
    if (!isTerminal(readLink(`/proc/${pid}/fd/${descriptor}`), terminal)) return false;
    const flags = /^flags:\s*(\d+)/m.exec(readText(`/proc/${pid}/fdinfo/${descriptor}`) ?? "")?.[1] ?? "1";
    return !forReading || (Number.parseInt(flags, 8) & 3) !== 1;
  });
}

function isTerminal(link: string | undefined, terminal: string): boolean {
  return link === terminal || link === "/dev/tty";
}

function takesSingleKeys(terminal: string): boolean {
  const { stdout } = spawnSync("stty", ["-F", terminal, "-a"], { encoding: "utf8", timeout: 1_000 });
  return /(?:^|\s)-icanon\b/.test(stdout ?? "");
}

function sleepsOnTerminal(pid: number): boolean {
  const { stdout } = spawnSync("/bin/ps", ["-p", `${pid}`, "-o", "wchan="], { encoding: "utf8", timeout: 1_000 });
  return /^tty(?:in|read)/.test((stdout ?? "").trim());
}

function entriesOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
