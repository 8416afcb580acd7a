import type { Slot } from "./compile.ts";
import type { ReadOperand } from "./reading.ts";
import { isAssignment, isPresent, type Scan } from "./scan.ts";
import type { Role } from "./spec.ts";

/** The operands with their roles: in order, what follows one that takes any number takes the last words. */
export function readOperands(scan: Scan): readonly ReadOperand[] {
  const slots = scan.compiled.slots.filter((slot) => isPresent(slot, scan.seen) && slot !== scan.rest?.slot);
  if (slots.length === 0) return scan.operands.map((cell) => ({ ...cell, role: "text" }));
  const operands: ReadOperand[] = [];
  const cells = scan.operands;
  let at = 0;
  for (const [position, slot] of slots.entries()) {
    const role = roleOf(slot, scan.seen);
    const trailing = slots.length - position - 1;
    let free = slot.many ? cells.length - at - trailing : 1;
    if (slot.role === "assignment") free = slot.many ? cells.length - at : 1;
    for (let cell = cells[at]; cell !== undefined && free > 0; cell = cells[at], free--) {
      if (slot.role === "assignment" && !isAssignment(cell.value)) break;
      operands.push({ ...cell, role });
      at++;
    }
  }
  for (const cell of cells.slice(at)) operands.push({ ...cell, role: "text" });
  return operands;
}

function roleOf(slot: Slot, seen: ReadonlySet<string>): Role {
  for (const [name, role] of slot.as) if (seen.has(name)) return role;
  return slot.role;
}
