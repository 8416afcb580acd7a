import type { Collection } from "./collect.ts";
import type { Segment } from "./segment.ts";
import type { Value } from "./value.ts";

/** Whether a program given by a path is the one that PATH finds under its name. */
export function pathProgram(collection: Collection, program: Value): Segment["pathProgram"] {
  if (typeof program !== "string" || !program.includes("/")) return undefined;
  const { findProgram, realPath = (path: string) => path } = collection.surroundings;
  const found = findProgram?.(program.slice(program.lastIndexOf("/") + 1));
  if (found === undefined || !program.startsWith("/")) return "elsewhere";
  return realPath(found) === realPath(program) ? "found" : "elsewhere";
}
