import { posix } from "node:path";
import { absolutePath } from "../text/index.ts";
import type { Collection } from "./collect.ts";
import { LinkIndex } from "./link-index.ts";
import type { Effect } from "./segment.ts";
import { type Piece, shownValue, type Value, valueFrom } from "./value.ts";

/** A path that the text makes another name of something: `ln` does, and a link that is copied or moved stays one. */
export interface Link {
  readonly from: Value;
  /** What it may lead to, absolute. */
  readonly to: readonly Value[];
  /** `copy`: the path leads somewhere else only if what was copied is a link, or holds one. */
  readonly kind: "link" | "copy";
  readonly segment: number;
  /** What was there before it is gone: `ln` and `mv` put another file, or a whole directory, in its place. */
  readonly replaces: boolean;
  /** Effects that were known when it was made. */
  readonly effects: number;
}

const MOST_PATHS = 32;

/**
 * Adds to every use of a file the paths that it has through links which the same text makes: below `ln -s / r`, `r/etc/x` is
 * `/etc/x`. What stands before the link counts as well, as a loop or a function may come back to it.
 */
export function followLinks(collection: Collection): void {
  const { effects, links, climbs } = collection;
  if (links.length === 0 && climbs.size === 0) return;
  const index = new LinkIndex(links);
  const known = new Map<string, readonly Value[]>();
  let made = 0;
  effects.forEach((effect, i) => {
    while ((index.links[made]?.effects ?? Number.POSITIVE_INFINITY) <= i) made++;
    if (effect.access === "net" || !isLed(effect, i, index, collection)) return;
    const climbed = (climbs.get(i) ?? NONE).flatMap((raw) => elsewhere(raw, index, collection));
    const written = effect.otherPaths.length === 0 ? [effect.path] : [effect.path, ...effect.otherPaths];
    const used = { effect, i, ends: reachesEnds(effect, index, collection) };
    const added = [...written, ...climbed].flatMap((path) => {
      if (!index.isOnWay(path)) return NONE;
      const key = usedKey(path, used, index, made);
      const led = known.get(key) ?? throughLinks(path, index, collection, used);
      known.set(key, led);
      return led;
    });
    const fresh = otherThan(written, climbed.length === 0 ? added : [...climbed, ...added]);
    if (fresh.length > 0) effects[i] = { ...effect, otherPaths: [...effect.otherPaths, ...fresh] };
  });
}

/** Whether there is a link on the way of any of its paths: nearly all that a text uses lies elsewhere. */
function isLed({ path, otherPaths }: Effect, i: number, index: LinkIndex, { climbs }: Collection): boolean {
  return climbs.has(i) || index.isOnWay(path) || otherPaths.some((each) => index.isOnWay(each));
}

/** All that decides where a path leads: a text may use one file thousands of times. `made`: how many links there are by then. */
function usedKey(path: Value, { effect, ends }: Used, index: LinkIndex, made: number): string {
  const own = index.owners.has(effect.segment) && effect.segment;
  if (typeof path === "string") return `${effect.access} ${ends && made} ${own} ${path}`;
  return JSON.stringify([path, effect.access, ends && made, own]);
}

function otherThan(known: readonly Value[], found: readonly Value[]): readonly Value[] {
  if (found.length === 0) return found;
  const shown = new Set(known.map(shownValue));
  return found.filter((path) => {
    const size = shown.size;
    return shown.add(shownValue(path)).size > size;
  });
}

// Shared: most paths lead nowhere else.
const NONE: readonly never[] = [];

interface Used {
  readonly effect: Effect;
  readonly i: number;
  /** A link whose own name it is leads it as well. */
  readonly ends: boolean;
}

/** At the link's own name: who takes it away or puts another in its place does not reach what it leads to. */
function reachesEnds({ segment, access }: Effect, { makers }: LinkIndex, { segments }: Collection): boolean {
  if (makers.has(segment)) return false;
  return access !== "edit" || !segments[segment]?.reading?.does.includes("deletes");
}

/** Where a path leads, through as many links as there are; somewhere unknown when that is too much to follow. */
function throughLinks(start: Value, index: LinkIndex, collection: Collection, used?: Used): readonly Value[] {
  const found: Value[] = [];
  const seen = new Set([shownValue(start)]);
  const queue: Value[] = [start];
  for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
    for (const { link, rest } of index.stepsOf(from, used?.ends ?? true)) {
      if (used !== undefined && !leads(link, rest, used)) continue;
      for (const to of link.to) {
        const path = joined(to, rest);
        const shown = shownValue(path);
        if (seen.has(shown)) continue;
        if (seen.size > MOST_PATHS) {
          found.push(anywhere(start));
          return found;
        }
        seen.add(shown);
        if (link.kind === "link" || readsMoved(link, used)) found.push(path);
        else found.push(...realOf(to, path, collection));
        queue.push(path);
      }
    }
  }
  return found;
}

/** `mv .env x; cat x`: what was moved is read under its new name. A copy has been read to make it. */
function readsMoved({ replaces }: Link, used: Used | undefined): boolean {
  return replaces && (used?.effect.access === "read" || used?.effect.access === "search");
}

/** What makes a link is not led by it, nor is what is used by the link's own name before it is made. */
function leads({ segment, effects }: Link, rest: Value, { effect, i }: Used): boolean {
  return segment !== effect.segment && (rest !== "" || i >= effects);
}

/** Where a copied path leads if the original is, or lies below, a link that is there already. */
function realOf(to: Value, path: Value, { surroundings: { realPath } }: Collection): readonly Value[] {
  if (realPath === undefined || typeof to !== "string" || typeof path !== "string") return [];
  const plain = posix.join(realPath(posix.dirname(to)), posix.basename(to), path.slice(to.length));
  const real = realPath(path);
  return real === plain ? [] : [real];
}

/** Where a path with `..` in it leads if not to where it seems to. */
function elsewhere(raw: string, index: LinkIndex, collection: Collection): readonly Value[] {
  const { realPath = (path: string) => path } = collection.surroundings;
  const seeming = realPath(posix.normalize(raw));
  return physicalPaths(raw, index, collection).filter((path) => typeof path !== "string" || realPath(path) !== seeming);
}

/** A path with `..` in it, as the kernel walks it: up from where a link leads, not from where it lies. */
function physicalPaths(raw: string, index: LinkIndex, collection: Collection): readonly Value[] {
  const { realPath = (path: string) => path } = collection.surroundings;
  let all: readonly string[] = ["/"];
  for (const name of raw.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") all = all.map((path) => posix.join(path, name));
    else {
      const real = all.flatMap((path) => [realPath(path), ...throughLinks(path, index, collection)]);
      if (real.some((path) => typeof path !== "string") || real.length > MOST_PATHS) return [anywhere(raw)];
      all = real.map((path) => posix.dirname(String(path)));
    }
  }
  return [...new Set(all)];
}

function anywhere(path: Value): Value {
  return { pieces: [{ cause: "variable", text: shownValue(path) }], splits: false };
}

function joined(to: Value, rest: Value): Value {
  if (typeof to === "string" && typeof rest === "string") return absolutePath(to + rest);
  const start: readonly Piece[] = typeof to === "string" ? [to.replace(/\/$/, "")] : to.pieces;
  return valueFrom([...start, ...(typeof rest === "string" ? [rest] : rest.pieces)], false);
}
