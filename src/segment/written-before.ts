import { addFinding, type Collection } from "./collect.ts";
import type { Effect } from "./segment.ts";
import { shownValue, type Value } from "./value.ts";

/**
 * Whether an earlier part of the text writes, or may write, a file that a later part runs. `segment`: what runs it; its own redirects
 * empty a file, and say nothing that would be run.
 */
export function writtenBefore(collection: Collection, file: Value, segment?: number): boolean {
  if (collection.effects.some((effect) => effect.segment !== segment && writes(collection, effect, file))) return true;
  // A directory that is moved there, or a link to one, brings its scripts with it.
  return collection.links.some(
    (link) => link.replaces && link.segment !== segment && mayBe(link.from, file, "extract"),
  );
}

/**
 * Notes scripts that a later part of the text writes: a loop, a function, a trap or a part in the background may run them after that.
 * Only what certainly has their name, so that `./a.sh > "$log"` is not meant.
 */
export function noteWrittenLater(collection: Collection): void {
  for (const { files, span, segment, effects } of collection.scripts) {
    const later = collection.effects.slice(effects);
    const file = files.find((each) =>
      later.some((effect) => namesIt(effect.path, each) && writes(collection, effect, each)),
    );
    if (file === undefined) continue;
    addFinding(
      collection,
      "opaque-script",
      `the script \`${shownValue(file)}\` is written by the text that runs it`,
      span,
      segment,
    );
  }
}

function namesIt(path: Value, file: Value): boolean {
  const name = endOf(file).slice(endOf(file).lastIndexOf("/"));
  return name !== "" && endOf(path).endsWith(name);
}

// What takes a file away, or says who may use it, leaves its text as it is.
const KEEPERS = new Set(["chmod", "chown", "chgrp", "rm", "rmdir", "unlink"]);

function writes({ segments }: Collection, effect: Effect, file: Value): boolean {
  if (effect.tool !== "file_write") return false;
  const program = segments[effect.segment]?.argv[0] ?? "";
  if (effect.access === "edit" && KEEPERS.has(program.slice(program.lastIndexOf("/") + 1))) return false;
  return [effect.path, ...effect.otherPaths].some((path) => mayBe(path, file, effect.access));
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
