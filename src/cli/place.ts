import { relative } from "node:path";
import type { Document, RuleOrigin } from "../policy/index.ts";
import { escapeText, isInside, positionOf } from "../text/index.ts";

/** A path as people name it: from the directory they are in, or from their home. */
export function shownPath(path: string, cwd: string, home: string): string {
  if (!path.startsWith("/")) return escapeText(path);
  if (isInside(path, cwd)) return escapeText(relative(cwd, path) || ".");
  return escapeText(isInside(path, home) ? `~${path.slice(home.length)}` : path);
}

/** `file:line` of something that was written in a file, the file as it was named. */
export function placeOf({ source, span }: RuleOrigin): string {
  return `${source.name}:${positionOf(source, span.start).line}`;
}

/** Whether a document is one of the package's presets, whose examples are tests of the package. */
export function isPreset({ origin }: Document): boolean {
  return origin.source.name.startsWith("preset:");
}
