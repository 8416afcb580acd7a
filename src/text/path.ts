import { posix } from "node:path";

declare const absolute: unique symbol;
/** A path that begins with `/` and holds no `.`, `..` or empty parts. */
export type AbsolutePath = string & { readonly [absolute]: true };

/** Resolves a path as the system would without symlinks: `.` and `..` removed, no trailing slash. */
export function absolutePath(path: string, directory = "/"): AbsolutePath {
  // Most paths are plain, and a text may name thousands: those are not taken apart.
  if (isPlain(path)) {
    if (path.startsWith("/")) return path as AbsolutePath;
    if (directory === "/") return `/${path}` as AbsolutePath;
    if (directory.startsWith("/") && isPlain(directory)) return `${directory}/${path}` as AbsolutePath;
  }
  return posix.resolve(directory, path) as AbsolutePath;
}

/** Whether no part of a path is empty or begins with a dot. */
function isPlain(path: string): boolean {
  return !/^(?:\.|$)|\/(?:[./]|$)/.test(path);
}

/** Whether `path` is `directory` or inside it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}
