import { posix } from "node:path";
import type { Effect } from "../segment/segment.ts";
import type { Hole, Piece, Value } from "../segment/value.ts";
import { isInside } from "../text/index.ts";
import type { Context } from "./context.ts";
import { matchedPath, type PathPattern } from "./path-pattern.ts";
import type { Rule } from "./rule.ts";
import { type Certainty, canMatchPath, compileWildcard } from "./wildcard.ts";

/** What a path is used for. */
export type Access = Effect["access"];

/**
 * Whether a rule matches a path. A deny or ask matches the path as written or as its symlinks lead, an allow must match both.
 * What works on whole directories possibly touches whatever a pattern names below them.
 */
export function matchPath(rule: Rule, path: Value, access: Access, context: Context): Certainty {
  const pattern = rule.path;
  if (pattern === undefined) return "no";
  if (pattern.kind === "everything") return "certainly";
  if (rule.decision === "allow") return allows(pattern, path, context) ? "certainly" : "no";
  const direct =
    typeof path === "string" ? restricts(pattern, path, context) : matchHoles(pattern, path.pieces, context);
  if (direct !== "no") return direct;
  return typeof path === "string" && mayReach(pattern, path, access, context) ? "possibly" : "no";
}

function restricts(pattern: PathPattern, path: string, context: Context): Certainty {
  if (pattern.matches(matchedPath(path, context.projectRoot))) return "certainly";
  const real = realPath(path, context);
  return real !== path && matchesReal(pattern, real, context) ? "certainly" : "no";
}

function allows(pattern: PathPattern, path: Value, context: Context): boolean {
  if (typeof path !== "string") return matchHoles(pattern, path.pieces, context) === "certainly";
  if (!pattern.matches(matchedPath(path, context.projectRoot))) return false;
  const real = realPath(path, context);
  return real === path || matchesReal(pattern, real, context);
}

/** Compares a resolved path with the pattern as it is, and with the pattern's own directory resolved. */
function matchesReal(pattern: PathPattern, real: string, context: Context): boolean {
  const root = realPath(context.projectRoot, context);
  if (pattern.matches(matchedPath(real, context.projectRoot)) || pattern.matches(matchedPath(real, root))) return true;
  if (!pattern.base.startsWith("/")) return false;
  const base = realPath(pattern.base, context);
  if (base === pattern.base || !isInside(real, base)) return false;
  return pattern.matches(matchedPath(posix.join(pattern.base, real.slice(base.length)), context.projectRoot));
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
  const value = { pieces: unclimbed(pieces), splits: false };
  return canMatchPath(wideAbsolute(pattern, context), { value, optional: false }) ? "possibly" : "no";
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

function wideAbsolute(pattern: PathPattern, context: Context) {
  switch (pattern.kind) {
    case "everything":
    case "absolute":
    case "anywhere":
      return pattern.wide;
    case "basename":
      return compileWildcard(`*/${pattern.wide.pattern}`);
    case "project":
      return compileWildcard(`${context.projectRoot}/${pattern.wide.pattern}`);
    case "wildcard":
      return pattern.glob.startsWith("/") ? pattern.wide : compileWildcard(`*${pattern.wide.pattern}`);
  }
}
