import { type AbsolutePath, absolutePath } from "../text/index.ts";
import type { Collection } from "./collect.ts";
import type { Flow } from "./flow.ts";
import { type Value, valueFrom } from "./value.ts";
import { writtenBefore } from "./written-before.ts";

// Of the project, of the user or of the machine: whichever is written may be the one.
const SETTINGS = ["/.npmrc", "/.yarnrc"].map((name) => valueFrom([{ cause: "variable", text: "…" }, name], false));

type Scripts = ReadonlyMap<string, string>;

/**
 * The scripts of the package.json that is nearest to where an invocation runs. Undefined when they cannot be known: the
 * file cannot be read, or there may be one when the invocation runs. None where there is no file, as then nothing runs.
 */
export function packageScripts(collection: Collection, steps: readonly Value[], flow: Flow): Scripts | undefined {
  const { readText, exists } = collection.surroundings;
  const start = startDirectory(steps, flow);
  if (start === undefined || readText === undefined || SETTINGS.some((file) => writtenBefore(collection, file)))
    return undefined;
  for (let at: AbsolutePath | undefined = start; at !== undefined; at = parentOf(at)) {
    const file = absolutePath("package.json", at);
    // Settings may name the shell that gets the scripts.
    if (writtenBefore(collection, file) || /^\s*script-shell\s*=/m.test(readText(absolutePath(".npmrc", at)) ?? ""))
      return undefined;
    const text = readText(file);
    if (text !== undefined) return scriptsOf(text);
    if (exists?.(file) !== false) return undefined;
  }
  // A directory that is not there yet (`git clone u d; cd d; npm run x`) may come with a package.json. Without the one
  // that the text starts in, nothing runs at all.
  return exists?.(start) === true || exists?.(collection.surroundings.cwd) === false ? new Map() : undefined;
}

function startDirectory(steps: readonly Value[], flow: Flow): AbsolutePath | undefined {
  let from = flow.directories?.length === 1 ? flow.directories[0] : undefined;
  for (const step of steps) {
    if (from === undefined || typeof step !== "string") return undefined;
    from = absolutePath(step, from);
  }
  return from;
}

function parentOf(path: AbsolutePath): AbsolutePath | undefined {
  return path === "/" ? undefined : absolutePath("..", path);
}

function scriptsOf(text: string): Scripts | undefined {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    if (typeof scripts !== "object" || scripts === null) return new Map();
    return new Map(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return undefined;
  }
}
