import type { Slot } from "./compile.ts";
import type { ReadOperand } from "./reading.ts";
import { isAssignment, isPresent, type Scan } from "./scan.ts";
import type { Role } from "./spec.ts";

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
      const { reads, commands, keyed } = slot.facts ?? {};
      const marks = reads && { marks: reads };
      operands.push({ ...cell, role, ...marks, ...(commands && { commands }), ...(keyed && { keyed }) });
      at++;
    }
    const path = at === from ? slot.facts?.default : undefined;
    if (path !== undefined) defaults.push({ role, path, orInput: slot.facts?.orInput === true });
  }
  for (const cell of cells.slice(at)) operands.push({ ...cell, role: "text" });
  return { operands, defaults };
}

function roleOf(slot: Slot, seen: ReadonlySet<string>): Role {
  for (const [name, role] of slot.as) if (seen.has(name)) return role;
  return slot.role;
}
