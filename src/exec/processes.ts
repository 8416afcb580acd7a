import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** One row of the process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Distinguishes two processes that had the same pid, one after the other. */
  readonly started: string;
  /** Ended, but not yet collected by its parent. */
  readonly ended: boolean;
}

/** All processes but those that are skipped, as far as their rows can be read. Linux reads /proc, other systems ask `ps`. */
export function listProcesses(skip: (pid: number) => boolean = () => false): ProcessRow[] {
  if (process.platform !== "linux") return listWithPs();
  return pidsOf().flatMap((pid) => (skip(pid) ? [] : (readRow(pid) ?? [])));
}

/** The pid that was given out last; undefined where the system does not say. */
export function lastPid(): number | undefined {
  const last = readText("/proc/loadavg")?.trim().split(" ").at(-1);
  return last === undefined ? undefined : Number(last);
}

/** Whether a process was started with a variable whose value contains `text`. False if it may not be known. */
export function hasInEnvironment(pid: number, variable: string, text: string): boolean {
  const environment = readText(`/proc/${pid}/environ`) ?? "";
  const at = environment.startsWith(`${variable}=`) ? 0 : environment.indexOf(`\0${variable}=`);
  if (at < 0) return false;
  const end = environment.indexOf("\0", at + 1);
  return environment.slice(at, end < 0 ? undefined : end).includes(text);
}

/** The command line of a process, as shown to a person; at most 500 characters. */
export function commandOf(pid: number): string {
  const text = process.platform === "linux" ? readText(`/proc/${pid}/cmdline`) : ps(["-p", `${pid}`, "-o", "command="]);
  return (text ?? "").replaceAll("\0", " ").trim().slice(0, 500);
}

/** Reads a link of /proc; undefined if it is gone or not ours. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Reads a file of /proc; undefined if it is gone or not ours. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function pidsOf(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

/** The name in parentheses may hold anything, so the fields are counted from the last one. */
function readRow(pid: number): ProcessRow | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "X", parent, group, session] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: fields[19] ?? "",
    ended: "ZXx".includes(state),
  };
}

function listWithPs(): ProcessRow[] {
  const rows = ps(["-A", "-o", "pid=,ppid=,pgid=,sess=,stat=,lstart="]).split("\n");
  return rows.flatMap((row) => {
    const [pid, parent, group, session, state, ...started] = row.trim().split(/\s+/);
    if (pid === undefined || pid === "") return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // macOS prints an address here; it still tells sessions apart only by luck, so the group decides there
      session: Number(session),
      started: started.join(" "),
      ended: state?.startsWith("Z") ?? true,
    };
  });
}

function ps(argv: readonly string[]): string {
  return spawnSync("/bin/ps", argv, { encoding: "utf8", timeout: 2_000 }).stdout ?? "";
}
