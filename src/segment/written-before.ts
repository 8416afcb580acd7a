import type { Collection } from "./collect.ts";
import type { Value } from "./value.ts";

/** Whether an earlier part of the text writes a file that a later part runs. */
export function writtenBefore(collection: Collection, file: string): boolean {
  return collection.effects.some(
    (effect) =>
      effect.tool === "file_write" &&
      [effect.path, ...effect.otherPaths].some((path) => mayBe(path, file, effect.access)),
  );
}

function mayBe(path: Value, file: string, access: string): boolean {
  if (typeof path === "string")
    return path === file || (access === "extract" && file.startsWith(`${path === "/" ? "" : path}/`));
  const last = path.pieces.at(-1);
  const first = path.pieces[0];
  const starts = typeof first !== "string" || file.startsWith(first);
  return starts && (typeof last !== "string" || file.endsWith(last));
}
