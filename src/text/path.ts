import { posix } from "node:path";

declare const absolute: unique symbol;
/** A path that begins with `/` and holds no `.`, `..` or empty parts. */
export type AbsolutePath = string & { readonly [absolute]: true };

/** Resolves a path as the system would without symlinks: `.` and `..` removed, no trailing slash. */
export function absolutePath(path: string, directory = "/"): AbsolutePath {
  return posix.resolve(directory, path) as AbsolutePath;
}

/** Whether `path` is `directory` or inside it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}
