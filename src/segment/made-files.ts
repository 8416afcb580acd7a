import type { FileUse } from "./reading.ts";
import { type Piece, type Value, valueFrom } from "./value.ts";

type Named = Omit<FileUse, "index">;

/**
 * Files that are made beside one, by its name: `{ "*.gz": "*" }` makes `x` of `x.gz`, and what has no star a file in the same
 * directory. A `?` in it is a text that nobody knows. Of a name that is not known, all that may be made counts.
 */
export function madeFiles(value: Value, makes: Readonly<Record<string, string | readonly string[]>>): readonly Named[] {
  const pieces = typeof value === "string" ? [value] : value.pieces;
  const last = pieces.at(-1);
  const name = typeof last === "string" ? last : "";
  const before = typeof last === "string" ? pieces.slice(0, -1) : pieces;
  const found: Named[] = [];
  for (const [pattern, made] of Object.entries(makes)) {
    const end = pattern.slice(1);
    const certain = name.endsWith(end);
    if (!certain && !(end.endsWith(name) && before.length > 0)) continue;
    const kept = name.slice(0, Math.max(0, name.length - end.length));
    for (const each of typeof made === "string" ? [made] : made) found.push(madeFile(before, kept, each));
    if (certain) break;
  }
  return found;
}

function madeFile(before: readonly Piece[], kept: string, made: string): Named {
  const starts = made.startsWith("*");
  const stem = starts ? kept : kept.slice(0, kept.lastIndexOf("/") + 1);
  const open = made.slice(starts ? 1 : 0).split("?");
  const ends = open.flatMap((end, i): Piece[] => (i === 0 ? [end] : [{ cause: "path", text: "…" }, end]));
  return { access: "write", path: valueFrom([...before, stem, ...ends], false) };
}
