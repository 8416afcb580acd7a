import { posix } from "node:path";
import { isCopied } from "../segment/copies.ts";
import type { Effect, Segment } from "../segment/segment.ts";
import type { Piece } from "../segment/value.ts";
import { isInside } from "../text/index.ts";
import type { Context } from "./context.ts";
import { canMatchPath, compileWildcard } from "./wildcard.ts";

/** Files that a copy, move or link writes although no word names them: `cp -r new/. .`, `mv new/g* .`. */
export interface UnnamedCopy {
  readonly effect: Effect;
  readonly segment: Segment | undefined;
  readonly context: Context;
}

/** Whether a copied directory's content lands where a policy would be read. `places`: guarded-sh's own files and folders. */
export function contentLandsOnOwn(path: string, copy: UnnamedCopy, places: readonly string[]): boolean {
  const { effect, segment, context } = copy;
  if (effect.access !== "extract" || !copiesDirectories(segment)) return false;
  const into = [path, context.realPath?.(path) ?? path];
  if (policyFolders(context).some((folder) => into.includes(folder))) return true;
  return places.some((place) => into.some((folder) => isInside(place, folder)));
}

/** Whether a name that a glob stands for may be the policy's, in a folder where a policy would be read. */
export function globLandsOnOwn(pieces: readonly Piece[], { effect, segment, context }: UnnamedCopy): boolean {
  if (effect.access !== "write" && effect.access !== "extract") return false;
  if (!segment?.reading?.files.some(({ access }) => isCopied(access))) return false;
  // Of a text that nobody knows, every `cp x "$to"` would be a question.
  if (!pieces.every((piece) => typeof piece === "string" || piece.cause === "path")) return false;
  const word = { value: { pieces, splits: false }, optional: false };
  const names = policyFolders(context).flatMap((folder) => [
    posix.join(folder, "guarded-sh.toml"),
    posix.join(folder, ".guarded-sh"),
  ]);
  return names.some((name) => canMatchPath(compileWildcard(name), word));
}

function copiesDirectories(segment: Segment | undefined): boolean {
  const files = segment?.reading?.files ?? [];
  return files.some(({ access }) => isCopied(access)) && files.some(({ access }) => access === "search");
}

/** From where the text runs up to the project's root. */
function policyFolders({ cwd, projectRoot }: Context): readonly string[] {
  const folders = [projectRoot];
  for (let at = cwd; isInside(at, projectRoot) && at !== projectRoot; at = posix.dirname(at)) folders.push(at);
  return folders;
}
