import { LIMITS, type Span } from "../text/index.ts";
import { childFlow, shellFlow } from "./child-flow.ts";
import { addFinding, type Collection } from "./collect.ts";
import { resolvePaths } from "./effects.ts";
import { bothEnds, type Ends, joinEnds, unsettled } from "./flow.ts";
import { packageScripts } from "./package-scripts.ts";
import { inside, type Wrapped } from "./peel.ts";
import type { Reading } from "./reading.ts";
import { walkScript } from "./script.ts";
import type { Dialect } from "./spec.ts";
import { shownValue, type Value } from "./value.ts";
import { writtenBefore } from "./written-before.ts";

const SHELLS = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?(?:\S*\/)?(?:ba|da|k|z|a|mk)?sh(?:\s|$)/;

/**
 * Reads the script file that a shell, `source` or its own name runs, and judges what it contains. What cannot be read
 * now, or may be written by the text itself before it runs, is opaque. `direct`: run by its own name, so its first line says
 * what reads it; without `#!` the kernel refuses it, and bash then runs a text as a script of its own.
 */
export function followFile(
  collection: Collection,
  wrapped: Wrapped,
  path: Value,
  parameters: readonly Value[],
  span: Span,
  direct = false,
): Ends | undefined {
  const { flow, place, index, reading } = wrapped;
  const keeps = (reading.spec?.shell ?? reading.entry?.shell)?.keeps === true;
  const opaque = (cause: string): Ends | undefined => {
    if (!direct) addFinding(collection, "opaque-script", `the script \`${shownValue(path)}\` ${cause}`, span, index);
    return keeps ? bothEnds(unsettled(flow)) : undefined;
  };
  const candidates = resolvePaths(path, flow.directories);
  const [file] = candidates;
  // Also where the directory is not known: `cd d; echo … > a.sh; ./a.sh` runs what it wrote.
  const written = candidates.find((candidate) => writtenBefore(collection, candidate, index));
  if (written !== undefined) {
    opaqueWritten(collection, wrapped, shownValue(written), span);
    return keeps ? bothEnds(unsettled(flow)) : undefined;
  }
  collection.scripts.push({ files: candidates, span, segment: index, effects: collection.effects.length });
  if (direct && candidates.length > 1) return followEach(collection, wrapped, candidates, parameters, span);
  if (typeof file !== "string" || candidates.length !== 1) return opaque("is known only when the text runs");
  if (place.files >= LIMITS.followedFiles) return opaque(`is more than ${LIMITS.followedFiles} scripts deep`);
  const text = collection.surroundings.readText?.(file);
  if (text === undefined) return opaque("cannot be read now");
  if (/^#!/.test(text) && !SHELLS.test(text) && !keeps)
    return direct ? undefined : opaque("is written for another interpreter");
  const start = keeps
    ? { ...flow, positional: parameters.length > 0 ? parameters : flow.positional }
    : { ...shellFlow(wrapped, false, parameters), dialect: dialectOf(text, reading, direct) };
  const inner = inside(wrapped, "file", place.fixed ?? span);
  const at = { ...inner, files: place.files + 1, scripts: place.scripts + 1, script: keeps ? inner.script : [] };
  const ends = walkScript(collection, text, file, start, at);
  // What stands behind a `return` may not run.
  return keeps && ends !== undefined && /\breturn\b/.test(text) ? bothEnds(unsettled(joinEnds(ends))) : ends;
}

/** A script that is run by its own name is read by the shell of its first line, without one by bash itself. */
function dialectOf(text: string, { entry }: Reading, direct: boolean): Dialect {
  if (!direct) return entry?.dialect ?? "posix";
  if (!text.startsWith("#!")) return "bash";
  const [first = ""] = text.split("\n", 1);
  return /\bbash\b/.test(first) ? "bash" : /\bzsh\b/.test(first) ? "zsh" : "posix";
}

/** Below a directory that an earlier `cd` may not have reached, any of the scripts may be the one. */
function followEach(
  collection: Collection,
  wrapped: Wrapped,
  candidates: readonly Value[],
  parameters: readonly Value[],
  span: Span,
): undefined {
  for (const candidate of candidates)
    if (typeof candidate === "string") followFile(collection, wrapped, candidate, parameters, span, true);
  return undefined;
}

function opaqueWritten(collection: Collection, wrapped: Wrapped, file: string, span: Span): undefined {
  addFinding(
    collection,
    "opaque-script",
    `the script \`${file}\` is written by the text that runs it`,
    span,
    wrapped.index,
  );
  return undefined;
}

/** Follows `npm run X` and its kin into package.json, with the scripts that run before and after. */
export function followPackageScript(
  collection: Collection,
  wrapped: Wrapped,
  names: readonly Value[],
  span: Span,
): void {
  const scripts = packageScripts(collection, wrapped.reading.directories, wrapped.flow);
  for (const name of names) {
    if (typeof name !== "string" || scripts === undefined) {
      const message = `the package script \`${shownValue(name)}\` cannot be read now`;
      addFinding(collection, "opaque-script", message, span, wrapped.index);
      return;
    }
    for (const key of [`pre${name}`, name, `post${name}`]) {
      const text = scripts.get(key);
      if (text !== undefined) runPackageScript(collection, wrapped, text, key, span);
    }
  }
}

function runPackageScript(collection: Collection, wrapped: Wrapped, text: string, name: string, span: Span): void {
  const { place, flow } = wrapped;
  if (place.files >= LIMITS.followedFiles) {
    addFinding(
      collection,
      "opaque-script",
      `the package script \`${name}\` is more than ${LIMITS.followedFiles} scripts deep`,
      span,
      wrapped.index,
    );
    return;
  }
  const inner = inside(wrapped, "file", place.fixed ?? span);
  const at = { ...inner, files: place.files + 1, scripts: place.scripts + 1, script: [] };
  walkScript(collection, text, `package.json: ${name}`, childFlow(flow, false, undefined, "posix"), at);
}
