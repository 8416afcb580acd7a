import type { Decision } from "../decision.ts";
import { type Item, lost, rule } from "./imported.ts";

/** Globs as `.gitignore` has them: `//x` from the top of the disk, `/x` from the project, `x` at any depth, `~/x` from home. */
export function ignoreItems(tool: string, glob: string, decision: Decision, from: string): readonly Item[] {
  const restricts = decision === "allow" ? undefined : tool;
  if (/[[\]{}()!+@|\\]/.test(glob.replace(/^!/, "x")) && decision === "allow")
    return [lost(from, "its brackets may mean more here")];
  if (glob.startsWith("!")) return [lost(from, "an exception inside a list has no form here", restricts)];
  // Signs that stand for themselves there are any character here.
  const pattern = rooted(glob.replace(/[{}()!+@|\\]/g, "?"));
  if (decision === "allow" || /\*\*$|^\*$/.test(pattern)) return [rule({ tool, pattern, decision, from })];
  // There a name means the directory of that name and all that is in it.
  const inside = pattern.includes("/") ? `${pattern.replace(/\/$/, "")}/**` : `**/${pattern}/**`;
  return [rule({ tool, pattern, decision, from }), rule({ tool, pattern: inside, decision, from })];
}

function rooted(glob: string): string {
  if (glob.startsWith("//")) return glob.slice(1);
  if (glob.startsWith("/")) return glob.slice(1).includes("/") ? glob.slice(1) : `.${glob}`;
  if (glob.startsWith("./")) return glob.slice(2).includes("/") ? glob.slice(2) : glob;
  return glob;
}

/** Text wildcards for paths, whose `*` crosses slashes, as globs. */
export function crossingItems(tool: string, pattern: string, decision: Decision, from: string): readonly Item[] {
  if (/^\*+$/.test(pattern)) return [rule({ tool, pattern: "*", decision, from })];
  if (/[[\]{}()!+@|\\]/.test(pattern)) {
    if (decision === "allow") return [lost(from, "its brackets may mean more here")];
    const any = pattern.replace(/[[\]{}()!+@|\\]/g, "?");
    return crossingItems(tool, any, decision, from);
  }
  const globs = decision === "allow" ? [narrowGlob(pattern)] : wideGlobs(pattern);
  return [...new Set(globs)].map((glob) => rule({ tool, pattern: glob, decision, from }));
}

/** A star that fills a name, or what is between two slashes, may be any number of directories. */
function narrowGlob(pattern: string): string {
  return pattern.replace(/(^|\/)\*+(?=\/)/g, "$1**").replace(/\/\*+$/, "/**");
}

/** A star inside a name crosses slashes there: `a*b` is also `a/x/b`, and so is a `?` a slash. */
function wideGlobs(pattern: string): readonly string[] {
  const narrow = narrowGlob(pattern);
  const crossing = pattern.replace(/\*+/g, "*").replace(/[*?]/g, (star, at: number, text: string) => {
    if (star === "?") return "{?,/}";
    const first = at === 0 || text[at - 1] === "/";
    const last = at === text.length - 1 || text[at + 1] === "/";
    if (first && last) return "**";
    return first ? "{*,**/*}" : last ? "{*,*/**}" : "{*,*/**/*}";
  });
  return [narrow, crossing];
}
