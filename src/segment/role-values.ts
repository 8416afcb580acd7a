import { spellingsOf } from "./facts.ts";
import type { ReadOperand } from "./reading.ts";
import type { Scan } from "./scan.ts";
import type { Role } from "./spec.ts";
import type { Value } from "./value.ts";

/** A word, or the value glued to one, and what it is for its program. */
export interface RoleValue {
  readonly role: Role;
  readonly value: Value;
  readonly index: number;
  /** Where in the text a file may be named. */
  readonly marks?: readonly string[] | undefined;
  /** What is made beside the file. */
  readonly makes?: ReadOperand["makes"];
}

/** Values of options and operands with such a role, in the order of words. */
export function valuesOf(
  scan: Scan,
  operands: readonly ReadOperand[],
  wanted: (role: Role, marks: readonly string[] | undefined) => boolean,
): readonly RoleValue[] {
  const found: RoleValue[] = [];
  for (const { known, values, valueIndices, index } of scan.options) {
    if (known === undefined || known.facts.until !== undefined) continue;
    for (const [position, value] of values.entries()) {
      const role = otherRole(known.facts.as, scan) ?? known.roles[position];
      const marks = known.facts.reads;
      if (role === undefined || !wanted(role, marks)) continue;
      found.push({ role, value, index: valueIndices.at(position - values.length) ?? index, marks });
    }
  }
  const ofOptions = found.length;
  for (const operand of operands) if (wanted(operand.role, operand.marks)) found.push(operand);
  return ofOptions === 0 ? found : found.sort((a, b) => a.index - b.index);
}

function otherRole(as: Readonly<Record<string, Role>> | undefined, scan: Scan): Role | undefined {
  const found = Object.entries(as ?? {}).find(([key]) => spellingsOf(key).some((name) => scan.seen.has(name)));
  return found?.[1];
}
