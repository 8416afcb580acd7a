import { type CompiledSpec, type KnownOption, optionsStartingWith } from "./compile.ts";
import type { HiddenOption } from "./reading.ts";
import type { Cell, Scan } from "./scan.ts";
import { shownValue, type Value } from "./value.ts";
import { matchesWildcard } from "./wildcard.ts";

// What an option runs, loads or reads beside its value.
const INNER = new Set([
  "command",
  "program",
  "script",
  "script-file",
  "split-words",
  "code",
  "awk-program",
  "sed-script",
]);
const SHORTEST = 3;

/**
 * Words with a hole that are no known option as they stand, and one that runs or writes something as soon as the hole is filled, or
 * empty: `find . -ex${Q}ec …`. A hole by itself is not meant: `find $dir` would be a question otherwise.
 */
export function hiddenOptions(scan: Scan): readonly HiddenOption[] {
  const end = scan.rest?.cells[0]?.index ?? Number.POSITIVE_INFINITY;
  const taken = new Set(scan.options.filter(({ known }) => known !== undefined).flatMap(indicesOf));
  return scan.cells.flatMap((cell) => {
    const open = cell.index > 0 && cell.index < end && typeof cell.value !== "string" && !taken.has(cell.index);
    const name = open ? hiddenIn(scan.compiled, cell) : undefined;
    return name === undefined ? [] : [{ index: cell.index, shown: shownValue(cell.value), name }];
  });
}

function indicesOf({ index, valueIndices }: Scan["options"][number]): readonly number[] {
  return [index, ...valueIndices];
}

function hiddenIn(compiled: CompiledSpec, { value }: Cell): string | undefined {
  const pieces = typeof value === "string" ? [value] : value.pieces;
  const literal = pieces.filter((piece) => typeof piece === "string").join("");
  const dash = literal.indexOf("-");
  if (dash < 0 || (typeof pieces[0] === "string" && dash > 0)) return undefined;
  const [emptied = ""] = literal.split("=", 1);
  const [pattern = ""] = pieces
    .map((piece) => (typeof piece === "string" ? piece : "*"))
    .join("")
    .split("=", 1);
  const fits = (name: string) => name === emptied || (literal.length >= SHORTEST && matchesWildcard(pattern, name));
  return optionsStartingWith(compiled, "-").find((option) => doesMore(option) && option.spellings.some(fits))?.name;
}

function doesMore({ escape: deed, roles }: KnownOption): boolean {
  return deed !== undefined || roles.some((role) => INNER.has(role));
}

/** Whether a program's text is torn by a hole in the middle of a word, which may then be any. */
export function isTorn(value: Value, hole: string): boolean {
  const text = typeof value === "string" ? value : shownValue(value);
  const outside = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return new RegExp(`[A-Za-z_]${hole}|${hole}[A-Za-z_(]`).test(outside);
}
