import type { DefaultOperand } from "./read-operands.ts";
import type { FileUse, ReadOperand } from "./reading.ts";
import { valuesOf } from "./role-values.ts";
import type { Scan } from "./scan.ts";
import type { Role } from "./spec.ts";

/** What a role means for the file that the word names. What is run as code or obeyed as configuration is read first. */
const ACCESS: ReadonlyMap<Role, FileUse["access"]> = new Map<Role, FileUse["access"]>([
  ["read", "read"],
  ["code-file", "read"],
  ["script-file", "read"],
  ["config-file", "read"],
  ["write", "write"],
  ["edit", "edit"],
  ["list", "list"],
  ["search", "search"],
  ["extract", "extract"],
  ["destination", "destination"],
  ["onto", "onto"],
  ["into", "into"],
  ["net", "net"],
]);

/** The files that options and operands name, in the order of words, then those that the program uses when none is named. */
export function readFiles(
  scan: Scan,
  operands: readonly ReadOperand[],
  defaults: readonly DefaultOperand[],
): readonly FileUse[] {
  const files = valuesOf(scan, operands, (role) => ACCESS.has(role)).flatMap(({ role, value, index }): FileUse[] => {
    const access = ACCESS.get(role);
    return access === undefined ? [] : [{ access, path: value, index }];
  });
  for (const { role, path, orInput } of defaults) {
    const access = ACCESS.get(role);
    if (access !== undefined) files.push({ access, path, index: 0, ...(orInput && { orInput }) });
  }
  return files;
}
