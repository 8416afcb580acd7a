import { posix } from "node:path";
import type { Effect, Segment } from "../segment/segment.ts";
import type { Piece, Value } from "../segment/value.ts";
import { isInside } from "../text/index.ts";
import type { Context } from "./context.ts";
import { contentLandsOnOwn, globLandsOnOwn } from "./copy-protection.ts";
import type { Reason } from "./reason.ts";
import { canMatchPath, compileWildcard, type Wildcard } from "./wildcard.ts";

/** Where guarded-sh's own policy, state and program lie: absolute paths. What is named `guarded-sh.toml` or `.guarded-sh` is meant anyway. */
export interface OwnPlaces {
  /** Everything in them. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

export type Protection = Reason & { readonly kind: "protection" };

const POLICY_NAME = "guarded-sh.toml";
const POLICY_FOLDER = ".guarded-sh";

/**
 * What no rule lifts: whoever is judged must not write the rules. Undefined when an effect leaves guarded-sh's own files alone.
 */
export function protectionOf(effect: Effect, segment: Segment | undefined, context: Context): Protection | undefined {
  if (context.own === undefined) return undefined;
  if (effect.tool === "file_read") return linkedOrFetched(effect, segment, context);
  const { path } = effect;
  const copy = { effect, segment, context };
  if (typeof path !== "string") {
    const found = holeProtection(path.pieces, effect, context);
    return found ?? (globLandsOnOwn(path.pieces, copy) ? protection("ask", shown(path.pieces)) : undefined);
  }
  if (isOwnPath(path, context)) return protection("deny", path);
  const { files, folders } = placesOf(context);
  if (contentLandsOnOwn(path, copy, [...files, ...folders])) return protection("ask", path);
  return containsOwn(path, effect, segment, context);
}

/** Whether a path is one of guarded-sh's own, as written or as its symlinks lead. */
export function isOwnPath(path: string, context: Context): boolean {
  const own = context.own?.();
  if (own === undefined) return false;
  const real = context.realPath?.(path) ?? path;
  return isOwnAsWritten(path, own) || (real !== path && isOwnAsWritten(real, own));
}

function isOwnAsWritten(path: string, own: OwnPlaces): boolean {
  const folded = fold(path);
  if (isOwnName(folded)) return true;
  const { files, folders } = foldedPlaces(own);
  return files.includes(folded) || folders.some((folder) => isInside(folded, folder));
}

const foldedBefore = new WeakMap<OwnPlaces, OwnPlaces>();

/** They stay the same for as long as a guard is open, and every path is compared with them. */
function foldedPlaces(own: OwnPlaces): OwnPlaces {
  const known = foldedBefore.get(own) ?? { files: own.files.map(fold), folders: own.folders.map(fold) };
  foldedBefore.set(own, known);
  return known;
}

// Some file systems do not tell upper from lower case: `GUARDED-SH.TOML` may be the same file.
function fold(path: string): string {
  return path.toLowerCase();
}

function isOwnName(path: string): boolean {
  return path.endsWith(`/${POLICY_NAME}`) || `${path}/`.includes(`/${POLICY_FOLDER}/`);
}

function protection(decision: "ask" | "deny", path: string): Protection {
  const verb = decision === "deny" ? "changes" : "may change";
  return {
    kind: "protection",
    decision,
    message: `${verb} what guarded-sh itself goes by (${path}): no rule can allow that`,
  };
}

/** A link to such a file is a second name under which it could be written; a download takes its name from the address. */
function linkedOrFetched(effect: Effect, segment: Segment | undefined, context: Context): Protection | undefined {
  const { path, access } = effect;
  if (typeof path !== "string") return undefined;
  if (access === "net") {
    const name = path.replace(/[?#].*$/s, "").toLowerCase();
    return name.endsWith(`/${POLICY_NAME}`) && doesOf(segment).includes("fetches")
      ? protection("ask", path)
      : undefined;
  }
  return LINKERS.has(programOf(segment)) && isOwnPath(path, context) ? protection("deny", path) : undefined;
}

const LINKERS = new Set(["ln", "link", "bindfs"]);

/** Deleting, moving or closing a directory takes along what lies in it. */
function containsOwn(
  path: string,
  { access }: Effect,
  segment: Segment | undefined,
  context: Context,
): Protection | undefined {
  if (access === "read" || access === "list") return undefined;
  const { files, folders } = placesOf(context);
  const folded = foldedPlaces(placesOf(context));
  const real = context.realPath?.(path) ?? path;
  const around = real === path ? [fold(path)] : [fold(path), fold(real)];
  const within = (place: string) => around.some((folder) => isInside(place, folder));
  const held =
    folders[folded.folders.findIndex(within)] ??
    (access === "edit" ? files[folded.files.findIndex(within)] : undefined);
  if (held === undefined) return undefined;
  if (access !== "edit") return folders.includes(held) && access === "extract" ? protection("ask", held) : undefined;
  // The folder of the policy itself is denied above. A folder far above it is a question: `rm -rf ~` may be meant in a
  // container, but never silently.
  return segment === undefined || takesWhole(segment) ? protection("ask", held) : undefined;
}

/** Whether a program that is given a folder deletes, moves or closes it with all that is in it; a formatter (`black .`) does not. */
function takesWhole(segment: Segment): boolean {
  const does = doesOf(segment);
  if (does.includes("deletes") || does.includes("administers") || CLOSERS.has(programOf(segment))) return true;
  // `git checkout .` writes over all that is kept below it.
  if (segment.reading?.operands.some(({ role }) => role === "restored")) return true;
  return does.every((doing) => doing === "looks") && !picksByName(segment);
}

const CLOSERS = new Set(["chmod", "chown", "chgrp", "chattr", "chcon", "setfacl"]);

/** `find DIR -name … -delete` reaches only what has such a name. */
function picksByName({ words }: Segment): boolean {
  const names = words.flatMap((word, i) => {
    const test = typeof word === "string" && /^-(?:i?name|i?path|i?regex|wholename)$/.test(word);
    return test ? [words[i + 1] ?? ""] : [];
  });
  return names.length > 0 && names.every((name) => typeof name === "string" && !/guarded|policy|^\*?$/.test(name));
}

/**
 * A path with unknown parts. A glob stands for names that exist, so it is compared with the places themselves; of any other
 * unknown part only what the known parts point at: every `> "$file"` would be a question otherwise.
 */
function holeProtection(pieces: readonly Piece[], { access }: Effect, context: Context): Protection | undefined {
  const literal = pieces.map((piece) => (typeof piece === "string" ? piece : "\u0000")).join("");
  if (isOwnName(fold(literal))) return protection("deny", shown(pieces));
  const word = { value: { pieces, splits: false } as Value, optional: false };
  const globs = pieces.every((piece) => typeof piece === "string" || piece.cause === "path");
  const places = placesOf(context);
  if (!globs && !pointsAtOwn(literal, places)) return undefined;
  const patterns = [...placePatterns(places, globs && access === "edit"), ...(globs ? [] : NAME_PATTERNS)];
  return patterns.some((pattern) => canMatchPath(pattern, word)) ? protection("ask", shown(pieces)) : undefined;
}

const NAME_PATTERNS = [`*/${POLICY_NAME}`, `*/${POLICY_FOLDER}`, `*/${POLICY_FOLDER}/*`].map((one) =>
  compileWildcard(one),
);
const STATE_NAMES = ["policy.toml", "trust.json", "guarded-sh.db", "decisions.jsonl"];

function pointsAtOwn(literal: string, { files }: OwnPlaces): boolean {
  if (literal.includes("guarded")) return true;
  const last = literal.slice(literal.lastIndexOf("/") + 1);
  return STATE_NAMES.includes(last) || files.some((file) => posix.basename(file) === last);
}

function placePatterns({ files, folders }: OwnPlaces, withParents: boolean): Wildcard[] {
  const places = [...files, ...folders];
  const parents = withParents ? places.flatMap(parentsOf) : [];
  const texts = new Set([...places, ...folders.map((folder) => `${folder}/*`), ...parents]);
  return [...texts].map((text) => compileWildcard(text));
}

function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = posix.dirname(path); at !== "/" && at !== "."; at = posix.dirname(at)) parents.push(at);
  return parents;
}

function shown(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

const NO_PLACES: OwnPlaces = { folders: [], files: [] };

function placesOf(context: Context): OwnPlaces {
  return context.own?.() ?? NO_PLACES;
}

function doesOf(segment: Segment | undefined): readonly string[] {
  return segment?.reading?.does ?? [];
}

function programOf(segment: Segment | undefined): string {
  const [program] = segment?.words ?? [];
  return typeof program === "string" ? posix.basename(program) : "";
}
