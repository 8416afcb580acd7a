import { posix } from "node:path";
import { absolutePath } from "../text/index.ts";
import type { Collection } from "./collect.ts";
import { resolvePaths } from "./effects.ts";
import type { Flow } from "./flow.ts";
import type { Wrapped } from "./peel.ts";
import type { Reading } from "./reading.ts";
import type { Value } from "./value.ts";

/** Notes that a path becomes another name of what is linked, copied or moved there. */
export function addLinks(
  collection: Collection,
  { index: segment, reading }: Wrapped,
  { path, otherPaths }: { readonly path: Value; readonly otherPaths: readonly Value[] },
  source: Value,
  directories: Flow["directories"],
): void {
  const kind = makesLinks(reading) ? "link" : "copy";
  const replaces = kind === "link" || reading.does.includes("deletes");
  const here = resolvePaths(source, directories);
  const effects = collection.effects.length;
  for (const each of otherPaths.length === 0 ? [path] : [path, ...otherPaths]) {
    for (const from of resolvePaths(each, directories)) {
      const to = kind === "link" ? ledTo(source, from, here) : here;
      collection.links.push({ from, to, kind, replaces, segment, effects });
    }
  }
}

/** The text of a symlink counts from where the link lies, that of a hard link from here. */
function ledTo(source: Value, from: Value, here: readonly Value[]): readonly Value[] {
  const there = resolvePaths(source, folderOf(from));
  return there.length === 1 && here.length === 1 && there[0] === here[0] ? here : [...there, ...here];
}

function makesLinks({ entry, spec, options }: Reading): boolean {
  const links = spec?.links ?? entry?.links;
  return links === true || (links?.some((name) => options.some((option) => option.spellings.includes(name))) ?? false);
}

function folderOf(path: Value): Flow["directories"] {
  return typeof path === "string" ? [absolutePath(posix.dirname(absolutePath(path)))] : undefined;
}
