import type { PathSubject } from "./path-match.ts";
import type { Rule } from "./rule.ts";

/** Positions of the rules about one kind of use, ascending, by where the paths lie that they can match. */
export interface EffectIndex {
  readonly all: readonly number[];
  /** Rules that may match a path anywhere. */
  readonly anywhere: readonly number[];
  /** Those and the rules for paths below one folder of the root, by its name. */
  readonly below: ReadonlyMap<string, readonly number[]>;
}

/** Sorts the rules for one tool by the folder of the root that their patterns begin in. */
export function indexEffects(rules: readonly Rule[], positions: readonly number[]): EffectIndex {
  const folders = positions.map((position) => folderOf(rules[position]));
  const anywhere = positions.filter((_, i) => folders[i] === undefined);
  const names = new Set(folders.filter((folder) => folder !== undefined));
  const below = new Map<string, readonly number[]>();
  for (const name of names) {
    below.set(
      name,
      positions.filter((_, i) => folders[i] === undefined || folders[i] === name),
    );
  }
  return { all: positions, anywhere, below };
}

function folderOf(rule: Rule | undefined): string | undefined {
  // On Windows names are compared in another way.
  if (rule?.path?.kind !== "absolute" || rule.text.windows || rule.path.base === "/") return undefined;
  return firstName(rule.path.base);
}

/** The rules that may match a path: all of them unless it is known, and leads nowhere else. */
export function effectRulesFor(index: EffectIndex, subject: PathSubject): readonly number[] {
  const { written } = subject;
  if (index.below.size === 0 || written === undefined || written.absolute === "/") return index.all;
  if (subject.real.views.length > 0) return index.all;
  return index.below.get(firstName(written.absolute)) ?? index.anywhere;
}

function firstName(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}
