import { checkEntry, type EntryProblem, type Path } from "./check-entry.ts";
import { entryLayers } from "./dictionary.ts";
import { escapeOf, factsOf, spellingsOf, verbOf } from "./facts.ts";
import { shortensEscape } from "./merge.ts";
import type { CommandSpec, Entry, OptionSpec } from "./spec.ts";

/** What a policy file says of programs: `[arity]` and the `[[command]]` tables, as they were read. */
export interface UserDictionary {
  readonly arity: Readonly<Record<string, unknown>>;
  readonly command: readonly unknown[];
}

/** Entries by each of their names, for `findEntry`, and what is wrong in the file. An entry with a problem is left out. */
export interface UserEntries {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Paths begin with `arity` or `command`. */
  readonly problems: readonly EntryProblem[];
}

/** Reads what a policy file says of programs. It may add and tighten: what would loosen a curated entry is a problem. */
export function entriesFromUser({ arity, command }: UserDictionary): UserEntries {
  const problems: EntryProblem[] = [];
  const entries = new Map<string, Entry>();
  for (const [position, table] of command.entries()) addCommand(entries, table, ["command", position], problems);
  for (const [key, words] of Object.entries(arity)) addWords(entries, key, words, problems);
  return { entries, problems };
}

function addCommand(entries: Map<string, Entry>, table: unknown, path: Path, problems: EntryProblem[]): void {
  const checked = checkEntry(table, path);
  if (!("names" in checked)) {
    problems.push(...checked);
    return;
  }
  const found = checked.names.flatMap((name) => loosenings(name, checked, path));
  const twice = checked.names.filter((name) => entries.has(name));
  for (const name of twice)
    found.push({ path: [...path, "names"], message: `\`${name}\` is described twice: put it all into one table` });
  problems.push(...found);
  if (found.length === 0) for (const name of checked.names) entries.set(name, checked);
}

/** `"mytool deploy" = 2`: the prefix of `mytool deploy …` has two words. */
function addWords(entries: Map<string, Entry>, key: string, words: unknown, problems: EntryProblem[]): void {
  const [name = "", ...verbs] = key.split(/\s+/).filter((word) => word !== "");
  const path = ["arity", key];
  const message = faultOfWords(name, verbs, words);
  if (message !== undefined || typeof words !== "number") {
    problems.push({ path, message: message ?? "must be a number of words" });
    return;
  }
  const entry = entries.get(name) ?? { names: [name] };
  entries.set(name, withWords(entry, verbs, words));
}

function faultOfWords(name: string, verbs: readonly string[], words: unknown): string | undefined {
  if (name === "" || name.includes("/")) return "must begin with a program's name, without a directory";
  if (verbs.some((verb) => verb.startsWith("-"))) return "options never count: leave them out";
  if (typeof words !== "number" || !Number.isInteger(words) || words < 1 || words > 9) {
    return "must be a whole number of words from 1 to 9";
  }
  if (words <= verbs.length) return `must be at least ${verbs.length + 1}, the words of its own key`;
  return faultOfKnown(name, verbs, words);
}

function faultOfKnown(name: string, verbs: readonly string[], words: number): string | undefined {
  let spec: CommandSpec | undefined = curatedEntry(name);
  let key = name;
  for (const verb of verbs) {
    const next: CommandSpec | undefined = verbOf(spec?.verbs, verb);
    if (next === undefined && spec?.operands !== undefined) return `\`${verb}\` is an operand of ${key}, not a verb`;
    spec = next;
    key = `${key} ${verb}`;
  }
  const least = spec === undefined ? 0 : (spec.words ?? verbs.length + 1);
  return words < least ? `\`${key}\` has ${least} words already: it can only get more` : undefined;
}

function withWords<Spec extends CommandSpec>(spec: Spec, verbs: readonly string[], words: number): Spec {
  const [verb, ...others] = verbs;
  if (verb === undefined) return { ...spec, words };
  const below = withWords(verbOf(spec?.verbs, verb) ?? {}, others, words);
  return { ...spec, verbs: { ...spec.verbs, [verb]: below } };
}

/** What of a user's entry would make a curated one laxer. */
function loosenings(name: string, user: Entry, path: Path): EntryProblem[] {
  const known = curatedEntry(name);
  return known === undefined ? [] : looserSpec(known, user, path, name);
}

function curatedEntry(name: string): Entry | undefined {
  return entryLayers(name).find(({ kind }) => kind === "curated")?.entry;
}

function looserSpec(known: CommandSpec, user: CommandSpec, path: Path, name: string): EntryProblem[] {
  const problems: EntryProblem[] = [];
  const fixed = ["transparent", "syntax", "moves", "operands", "lists", "separators"] as const;
  for (const field of fixed) {
    const differs = user[field] !== undefined && JSON.stringify(user[field]) !== JSON.stringify(known[field]);
    if (!differs || (field === "operands" && known.operands === undefined)) continue;
    problems.push({ path: [...path, field], message: `\`${field}\` of ${name} is known and cannot be changed` });
  }
  for (const [key, option] of Object.entries(user.options ?? {})) {
    const message = looserOption(known, key, option);
    if (message !== undefined) problems.push({ path: [...path, "options", key], message });
  }
  for (const [verb, spec] of Object.entries(user.verbs ?? {})) {
    const other = verbOf(known.verbs, verb);
    const place = [...path, "verbs", verb];
    if (other === undefined && known.operands !== undefined) {
      problems.push({ path: place, message: `\`${verb}\` is an operand of ${name}, not a verb` });
    } else if (other !== undefined && typeof spec === "object") {
      problems.push(...looserSpec(other, spec, place, `${name} ${verb}`));
    }
  }
  return problems;
}

function looserOption(known: CommandSpec, key: string, option: OptionSpec): string | undefined {
  const options = new Map(Object.entries(known.options ?? {}));
  const spellings = spellingsOf(key);
  const common = [...options].find(([other]) => spellingsOf(other).some((spelling) => spellings.includes(spelling)));
  if (common === undefined) {
    return shortensEscape(key, options) ? `\`${key}\` is short for an option that does more` : undefined;
  }
  const [other, spec] = common;
  const kept = escapeOf(factsOf(spec));
  const own = factsOf(option);
  if (kept !== undefined && (escapeOf(own) === undefined || own.unless !== undefined)) {
    return `\`${other}\` ${kept} and cannot be made harmless`;
  }
  const tightens = kept === undefined && escapeOf(own) !== undefined;
  if (tightens || JSON.stringify(own.value) === JSON.stringify(factsOf(spec).value)) return undefined;
  return `the values of \`${other}\` are known and cannot be changed`;
}
