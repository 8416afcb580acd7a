import { spellingsOf } from "../../segment/facts.ts";
import { type CommandSpec, type Entry, findEntry } from "../../segment/index.ts";
import type { Rule } from "../rule.ts";

/** The program that a bash rule's pattern names, and how far its verbs go. */
export interface NamedProgram {
  readonly entry: Entry;
  /** The spec of the deepest verb that the pattern spells. */
  readonly spec: CommandSpec;
  /** The verbs that the pattern spells, from the program on. */
  readonly verbs: readonly string[];
  /** Words of the pattern behind the program and its verbs. */
  readonly rest: readonly string[];
}

/** Reads the leading literal words of a pattern by the dictionary; undefined when they name no program it describes. */
export function namedProgram({ command, tool }: Rule, entries?: ReadonlyMap<string, Entry>): NamedProgram | undefined {
  if (command === undefined || tool !== "bash") return undefined;
  const [program, ...words] = command.words.slice(command.assignments);
  if (program === undefined || /[*?]/.test(program)) return undefined;
  const entry = findEntry(program.slice(program.lastIndexOf("/") + 1), entries);
  return entry === undefined ? undefined : descend(entry, entry, [], words);
}

function descend(entry: Entry, spec: CommandSpec, verbs: readonly string[], words: readonly string[]): NamedProgram {
  const [verb, ...rest] = words;
  const next = verb === undefined || /[*?]/.test(verb) ? undefined : verbSpec(spec, verb);
  if (verb === undefined || next === undefined) return { entry, spec, verbs, rest: words };
  return descend(entry, next, [...verbs, verb], rest);
}

/** Every spelling of every option that a call of the program may have: of its verbs above, and of all that may follow. */
export function optionNames({ entry, verbs }: NamedProgram): readonly string[] {
  return [entry, entry.beneath].flatMap((start) => {
    const names: string[] = [];
    let spec: CommandSpec | undefined = start;
    for (const verb of verbs) {
      names.push(...ownOptions(spec));
      spec = spec === undefined ? undefined : verbSpec(spec, verb);
    }
    return [...names, ...optionsBelow(spec)];
  });
}

function optionsBelow(spec: CommandSpec | undefined): readonly string[] {
  const below = Object.values(spec?.verbs ?? {}).filter((verb) => typeof verb === "object");
  return [...ownOptions(spec), ...below.flatMap(optionsBelow)];
}

function ownOptions(spec: CommandSpec | undefined): readonly string[] {
  return Object.keys(spec?.options ?? {}).flatMap(spellingsOf);
}

/** A verb by any of its names. */
export function verbSpec({ verbs }: CommandSpec, name: string): CommandSpec | undefined {
  if (verbs === undefined || !Object.hasOwn(verbs, name)) return undefined;
  const found = verbs[name];
  if (typeof found !== "string") return found;
  const target = Object.hasOwn(verbs, found) ? verbs[found] : undefined;
  return typeof target === "object" ? target : undefined;
}

/** The names of all verbs, those of the generated entry too. */
export function verbNames(spec: CommandSpec, entry: Entry): readonly string[] {
  const beneath = spec === entry ? Object.keys(entry.beneath?.verbs ?? {}) : [];
  return [...new Set([...Object.keys(spec.verbs ?? {}), ...beneath])].sort();
}
