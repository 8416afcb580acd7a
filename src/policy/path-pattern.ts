import { posix } from "node:path";
import picomatch from "picomatch";
import { expandPattern } from "./expand.ts";
import type { PatternSetting } from "./rule.ts";
import { compileWildcard, isCatchAll, matchesWildcard, type Wildcard } from "./wildcard.ts";

/** A rule's pattern as it is matched against paths. */
export interface PathPattern {
  readonly kind: "everything" | "basename" | "anywhere" | "absolute" | "project" | "wildcard";
  /** Expanded; of kind `project` still relative to the project root. */
  readonly glob: string;
  readonly matches: (path: MatchedPath) => boolean;
  /** Together match at least what the pattern matches, `*` crossing slashes: to tell what a path with holes cannot match. Of kind
   * `project` compared with the part behind the project root. */
  readonly wide: readonly Wildcard[];
  /** Only literals and stars: what matches some fillings of a hole by a star matches all of them. */
  readonly plain: boolean;
  /** The directory below which everything that matches lies, as far as the pattern is literal. */
  readonly base: string;
}

/** Takes a rule's pattern apart for path tools. A pattern without a slash means a file's name at any depth. */
export function compilePathPattern(pattern: string, setting: PatternSetting): PathPattern {
  const expanded = expandPattern(pattern, setting);
  if (isCatchAll(expanded)) return { ...common("everything", expanded), matches: () => true };
  if (setting.patterns === "wildcards") return wildcardPattern(expanded, setting.windows);
  const bare = expanded.replace(/^(?:\.\/)+(?=.)/, "");
  const glob = bare.length > 1 && bare.endsWith("/") ? `${bare}**` : bare;
  const kind = kindOf(expanded.startsWith("./") && !bare.includes("/") ? `./${glob}` : glob);
  return { ...common(kind, glob), matches: globMatcher(kind, glob, setting.windows) };
}

/** A path as it is matched: absolute, and relative to the project when it lies inside it. */
export interface MatchedPath {
  readonly absolute: string;
  readonly relative: string | undefined;
}

/** An absolute path together with its name inside the project. */
export function matchedPath(path: string, projectRoot: string): MatchedPath {
  if (path === projectRoot) return { absolute: path, relative: "." };
  if (isNormal(path) && (projectRoot === "/" || isNormal(projectRoot))) {
    const start = projectRoot === "/" ? "/" : `${projectRoot}/`;
    return { absolute: path, relative: path.startsWith(start) ? path.slice(start.length) : undefined };
  }
  const relative = posix.relative(projectRoot, path);
  return { absolute: path, relative: relative.startsWith("../") || relative === ".." ? undefined : relative };
}

/** Whether a path is sure to be absolute and to hold no empty part, `.` or `..`. */
function isNormal(path: string): boolean {
  return path.startsWith("/") && !/\/(?:[./]|$)/.test(path);
}

function wildcardPattern(glob: string, windows: boolean): PathPattern {
  const wildcard = compileWildcard(glob, windows);
  return {
    ...common("wildcard", glob),
    wide: [glob.startsWith("/") ? wildcard : compileWildcard(`*${glob}`, windows)],
    plain: !glob.includes("?"),
    matches: ({ absolute, relative }) =>
      matchesWildcard(wildcard, absolute) || (relative !== undefined && matchesWildcard(wildcard, relative)),
  };
}

function globMatcher(kind: PathPattern["kind"], glob: string, windows: boolean): PathPattern["matches"] {
  // Compiled when it is first needed: most rules never meet a path.
  let compiled: ((path: string) => boolean) | undefined;
  const matches = (path: string): boolean => {
    compiled ??= picomatch(glob, { dot: true, nonegate: true, windows });
    return compiled(path);
  };
  switch (kind) {
    case "everything":
      return () => true;
    case "basename":
      return ({ absolute }) => matches(posix.basename(absolute));
    case "anywhere":
    case "absolute":
      return ({ absolute }) => matches(absolute);
    case "project":
    case "wildcard":
      return ({ relative }) => relative !== undefined && matches(relative);
  }
}

function common(kind: PathPattern["kind"], glob: string): Omit<PathPattern, "matches"> {
  const named = kind === "basename" ? `**/${glob}` : glob;
  return {
    kind,
    glob,
    wide: wideOf(named).map((pattern) => compileWildcard(pattern)),
    plain: !/[?[\]{}()!+@|\\]/.test(glob),
    base: kind === "basename" || kind === "anywhere" ? "" : baseOf(glob),
  };
}

function kindOf(glob: string): PathPattern["kind"] {
  if (glob.startsWith("/")) return "absolute";
  if (!glob.includes("/")) return "basename";
  return glob.startsWith("**/") ? "anywhere" : "project";
}

const SPECIAL = /[[{(\\|]|[?*+@!]\(/;
const MOST_WIDE = 8;

/** Wildcards of which one at least matches whatever the glob matches; what is neither literal, `*` nor `?` is any text. */
function wideOf(glob: string): string[] {
  const start = glob.search(SPECIAL);
  if (start >= 0) {
    const end = Math.max(...["]", "}", ")", "|"].map((close) => glob.lastIndexOf(close)), glob.lastIndexOf("\\") + 1);
    const last = end > start ? glob.slice(end + 1) : "";
    return optionalSlashes(glob.slice(0, start)).map((before) => `${before}*${last.replaceAll("/**/", "*")}`);
  }
  return optionalSlashes(glob);
}

/** Two stars and their slash may be nothing; in front they end at some slash of every absolute path. */
function optionalSlashes(glob: string): string[] {
  let wide = [glob.replace(/^\*\*\//, "*/")];
  while (wide[0]?.includes("/**/")) {
    const next = wide.flatMap((text) => [text.replace("/**/", "/"), text.replace("/**/", "/*/")]);
    if (next.length > MOST_WIDE) return wide.map((text) => `${text.slice(0, text.indexOf("/**/"))}*`);
    wide = next;
  }
  return wide.flatMap((text) => (text.endsWith("/**") ? [text.slice(0, -3), text.slice(0, -1)] : [text]));
}

function baseOf(glob: string): string {
  const special = glob.search(/[*?[{(\\|+@!]/);
  if (special < 0) return glob;
  const slash = glob.lastIndexOf("/", special);
  return slash < 0 ? "" : slash === 0 ? "/" : glob.slice(0, slash);
}
