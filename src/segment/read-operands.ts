import type { Slot } from "./compile.ts";
import type { ReadOperand } from "./reading.ts";
import { isAssignment, isPresent, type Scan } from "./scan.ts";
import type { Role, UsedFile } from "./spec.ts";
import { literalStart, type Value } from "./value.ts";

/** A path that the program uses because no word is given for it. */
export interface DefaultOperand {
  readonly role: Role;
  readonly path: string;
  /** Standard input is used instead when there is one. */
  readonly orInput: boolean;
}

export interface ReadOperands {
  readonly operands: readonly ReadOperand[];
  readonly defaults: readonly DefaultOperand[];
}

/** The operands with their roles: in order, what follows one that takes any number takes the last words. */
export function readOperands(scan: Scan): ReadOperands {
  const slots = scan.compiled.slots.filter((slot) => isPresent(slot, scan.seen) && slot !== scan.rest?.slot);
  const operands: ReadOperand[] = [];
  const defaults: DefaultOperand[] = [];
  const cells = scan.operands;
  let at = 0;
  for (const [position, slot] of slots.entries()) {
    const role = roleOf(slot, scan.seen);
    const from = at;
    const trailing = slots.length - position - 1;
    let free = slot.many ? cells.length - at - trailing : 1;
    if (slot.role === "assignment") free = slot.many ? cells.length - at : 1;
    for (let cell = cells[at]; cell !== undefined && free > 0; cell = cells[at], free--) {
      if (slot.role === "assignment" && !isAssignment(cell.value)) break;
      operands.push({ ...cell, role: placeOf(cell.value, role, slot.facts?.remote), ...factsOf(slot) });
      at++;
    }
    const path = at === from ? slot.facts?.default : undefined;
    if (path !== undefined) defaults.push({ role, path, orInput: slot.facts?.orInput === true });
  }
  for (const cell of cells.slice(at)) operands.push({ ...cell, role: "text" });
  for (const [path, used] of Object.entries(scan.compiled.spec.uses ?? {})) {
    const { role, when, unless }: UsedFile = typeof used === "string" ? { role: used } : used;
    if (isPresent({ when, unless }, scan.seen)) defaults.push({ role, path, orInput: false });
  }
  return { operands, defaults };
}

/** What else the slot says of its words. */
function factsOf({ facts }: Slot): Partial<ReadOperand> {
  const { reads, commands, keyed, makes } = facts ?? {};
  return {
    ...(reads && { marks: reads }),
    ...(commands && { commands }),
    ...(keyed && { keyed }),
    ...(makes && { makes }),
  };
}

const WRITTEN: ReadonlySet<Role> = new Set<Role>(["destination", "onto", "into", "extract", "write"]);

/** What is written on another machine (`scp a host:`) is no file here: that machine is contacted. */
function placeOf(value: Value, role: Role, remote: readonly string[] | undefined): Role {
  if (remote === undefined || !WRITTEN.has(role)) return role;
  const start = literalStart(value);
  const isRemote = remote.some((pattern) => {
    const [before = "", ...others] = pattern.split("*");
    // `./a:b` and `dir/a:b` lie here.
    const end = before === "" ? start.search(/[/:]/) : before.length;
    const marks = others.join("*").replace(/\*+$/, "");
    return end >= 0 && start.startsWith(before) && start.startsWith(marks, end);
  });
  return isRemote ? "net" : role;
}

function roleOf(slot: Slot, seen: ReadonlySet<string>): Role {
  for (const [name, role] of slot.as) if (seen.has(name)) return role;
  return slot.role;
}
