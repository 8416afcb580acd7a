import { openGlob } from "./named-files.ts";
import type { ReadOperand } from "./reading.ts";
import { valuesOf } from "./role-values.ts";
import type { Scan } from "./scan.ts";
import type { Piece, Value } from "./value.ts";

const MOST_NAMES = 16;

/**
 * What a program that looks for files by name puts into its inner command: `{}` of `find d -name '*.c' -exec …` is a path below
 * `d` that ends in `.c`. Every name counts, also one behind `-not` or `-o`: it may only make a decision stricter.
 */
export function foundNames(scan: Scan, operands: readonly ReadOperand[]): readonly (readonly Piece[])[] {
  const names = valuesOf(scan, operands, (role) => role === "file-name" || role === "found-path");
  if (names.length === 0) return [];
  // Each gives one at least, so that no more are needed of either.
  const starts = startsOf(operands).slice(0, MOST_NAMES);
  return names
    .slice(0, MOST_NAMES)
    .flatMap(({ role, value }) => {
      if (role === "found-path") return spellings(value).map(acrossFolders);
      return starts.flatMap((start) => fillsBelow(start, value));
    })
    .slice(0, MOST_NAMES);
}

/** The paths of a name in a folder and below it. */
function fillsBelow(start: Value, name: Value): readonly (readonly Piece[])[] {
  return spellings(name).flatMap((each) => [...inside(start, each), below(start, each)]);
}

/**
 * What every path is like that is found: below the one directory where the search starts, and with the name that is asked for, if no
 * alternative is. Undefined where that directory is not known or may be an option, where links are followed out of it,
 * and where whole paths are asked for.
 */
export function foundPath(scan: Scan, operands: readonly ReadOperand[]): readonly Piece[] | undefined {
  const [start, ...more] = startsOf(operands);
  if (typeof start !== "string" || more.length > 0 || /^[-!(),]/.test(start)) return undefined;
  if (scan.options.some(({ known, dynamic }) => dynamic || known?.facts.follows)) return undefined;
  if (valuesOf(scan, operands, (role) => role === "found-path").length > 0) return undefined;
  const folder = start.endsWith("/") ? start : `${start}/`;
  const names = valuesOf(scan, operands, (role) => role === "file-name").map(({ value }) => value);
  const [name] = names;
  if (name === undefined || names.length > 1 || hasAlternatives(scan))
    return [folder, anything(names.flatMap((each) => fillsBelow("", each)))];
  // Of the folder itself the name is certain.
  return [folder, anything([[""]]), ...piecesOf(openGlob(name))];
}

function anything(fills: readonly (readonly Piece[])[]): Piece {
  return { cause: "path", text: "**", ...(fills.length > 0 && { fills }) };
}

function hasAlternatives({ options, cells }: Scan): boolean {
  return options.some(({ known }) => known === undefined || known.facts.loosens) || cells.some(isAlternative);
}

/** find's own signs for *not* and for one expression beside another. */
function isAlternative({ value }: Scan["cells"][number]): boolean {
  return value === "!" || value === ",";
}

function startsOf(operands: readonly ReadOperand[]): readonly Value[] {
  const listed = operands.filter(({ role }) => role === "list" || role === "edit").map(({ value }) => value);
  return listed.length === 0 ? ["."] : listed;
}

/** A name is asked for in either case by some options, and small letters are what names are written in. */
function spellings(name: Value): readonly Value[] {
  return typeof name === "string" && name.toLowerCase() !== name ? [name, name.toLowerCase()] : [name];
}

/** In the folder itself, where the name is written out: this one is certain. */
function inside(start: Value, name: Value): readonly (readonly Piece[])[] {
  return typeof name === "string" && !/[*?[{\\]/.test(name) ? [[...piecesOf(start), "/", name]] : [];
}

function below(start: Value, name: Value): readonly Piece[] {
  return [...piecesOf(start), "/", anything([]), ...piecesOf(openGlob(name))];
}

/** The stars of a pattern for whole paths stand for slashes as well. */
function acrossFolders(path: Value): readonly Piece[] {
  return piecesOf(openGlob(path)).map((piece) =>
    typeof piece === "string" || piece.cause !== "path" ? piece : { ...piece, text: "**" },
  );
}

function piecesOf(value: Value): readonly Piece[] {
  return typeof value === "string" ? [value] : value.pieces;
}
