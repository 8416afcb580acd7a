import { addFinding, type Collection } from "./collect.ts";
import type { Effect } from "./segment.ts";
import { shownValue, type Value } from "./value.ts";
import { endOf, mayBe } from "./written-paths.ts";

/**
 * Whether an earlier part of the text writes, or may write, a file that a later part runs. `segment`: what runs it; its own redirects
 * empty a file, and say nothing that would be run.
 */
export function writtenBefore(collection: Collection, file: Value, segment?: number): boolean {
  const { effects, links, written } = collection;
  for (; written.effects < effects.length; written.effects++) {
    const effect = effects[written.effects];
    if (effect === undefined || !givesText(collection, effect)) continue;
    for (const path of [effect.path, ...effect.otherPaths])
      written.paths.add({ path, below: effect.access === "extract", segment: effect.segment });
  }
  for (; written.links < links.length; written.links++) {
    const link = links[written.links];
    // A directory that is moved there, or a link to one, brings its scripts with it.
    if (link?.replaces) written.paths.add({ path: link.from, below: true, segment: link.segment });
  }
  return written.paths.mayHold(file, segment);
}

/**
 * Notes scripts that a later part of the text writes: a loop, a function, a trap or a part in the background may run them after that.
 * Only what certainly has their name, so that `./a.sh > "$log"` is not meant.
 */
export function noteWrittenLater(collection: Collection): void {
  if (collection.scripts.length === 0) return;
  const last = lastWritten(collection);
  for (const { files, span, segment, effects } of collection.scripts) {
    const file = files.find((each) => last(each) >= effects);
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

/** Finds the position of the last effect that writes a file under its name; -1 for none. Remembers what it was asked. */
function lastWritten(collection: Collection): (file: Value) => number {
  const writing = collection.effects
    .flatMap((effect, at) => (givesText(collection, effect) ? [{ effect, at }] : []))
    .reverse();
  // Most texts that run scripts write none.
  if (writing.length === 0) return () => -1;
  const byName = new Map<string, typeof writing>();
  for (const each of writing) {
    const name = nameOf(each.effect.path);
    byName.set(name, byName.get(name) ?? []);
    byName.get(name)?.push(each);
  }
  const known = new Map<string, number>();
  return (file) => {
    const key = JSON.stringify(file);
    const name = nameOf(file);
    const named = name.startsWith("/") ? (byName.get(name) ?? []) : writing;
    const found =
      known.get(key) ?? named.find(({ effect }) => namesIt(effect, name) && mayWrite(effect, file))?.at ?? -1;
    known.set(key, found);
    return found;
  };
}

function nameOf(path: Value): string {
  return endOf(path).slice(endOf(path).lastIndexOf("/"));
}

function namesIt({ path }: Effect, name: string): boolean {
  return name !== "" && endOf(path).endsWith(name);
}

function mayWrite({ path, otherPaths, access }: Effect, file: Value): boolean {
  return [path, ...otherPaths].some((each) => mayBe({ path: each, below: access === "extract" }, file));
}

// What takes a file away, or says who may use it, leaves its text as it is.
const KEEPERS = new Set(["chmod", "chown", "chgrp", "rm", "rmdir", "unlink"]);

function givesText({ segments }: Collection, { tool, access, segment }: Effect): boolean {
  if (tool !== "file_write") return false;
  const program = segments[segment]?.argv[0] ?? "";
  return access !== "edit" || !KEEPERS.has(program.slice(program.lastIndexOf("/") + 1));
}
