import type { CommandPattern } from "./command-pattern.ts";
import { type EffectIndex, indexEffects } from "./effect-index.ts";
import type { Rule } from "./rule.ts";
import type { EffectTool } from "./tool.ts";
import type { SegmentViews } from "./views.ts";
import { matchesWildcard } from "./wildcard.ts";

/** Positions of rules in their document, ascending, by what they can be about. */
export interface RuleIndex {
  readonly all: readonly number[];
  /** Rules about one program, by its name. */
  readonly byProgram: ReadonlyMap<string, readonly number[]>;
  /** The rules for a program by its names together with those for any, once they were asked for. */
  readonly merged: Map<string, readonly number[]>;
  /** Bash rules whose program is not one plain word. */
  readonly anyProgram: readonly number[];
  readonly bash: readonly number[];
  /** Bash rules that can speak about assignments and redirects without a program. */
  readonly wordless: readonly number[];
  /** Rules about files, places outside the project or addresses. */
  readonly effects: readonly number[];
  /** The same for each of the tools. */
  readonly byTool: (tool: EffectTool) => EffectIndex;
  /** Bash rules that speak about the target of a redirect. */
  readonly redirects: readonly number[];
}

/** Sorts a document's rules by what they are about, so that a segment meets only those that can match it. */
export function indexRules(rules: readonly Rule[]): RuleIndex {
  const byProgram = new Map<string, number[]>();
  const all = rules.map((_, position) => position);
  const byTool = toolIndex(rules);
  const lists = { anyProgram: [], bash: [], wordless: [], effects: [], redirects: [] };
  const index: MutableIndex = { all, byProgram, byTool, merged: new Map(), ...lists };
  for (const [position, rule] of rules.entries()) {
    if (Object.values(rule.effects).includes(true)) index.effects.push(position);
    if (rule.command === undefined) continue;
    index.bash.push(position);
    if (rule.catchAll || speaksWordless(rule.command)) index.wordless.push(position);
    if (rule.catchAll || rule.command.redirect !== undefined) index.redirects.push(position);
    if (!rule.command.heads.every((head) => head.whole)) index.anyProgram.push(position);
    else for (const name of new Set(rule.command.heads.map(({ text }) => text))) addTo(byProgram, name, position);
  }
  return index;
}

/** Made when a file is first used: most texts that are judged use none. */
function toolIndex(rules: readonly Rule[]): RuleIndex["byTool"] {
  const known = new Map<EffectTool, EffectIndex>();
  return (tool) => {
    const found = known.get(tool) ?? indexEffects(rules, positionsOf(rules, tool));
    known.set(tool, found);
    return found;
  };
}

function positionsOf(rules: readonly Rule[], tool: EffectTool): readonly number[] {
  return rules.flatMap((rule, position) => (rule.effects[tool] ? [position] : []));
}

interface MutableIndex extends RuleIndex {
  readonly anyProgram: number[];
  readonly bash: number[];
  readonly wordless: number[];
  readonly effects: number[];
  readonly redirects: number[];
}

function speaksWordless({ expanded, readings, assignments, mentionsRedirect }: CommandPattern): boolean {
  if (mentionsRedirect || assignments > 0 || expanded.pattern.includes("=")) return true;
  return [expanded, ...readings].some((pattern) => matchesWildcard(pattern, ""));
}

function addTo(byProgram: Map<string, number[]>, name: string, position: number): void {
  const list = byProgram.get(name);
  if (list === undefined) byProgram.set(name, [position]);
  else list.push(position);
}

/** The rules that may match a segment. */
export function rulesFor(index: RuleIndex, { program, name, segment }: SegmentViews): readonly number[] {
  if (program === undefined)
    return segment.words.length === 0 && segment.reading === undefined ? index.wordless : index.bash;
  const written = index.byProgram.get(program);
  const named = program === name ? undefined : index.byProgram.get(name);
  const lists = [index.anyProgram, written, named].filter((list) => list !== undefined && list.length > 0);
  if (lists.length < 2) return lists[0] ?? [];
  // Each is a name in the index, or none: there are no more of these keys than there are names.
  const key = `${written === undefined ? "" : program}\u0000${named === undefined ? "" : name}`;
  const merged = index.merged.get(key) ?? [...new Set(lists.flatMap((list) => list ?? []))].sort((a, b) => a - b);
  index.merged.set(key, merged);
  return merged;
}
