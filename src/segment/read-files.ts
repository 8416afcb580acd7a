import { foundNames } from "./found-names.ts";
import { madeFiles } from "./made-files.ts";
import { archived, contacted, downloaded, markedFiles, trackedFiles } from "./named-files.ts";
import type { DefaultOperand } from "./read-operands.ts";
import type { FileUse, ReadOperand } from "./reading.ts";
import { type RoleValue, valuesOf } from "./role-values.ts";
import type { Scan } from "./scan.ts";
import type { Role } from "./spec.ts";
import { type Value, valueFrom } from "./value.ts";

/** What a role means for the file that the word names. What is run as code or obeyed as configuration is read first. */
const ACCESS: ReadonlyMap<Role, FileUse["access"]> = new Map<Role, FileUse["access"]>([
  ["read", "read"],
  ["code-file", "read"],
  ["awk-file", "read"],
  ["sed-file", "read"],
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
]);

/** Roles whose word is not simply a path. */
const SPELLED: ReadonlySet<Role> = new Set<Role>(["net", "download", "member", "tracked", "restored", "open"]);

/** The files that options and operands name, in the order of words, then those that the program uses when none is named. */
export function readFiles(
  scan: Scan,
  operands: readonly ReadOperand[],
  defaults: readonly DefaultOperand[],
): readonly FileUse[] {
  const wanted = (role: Role, marks: RoleValue["marks"]) =>
    ACCESS.has(role) || SPELLED.has(role) || marks !== undefined;
  const files = valuesOf(scan, operands, wanted).flatMap((found) => filesOf(found, scan));
  for (const { role, path, orInput } of defaults) {
    // Without a directory for it, and without names, all that an archive holds is taken out here.
    const unnamed = role === "member" && !files.some(({ access }) => access === "extract");
    if (unnamed) files.push(...archived(path).map((file) => ({ ...file, index: 0 })));
    const access = ACCESS.get(role);
    if (access !== undefined) files.push({ access, path, index: 0, ...(orInput && { orInput }) });
  }
  // `find d -name x -delete` deletes every `x` below `d`.
  const named = files.some(({ access }) => access === "edit") ? foundNames(scan, operands) : [];
  if (named.length === 0) return files;
  const others = named.map((pieces) => valueFrom(pieces, false));
  return files.map((file) => (file.access === "edit" ? { ...file, others } : file));
}

function filesOf(found: RoleValue, scan: Scan): FileUse[] {
  const made = madeFiles(found.value, found.makes ?? {});
  return [...namedBy(found, scan), ...made].map((file) => ({ ...file, index: found.index }));
}

function namedBy({ role, value, marks, index }: RoleValue, { terminator }: Scan): readonly Omit<FileUse, "index">[] {
  const access = ACCESS.get(role);
  if (access !== undefined) return [{ access, path: value }, ...(marks === undefined ? [] : markedFiles(value, marks))];
  const certain = terminator !== undefined && index > terminator;
  switch (role) {
    case "open":
      return [
        { access: "read", path: value },
        { access: "edit", path: value },
      ];
    case "net":
      return contacted(value);
    case "download":
      return downloaded(value);
    case "member":
      return archived(value);
    case "tracked":
      return trackedFiles(value, "read", certain);
    case "restored":
      return [...trackedFiles(value, "edit", certain), ...restoredBelow(value)];
    default:
      return marks === undefined ? [] : markedFiles(value, marks);
  }
}

/** `git restore .`: any file below it may be the one. */
function restoredBelow(value: Value): readonly Omit<FileUse, "index">[] {
  return typeof value === "string" && /^\.{1,2}$|\/$/.test(value)
    ? [{ access: "extract", path: value.replace(/^:\/$/, ".") }]
    : [];
}
