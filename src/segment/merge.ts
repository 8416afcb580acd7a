import { escapeOf, factsOf, isClosed, spellingsOf, verbOf } from "./compile.ts";
import type { CommandSpec, Entry, OperandSpec, OptionFacts, OptionSpec } from "./spec.ts";

type Options = Readonly<Record<string, OptionSpec>>;
type Verbs = Readonly<Record<string, CommandSpec | string>>;

/**
 * A curated entry with what only a generated one knows. The curated one wins option by option and verb by verb; where it
 * says which operands there are, or that it lists every option, the generated one is not heard.
 */
export function mergeGenerated(curated: Entry, generated: Entry): Entry {
  return { ...mergeSpecs(curated, generated), names: curated.names };
}

/** A generated entry as it is read: what it takes for an option's value may as well be an option. */
export function markUnsure<Spec extends CommandSpec>(spec: Spec): Spec {
  const marked = { ...spec };
  if (spec.options !== undefined) Object.assign(marked, { options: mapValues(spec.options, unsure) });
  if (spec.verbs !== undefined) {
    Object.assign(marked, {
      verbs: mapValues(spec.verbs, (verb) => (typeof verb === "string" ? verb : markUnsure(verb))),
    });
  }
  if (isClosed(spec)) Object.assign(marked, { operands: spec.operands?.map(unsureOperand) });
  return marked;
}

function unsure(option: OptionSpec): OptionSpec {
  return option === 0 ? option : { ...factsOf(option), unsure: true };
}

function unsureOperand(operand: OperandSpec): OperandSpec {
  return operand === "command" ? { role: operand, unsure: true } : operand;
}

function mergeSpecs(curated: CommandSpec, generated: CommandSpec): CommandSpec {
  const merged = { ...curated };
  if (generated.options !== undefined) {
    Object.assign(merged, { options: mergeOptions(curated, generated.options) });
  }
  if (curated.operands !== undefined) return merged;
  if (generated.operands !== undefined) Object.assign(merged, { operands: generated.operands });
  if (generated.verbs !== undefined) Object.assign(merged, { verbs: mergeVerbs(curated.verbs ?? {}, generated.verbs) });
  if (curated.words === undefined && generated.words !== undefined) {
    Object.assign(merged, { words: generated.words });
  }
  return merged;
}

/** More spellings for the curated options, and the generated options that have no spelling in common with one. */
function mergeOptions(curated: CommandSpec, generated: Options): Options {
  const own = Object.keys(curated.options ?? {});
  const keyBySpelling = new Map(own.flatMap((key) => spellingsOf(key).map((spelling) => [spelling, key] as const)));
  // A verb inherits the options above it, so one that lists its own must not learn of more.
  const closed = hasClosed(curated);
  const more = new Map<string, string[]>();
  const others: [string, OptionSpec][] = [];
  for (const [key, spec] of Object.entries(generated)) {
    const spellings = spellingsOf(key);
    const common = spellings.map((spelling) => keyBySpelling.get(spelling)).find((found) => found !== undefined);
    if (common !== undefined) {
      const added = spellings.filter((spelling) => !keyBySpelling.has(spelling));
      more.set(common, [...(more.get(common) ?? []), ...added]);
    } else if (!closed) others.push([key, spec]);
  }
  const kept = own.map((key): [string, OptionSpec] => {
    const spelled = [...(more.get(key) ?? []), key].join(", ");
    return [spelled, curated.options?.[key] ?? 0];
  });
  return Object.fromEntries([...kept, ...others]);
}

function hasClosed(spec: CommandSpec): boolean {
  return isClosed(spec) || Object.values(spec.verbs ?? {}).some((verb) => typeof verb === "object" && hasClosed(verb));
}

function mergeVerbs(curated: Verbs, generated: Verbs): Verbs {
  const merged = new Map<string, CommandSpec | string>(Object.entries(curated));
  for (const [name, other] of Object.entries(generated)) {
    const own = merged.get(name);
    if (own === undefined) merged.set(name, other);
    else if (typeof own === "object" && typeof other === "object") merged.set(name, mergeSpecs(own, other));
  }
  // Another name of a generated verb may be one that the curated entry gives a meaning of its own.
  for (const [name, target] of merged) {
    if (typeof target === "string" && typeof merged.get(target) !== "object") merged.delete(name);
  }
  return Object.fromEntries(merged);
}

/**
 * An entry of the user on top of a curated one: it may add options, verbs and facts and make them stricter. What would
 * make a known thing laxer is left out; `extension.ts` reports it.
 */
export function mergeUser(known: Entry, user: Entry): Entry {
  const variables = [...new Set([...(known.variables ?? []), ...(user.variables ?? [])])];
  return { ...mergeUserSpec(known, user), names: known.names, ...(variables.length > 0 && { variables }) };
}

/** Fields that a user may fill where the dictionary says nothing: each of them can only tighten. */
const STRICTER_FIELDS = ["operands", "closed", "appends", "stdin", "runner", "escape"] as const;

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
    return [name, typeof verb === "string" ? verb : raiseWords(verb, verbOf(user, name), depth + 1, wanted)] as const;
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

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
