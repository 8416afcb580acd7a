import { absolutePath, LIMITS, type Span } from "../text/index.ts";
import { addFinding, type Collection } from "./collect.ts";
import { resolvePaths } from "./effects.ts";
import { bothEnds, type Ends, type Flow, unsettled } from "./flow.ts";
import { childFlow, inside, type Wrapped } from "./peel.ts";
import { walkScript } from "./script.ts";
import { shownValue, type Value } from "./value.ts";

const SHELLS = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?(?:\S*\/)?(?:ba|da|k|z|a|mk)?sh(?:\s|$)/;

/**
 * Reads the script file that a shell, `source` or its own name runs, and judges what it contains. What cannot be read
 * now, or may be written by the text itself before it runs, is opaque. `direct`: run by its own name, so it is a script
 * only if its first line says so.
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
  if (typeof file !== "string" || candidates.length !== 1) return opaque("is known only when the text runs");
  if (writtenBefore(collection, file)) return opaqueWritten(collection, wrapped, file, span);
  if (place.files >= LIMITS.followedFiles) return opaque(`is more than ${LIMITS.followedFiles} scripts deep`);
  const text = collection.surroundings.readText?.(file);
  if (text === undefined) return opaque("cannot be read now");
  if (direct ? !SHELLS.test(text) : /^#!/.test(text) && !SHELLS.test(text) && !keeps)
    return direct ? undefined : opaque("is written for another interpreter");
  const start = keeps
    ? { ...flow, positional: parameters.length > 0 ? parameters : flow.positional }
    : childFlow(flow, false, parameters);
  const at = { ...inside(wrapped, "file", place.fixed ?? span), files: place.files + 1, scripts: place.scripts + 1 };
  return walkScript(collection, text, file, start, at);
}

/** Whether an earlier part of the text writes a file that a later part runs. */
function writtenBefore(collection: Collection, file: string): boolean {
  return collection.effects.some(
    (effect) =>
      effect.tool === "file_write" &&
      [effect.path, ...effect.otherPaths].some((path) => mayBe(path, file, effect.access)),
  );
}

function mayBe(path: Value, file: string, access: string): boolean {
  if (typeof path === "string")
    return path === file || (access === "extract" && file.startsWith(`${path === "/" ? "" : path}/`));
  const last = path.pieces.at(-1);
  const first = path.pieces[0];
  const starts = typeof first !== "string" || file.startsWith(first);
  return starts && (typeof last !== "string" || file.endsWith(last));
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
  const scripts = packageScripts(collection, wrapped);
  for (const name of names) {
    if (typeof name !== "string" || scripts === undefined) {
      addFinding(
        collection,
        "opaque-script",
        `the package script \`${shownValue(name)}\` cannot be read now`,
        span,
        wrapped.index,
      );
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
  const at = { ...inside(wrapped, "file", place.fixed ?? span), files: place.files + 1, scripts: place.scripts + 1 };
  walkScript(collection, text, `package.json: ${name}`, childFlow(flow, false, undefined), at);
}

/** The scripts of the package.json that is nearest to where the invocation runs. */
function packageScripts(collection: Collection, { reading, flow }: Wrapped): ReadonlyMap<string, string> | undefined {
  const [start] = startDirectories(reading.directories, flow);
  for (let at = start; at !== undefined; at = parentOf(at)) {
    const text = collection.surroundings.readText?.(absolutePath("package.json", at));
    if (text !== undefined) return scriptsOf(text);
  }
  return undefined;
}

function startDirectories(steps: readonly Value[], flow: Flow): readonly string[] {
  let from: readonly string[] = flow.directories?.length === 1 ? flow.directories : [];
  for (const step of steps)
    from = typeof step === "string" ? from.map((directory) => absolutePath(step, directory)) : [];
  return from;
}

function parentOf(path: string): string | undefined {
  return path === "/" ? undefined : absolutePath("..", path);
}

function scriptsOf(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    if (typeof scripts !== "object" || scripts === null) return new Map();
    return new Map(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return undefined;
  }
}
