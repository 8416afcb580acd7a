import { commandOf, hasInEnvironment, lastPid, listProcesses, type ProcessRow } from "./processes.ts";

/** The variable by which processes of a run are known; its value lists the runs they are inside, outermost first. */
export const RUN_VARIABLE = "GUARDED_SH_RUN";

/**
 * Who belongs to a run: the direct child, what descends from it, shares its group or session, and what carries its id
 * in the environment (a double fork in a session of its own). Once a member, always a member.
 */
export class Census {
  readonly #id: string;
  readonly #root: number;
  /** Whether the root leads a group and session of its own. In pipe mode it shares ours, and they prove nothing. */
  readonly #leads: boolean;
  readonly #born = performance.now();
  #rootStarted: string | undefined;
  readonly #members = new Map<number, string>();
  readonly #others = new Map<number, string>();

  constructor(id: string, root: number, leads: boolean) {
    this.#id = id;
    this.#root = root;
    this.#leads = leads;
  }

  /** The living members now, the root included. */
  look(skip?: (pid: number) => boolean): ProcessRow[] {
    const rows = listProcesses(skip);
    this.#classifyAll(rows);
    const living = new Map(rows.map((row) => [row.pid, row.started]));
    for (const [pid, started] of this.#members) if (living.get(pid) !== started) this.#members.delete(pid);
    return rows.filter((row) => !row.ended && this.#members.get(row.pid) === row.started);
  }

  /** Takes note of who is new, so that the descent stays known of processes whose parents end. Cheap enough to repeat. */
  glance(): void {
    this.#classifyAll(listProcesses((pid) => this.#members.has(pid) || this.#others.has(pid)));
  }

  /** Living members without the root, with their command lines. */
  background(): { pid: number; command: string }[] {
    const last = lastPid();
    // Nothing was started after the root: there is nobody to look for. Saves the walk for the shortest commands.
    if (last === this.#root) return [];
    // Pids only grow until they wrap around, which takes longer than this: the rest of the table is older.
    const young = performance.now() - this.#born < 2_000 && last !== undefined && last > this.#root;
    return this.look(young ? (pid) => pid < this.#root : undefined)
      .filter((row) => row.pid !== this.#root)
      .map((row) => ({ pid: row.pid, command: commandOf(row.pid) }));
  }

  #classifyAll(rows: readonly ProcessRow[]): void {
    this.#rootStarted ??= rows.find((row) => row.pid === this.#root)?.started;
    // A child may stand before its parent in the table: look until nobody new is found.
    for (let found = -1; found !== this.#members.size; ) {
      found = this.#members.size;
      for (const row of rows) this.#classify(row);
    }
  }

  #classify(row: ProcessRow): void {
    if (this.#members.get(row.pid) === row.started) return;
    if (this.#belongs(row)) {
      this.#members.set(row.pid, row.started);
      this.#others.delete(row.pid);
    }
  }

  #belongs(row: ProcessRow): boolean {
    if (row.pid === this.#root || this.#members.has(row.parent)) return true;
    if (this.#leads && (row.group === this.#root || row.session === this.#root)) return true;
    if (this.#others.get(row.pid) === row.started) return false;
    this.#others.set(row.pid, row.started);
    if (this.#rootStarted !== undefined && isBefore(row.started, this.#rootStarted)) return false;
    return hasInEnvironment(row.pid, RUN_VARIABLE, this.#id);
  }
}

/** Linux counts clock ticks since the system started; the dates of `ps` are not compared. */
function isBefore(one: string, other: string): boolean {
  return Number(one) < Number(other);
}
