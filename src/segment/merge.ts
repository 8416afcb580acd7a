import { escapeOf, factsOf, spellingsOf, verbOf } from "./facts.ts";
import type { CommandSpec, Entry, OptionFacts, OptionSpec } from "./spec.ts";

type Options = Readonly<Record<string, OptionSpec>>;
type Verbs = Readonly<Record<string, CommandSpec | string>>;

/**
 * An entry of the user on top of a curated one: it may add options, verbs and facts and make them stricter. What would
 * make a known thing laxer is left out; `extension.ts` reports it.
 */
export function mergeUser(known: Entry, user: Entry): Entry {
  const variables = [...new Set([...(known.variables ?? []), ...(user.variables ?? [])])];
  return { ...mergeUserSpec(known, user), names: known.names, ...(variables.length > 0 && { variables }) };
}

/** Fields that a user may fill where the dictionary says nothing: each of them can only tighten. */
const STRICTER_FIELDS = ["operands", "closed", "appends", "apart", "stdin", "runner", "escape"] as const;

function mergeUserSpec(known: CommandSpec, user: CommandSpec): CommandSpec {
  const merged = { ...known };
  for (const field of STRICTER_FIELDS) {
    if (merged[field] === undefined && user[field] !== undefined) Object.assign(merged, { [field]: user[field] });
  }
  if (known.does !== undefined && user.does !== undefined) {
    Object.assign(merged, { does: [...new Set([...known.does, ...user.does])] });
  }
  if (user.options !== undefined) Object.assign(merged, { options: mergeUserOptions(known, user.options) });
  const verbs = user.verbs && mergeUserVerbs(known, user.verbs);
  if (verbs !== undefined) Object.assign(merged, { verbs });
  return merged;
}

/**
 * The entry with prefixes at least as long as the user says, of a verb and of all below it; never shorter, or an *always*
 * would store more than the dictionary means.
 */
export function raiseWords<Spec extends CommandSpec>(
  spec: Spec,
  user: CommandSpec | undefined,
  depth = 1,
  least = 0,
): Spec {
  const wanted = Math.max(least, user?.words ?? 0);
  if (wanted === 0 && user?.verbs === undefined) return spec;
  const raised = { ...spec };
  if (wanted > (spec.words ?? depth)) Object.assign(raised, { words: wanted });
  const verbs = Object.entries(spec.verbs ?? {}).map(([name, verb]) => {
    return [
      name,
      typeof verb === "string" ? verb : raiseWords(verb, verbOf(user?.verbs, name), depth + 1, wanted),
    ] as const;
  });
  if (verbs.length > 0) Object.assign(raised, { verbs: Object.fromEntries(verbs) });
  return raised;
}

function mergeUserOptions(known: CommandSpec, user: Options): Options {
  const own = new Map(Object.entries(known.options ?? {}));
  const keyBySpelling = new Map(
    [...own.keys()].flatMap((key) => spellingsOf(key).map((spelling) => [spelling, key] as const)),
  );
  for (const [key, spec] of Object.entries(user)) {
    const common = spellingsOf(key)
      .map((spelling) => keyBySpelling.get(spelling))
      .find((found) => found !== undefined);
    if (common === undefined) {
      if (!shortensEscape(key, own)) own.set(key, spec);
    } else own.set(common, stricterOption(own.get(common) ?? 0, factsOf(spec)));
  }
  return Object.fromEntries(own);
}

/** Whether a new option would hide an abbreviation of one that is an escape (`--compress-prog` of sort). */
export function shortensEscape(key: string, known: ReadonlyMap<string, OptionSpec>): boolean {
  const long = spellingsOf(key).filter((spelling) => spelling.startsWith("--"));
  return [...known].some(
    ([other, spec]) =>
      escapeOf(factsOf(spec)) !== undefined &&
      spellingsOf(other).some((spelling) => long.some((start) => spelling.startsWith(start))),
  );
}

/** The known option, and of the user's facts an escape that it lacks. */
function stricterOption(known: OptionSpec, user: OptionFacts): OptionSpec {
  const added = escapeOf(user);
  if (escapeOf(factsOf(known)) !== undefined || added === undefined) return known;
  const { transparent: _, unless: __, ...facts } = factsOf(known);
  return { ...facts, escape: added, ...(user.unless === undefined ? {} : { unless: user.unless }) };
}

/** A new verb where operands are known would hide them: `rm` as a verb of sudo. */
function mergeUserVerbs(known: CommandSpec, user: Verbs): Verbs | undefined {
  const own = new Map<string, CommandSpec | string>(Object.entries(known.verbs ?? {}));
  for (const [name, spec] of Object.entries(user)) {
    const target = own.get(name);
    if (typeof target === "object" && typeof spec === "object") own.set(name, mergeUserSpec(target, spec));
    else if (target === undefined && known.operands === undefined) own.set(name, spec);
  }
  return own.size === 0 ? undefined : Object.fromEntries(own);
}
