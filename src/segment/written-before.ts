import type { Collection } from "./collect.ts";
import type { Value } from "./value.ts";

/** Whether an earlier part of the text writes, or may write, a file that a later part runs. */
export function writtenBefore(collection: Collection, file: Value): boolean {
  return collection.effects.some(
    (effect) =>
      effect.tool === "file_write" &&
      [effect.path, ...effect.otherPaths].some((path) => mayBe(path, file, effect.access)),
  );
}

function mayBe(path: Value, file: Value, access: string): boolean {
  if (typeof path === "string" && typeof file === "string") {
    return path === file || (access === "extract" && file.startsWith(`${path === "/" ? "" : path}/`));
  }
  const [begins, ends] = [startOf(path), startOf(file)];
  const starts = begins.startsWith(ends) || ends.startsWith(begins);
  return starts && (access === "extract" || endsAlike(endOf(path), endOf(file)));
}

function endsAlike(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a);
}

function startOf(value: Value): string {
  const first = typeof value === "string" ? value : value.pieces[0];
  return typeof first === "string" ? first : "";
}

function endOf(value: Value): string {
  const last = typeof value === "string" ? value : value.pieces.at(-1);
  return typeof last === "string" ? last : "";
}
