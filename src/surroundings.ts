import { accessSync, closeSync, constants, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { existsByFolder } from "./folder-names.ts";
import type { Context } from "./policy/index.ts";
import type { Surroundings } from "./segment/index.ts";
import { type AbsolutePath, absolutePath, LIMITS } from "./text/index.ts";

/** The part of the world that judging may look at: files that a text runs, symlinks, what PATH finds. */
export function surroundingsOf(cwd: string, env: Readonly<Record<string, string | undefined>>): Surroundings {
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) if (value !== undefined) variables.set(name, value);
  return {
    cwd: absolutePath(resolve(cwd)),
    home: homeOf(variables),
    env: variables,
    readText,
    exists,
    realPath,
    findProgram: programFinder(variables.get("PATH") ?? ""),
  };
}

function homeOf(env: ReadonlyMap<string, string>): AbsolutePath {
  const home = env.get("HOME");
  return absolutePath(home?.startsWith("/") ? home : homedir());
}

/** A text file up to the limit; undefined when there is none, it is too large or it is not text. */
export function readText(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    // A FIFO or a device would block or never end.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    descriptor = openSync(path, "r");
    const buffer = Buffer.alloc(LIMITS.textBytes + 1);
    const length = readSync(descriptor, buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, length);
    if (length > LIMITS.textBytes || bytes.includes(0)) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The text of a script that is given as one, or why there is none. */
export type Script = { readonly kind: "text"; readonly text: string } | { readonly kind: "missing" | "unreadable" };

export function readScript(path: string): Script {
  const text = readText(path);
  if (text !== undefined) return { kind: "text", text };
  return { kind: isDirectory(path) === undefined ? "missing" : "unreadable" };
}

/** Whether something lies at the path; undefined when a folder on the way keeps that from being known. */
export function exists(path: string): boolean | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return undefined;
  }
}

/** The path with symlinks resolved; what does not exist yet stays as written below the part that does. */
export function realPath(path: string): string {
  return resolvedWith(realPath, exists, path);
}

/** `folderPath` resolves the folders that have to be resolved for it. */
function resolvedWith(folderPath: (path: string) => string, isThere: typeof exists, path: string): string {
  try {
    // Asking first is cheaper than the exception for every file that is not there yet.
    if (path === "/" || isThere(path) === true) return realpathSync(path);
  } catch {
    // A link that leads nowhere, a loop, or a folder that may not be read: its own folder is as far as can be told.
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const real = folderPath(parent);
  const name = path.slice(parent === "/" ? 1 : parent.length + 1);
  // What leads nowhere else stays as it is written.
  return real === parent && !real.endsWith("/") && /^[^./][^/]*$/.test(name) ? path : join(real, name);
}

interface Worlds {
  readonly surroundings: Surroundings;
  readonly context: Context;
}

/** The same world for the time of one judgement: a path that a text names thousands of times is looked at once. */
export function lookingOnce({ surroundings, context }: Worlds): Worlds {
  const isThere = remembering(existsByFolder(exists));
  const ownReal = remembering((path: string): string => resolvedWith(ownReal, isThere, path));
  const real = surroundings.realPath === realPath ? ownReal : once(surroundings.realPath);
  const unlessMissing = <Found>(own: (path: string) => Found) =>
    remembering((path: string) => (isThere(path) === false ? undefined : own(path)));
  return {
    surroundings: {
      ...surroundings,
      readText: surroundings.readText === readText ? unlessMissing(readText) : once(surroundings.readText),
      exists: surroundings.exists === exists ? isThere : once(surroundings.exists),
      realPath: real,
    },
    context: {
      ...context,
      realPath: context.realPath === surroundings.realPath ? real : context.realPath,
      isDirectory: context.isDirectory === isDirectory ? unlessMissing(isDirectory) : once(context.isDirectory),
    },
  };
}

function once<Found>(look: ((path: string) => Found) | undefined): ((path: string) => Found) | undefined {
  return look && remembering(look);
}

function remembering<Found>(look: (path: string) => Found): (path: string) => Found {
  const known = new Map<string, Found>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined || known.has(path)) return found as Found;
    const looked = look(path);
    known.set(path, looked);
    return looked;
  };
}

export function isDirectory(path: string): boolean | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory();
  } catch {
    return undefined;
  }
}

/** Looks programs up as `execvp` does; relative entries of PATH find nothing. */
function programFinder(path: string): (name: string) => string | undefined {
  const found = new Map<string, string | undefined>();
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  return (name) => {
    if (!found.has(name)) found.set(name, folders.map((folder) => join(folder, name)).find(isExecutable));
    return found.get(name);
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The folder that relative patterns start in and that `external_directory` is outside of: the repository, or the directory. */
export function projectRootOf(cwd: string): AbsolutePath {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    for (const mark of [".git", "guarded-sh.toml", ".guarded-sh"]) {
      try {
        statSync(join(at, mark));
        return absolutePath(at);
      } catch {
        // not here: look further up
      }
    }
    if (dirname(at) === at) return absolutePath(resolve(cwd));
  }
}
