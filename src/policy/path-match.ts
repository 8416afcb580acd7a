import { posix } from "node:path";
import type { Effect } from "../segment/segment.ts";
import type { Hole, Piece, Value } from "../segment/value.ts";
import { isInside } from "../text/index.ts";
import type { Context } from "./context.ts";
import type { Decision } from "./decision.ts";
import { type MatchedPath, matchedPath, type PathPattern } from "./path-pattern.ts";
import type { Rule } from "./rule.ts";
import { type Certainty, canMatchPath } from "./wildcard.ts";

/** What a path is used for. */
export type Access = Effect["access"];

/** A path that rules are matched against, and where its symlinks lead. */
export class PathSubject {
  readonly path: Value;
  readonly access: Access;
  readonly context: Context;
  /** Undefined when a part of the path is not known. */
  readonly written: MatchedPath | undefined;
  #real: RealPath | undefined;

  constructor(path: Value, access: Access, context: Context) {
    this.path = path;
    this.access = access;
    this.context = context;
    this.written = typeof path === "string" ? matchedPath(path, context.projectRoot) : undefined;
  }

  /** The path with all symlinks resolved, seen from the project as it is named and as it is resolved. */
  get real(): RealPath {
    this.#real ??= resolveReal(this.written?.absolute ?? "", this.context);
    return this.#real;
  }
}

interface RealPath {
  readonly absolute: string;
  readonly views: readonly MatchedPath[];
}

function resolveReal(path: string, context: Context): RealPath {
  const absolute = realPath(path, context);
  if (absolute === path) return { absolute, views: [] };
  const roots = new Set([context.projectRoot, realPath(context.projectRoot, context)]);
  return { absolute, views: [...roots].map((root) => matchedPath(absolute, root)) };
}

/**
 * Whether a rule matches a path. A deny or ask matches the path as written or as its symlinks lead, an allow must match both.
 * What works on whole directories possibly touches whatever a pattern names below them.
 */
export function matchPath(rule: Rule, subject: PathSubject): Certainty {
  return rule.path === undefined ? "no" : matchPattern(rule.path, rule.decision, subject);
}

/** The same for a pattern that is not a rule's own. */
export function matchPattern(pattern: PathPattern, decision: Decision, subject: PathSubject): Certainty {
  if (pattern.kind === "everything") return "certainly";
  const { path, written, context } = subject;
  if (written === undefined) {
    const certainty = typeof path === "string" ? "no" : matchHoles(pattern, path.pieces, context);
    return decision === "allow" && certainty === "possibly" ? "no" : certainty;
  }
  const direct = matchesPath(pattern, written);
  if (decision === "allow") return direct && allowsReal(pattern, subject) ? "certainly" : "no";
  if (direct || matchesReal(pattern, subject)) return "certainly";
  return mayReach(pattern, written.absolute, subject.access, context) ? "possibly" : "no";
}

/** Compares where the pattern is literal first: most paths are somewhere else. */
function matchesPath(pattern: PathPattern, path: MatchedPath): boolean {
  const seen = pattern.kind === "project" ? path.relative : path.absolute;
  if (seen === undefined || (pattern.kind !== "wildcard" && !seen.startsWith(pattern.base))) return false;
  return pattern.matches(path);
}

function allowsReal(pattern: PathPattern, subject: PathSubject): boolean {
  return subject.real.views.length === 0 || matchesReal(pattern, subject);
}

/** Compares a resolved path with the pattern as it is, and with the pattern's own directory resolved. */
function matchesReal(pattern: PathPattern, { real, context }: PathSubject): boolean {
  if (real.views.length === 0) return false;
  if (real.views.some((view) => matchesPath(pattern, view))) return true;
  if (!pattern.base.startsWith("/")) return false;
  const base = realPath(pattern.base, context);
  if (base === pattern.base || !isInside(real.absolute, base)) return false;
  const renamed = posix.join(pattern.base, real.absolute.slice(base.length));
  return pattern.matches(matchedPath(renamed, context.projectRoot));
}

function realPath(path: string, context: Context): string {
  return context.realPath?.(path) ?? path;
}

function mayReach(pattern: PathPattern, path: string, access: Access, context: Context): boolean {
  if (access !== "search" && access !== "edit" && access !== "extract") return false;
  const named = pattern.base !== "";
  if (named && isInside(posix.resolve(context.projectRoot, pattern.base), path)) return true;
  // Deleting or moving a directory is judged by the directory: `**/.env` would make every `rm -r` a question.
  if (named || access === "edit") return false;
  return mayBeDirectory(path, context);
}

function mayBeDirectory(path: string, context: Context): boolean {
  return context.isDirectory?.(path) ?? !/[^/]\.[A-Za-z0-9]+$/.test(path);
}

const LONGEST_PRODUCT = 3;

function matchHoles(pattern: PathPattern, pieces: readonly Piece[], context: Context): Certainty {
  if (isCertain(pattern, pieces, context)) return "certainly";
  const open = unclimbed(pieces);
  const seen = pattern.kind === "project" ? belowRoot(open, context.projectRoot) : open;
  if (seen === undefined) return "no";
  const word = { value: { pieces: seen, splits: false }, optional: false };
  return pattern.wide.some((wildcard) => canMatchPath(wildcard, word)) ? "possibly" : "no";
}

/** The pieces behind the project root, a hole that may hold the root itself standing for what follows it too. */
function belowRoot(pieces: readonly Piece[], root: string): readonly Piece[] | undefined {
  const [first, ...others] = pieces;
  if (typeof first !== "string") return pieces;
  const start = root.endsWith("/") ? root : `${root}/`;
  if (first.startsWith(start)) return [first.slice(start.length), ...others];
  return start.startsWith(first) ? others : undefined;
}

/** Holes that cannot climb are filled with a name that only a star matches; then every name does. */
function isCertain(pattern: PathPattern, pieces: readonly Piece[], context: Context): boolean {
  if (!pattern.plain) return false;
  const holes = pieces.filter((piece) => typeof piece !== "string");
  if (holes.length > LONGEST_PRODUCT || holes.some(climbs)) return false;
  if (pieces.some((piece) => typeof piece === "string" && /(?:^|\/)\.\.(?:\/|$)/.test(piece))) return false;
  let paths = [""];
  for (const piece of pieces) {
    const texts = typeof piece === "string" ? [piece] : fillers(piece);
    paths = paths.flatMap((path) => texts.map((text) => path + text));
  }
  return paths.every((path) => pattern.matches(matchedPath(posix.resolve("/", path), context.projectRoot)));
}

function fillers(hole: Hole): string[] {
  if (hole.cause === "directory") return ["", "/\u0001", "/\u0001/\u0001"];
  return hole.text.includes("**") ? ["\u0001", "\u0001/\u0001"] : ["\u0001"];
}

/** A text that nobody knows may hold `..`; names of files and a directory's own path do not. */
function climbs(hole: Hole): boolean {
  return hole.cause !== "path" && hole.cause !== "directory" && hole.cause !== "arithmetic";
}

/** What stands before a hole that may climb is no longer certain either. */
function unclimbed(pieces: readonly Piece[]): readonly Piece[] {
  const at = pieces.findLastIndex((piece) => typeof piece !== "string" && climbs(piece));
  return at < 0 ? pieces : pieces.slice(at);
}
