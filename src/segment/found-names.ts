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
  const listed = operands.filter(({ role }) => role === "list" || role === "edit").map(({ value }) => value);
  // Each gives one at least, so that no more are needed of either.
  const starts = listed.length === 0 ? ["."] : listed.slice(0, MOST_NAMES);
  return names
    .slice(0, MOST_NAMES)
    .flatMap(({ role, value }) => {
      const patterns = spellings(value);
      if (role === "found-path") return patterns.map(acrossFolders);
      return patterns.flatMap((pattern) =>
        starts.flatMap((start) => [...inside(start, pattern), below(start, pattern)]),
      );
    })
    .slice(0, MOST_NAMES);
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
  return [...piecesOf(start), "/", { cause: "path", text: "**" }, ...piecesOf(openGlob(name))];
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
