import type { OwnPlaces } from "./protection.ts";

/** What an evaluation needs to know of the world besides the policy. Functions never throw. */
export interface Context {
  readonly cwd: string;
  readonly home: string;
  /** Relative path patterns start here; what lies outside is an `external_directory`. */
  readonly projectRoot: string;
  readonly env: ReadonlyMap<string, string>;
  /** Path separators and case as on Windows. */
  readonly windows?: boolean | undefined;
  /** The path with all symlinks resolved, as far as it exists. */
  readonly realPath?: ((path: string) => string) | undefined;
  /** Where guarded-sh's own files lie: nothing that is judged may write there. Undefined: there is nothing to protect. */
  readonly own?: (() => OwnPlaces) | undefined;
  /** Undefined: not known. A program that searches a directory reads every file in it. */
  readonly isDirectory?: ((path: string) => boolean | undefined) | undefined;
}
