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
  readonly #members = new Map<number, string>();
  readonly #others = new Map<number, string>();

  constructor(id: string, root: number, leads: boolean) {
    this.#id = id;
    this.#root = root;
    this.#leads = leads;
  }

  /** The living members now, the root included. */
  look(): ProcessRow[] {
    const rows = listProcesses();
    // A child may stand before its parent in the table: look until nobody new is found.
    for (let found = -1; found !== this.#members.size; ) {
      found = this.#members.size;
      for (const row of rows) this.#classify(row);
    }
    const living = new Map(rows.map((row) => [row.pid, row.started]));
    for (const [pid, started] of this.#members) if (living.get(pid) !== started) this.#members.delete(pid);
    return rows.filter((row) => !row.ended && this.#members.get(row.pid) === row.started);
  }

  /** Living members without the root, with their command lines. */
  background(): { pid: number; command: string }[] {
    // Nothing was started after the root: there is nobody to look for. Saves the walk for the shortest commands.
    if (lastPid() === this.#root) return [];
    return this.look()
      .filter((row) => row.pid !== this.#root)
      .map((row) => ({ pid: row.pid, command: commandOf(row.pid) }));
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
    return hasInEnvironment(row.pid, RUN_VARIABLE, this.#id);
  }
}
