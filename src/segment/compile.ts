import { escapeOf, factsOf, isClosed, rolesOf, spellingsOf, verbOf } from "./facts.ts";
import {
  type CommandSpec,
  type Entry,
  type Escape,
  type OperandFacts,
  type OperandSpec,
  type OptionFacts,
  type OptionSpec,
  type OptionSyntax,
  ROLES,
  type Role,
} from "./spec.ts";

/** An option of a spec, ready to be looked up by any of its spellings. */
export interface KnownOption {
  /** The canonical spelling: the last one of its key. */
  readonly name: string;
  readonly spellings: readonly string[];
  readonly facts: OptionFacts;
  /** Roles of its values, one a value. */
  readonly roles: readonly Role[];
  /** Given, or implied by the role of a value. */
  readonly escape: Escape | undefined;
  /** Known from a completion spec only: a word that begins with `-` is never its value. */
  readonly generated: boolean;
}

/** An operand of a spec, with option names in canonical spelling. */
export interface Slot {
  readonly role: Role;
  readonly many: boolean;
  readonly when: readonly string[] | undefined;
  readonly unless: readonly string[] | undefined;
  readonly as: readonly (readonly [string, Role])[];
  readonly facts: OperandFacts | undefined;
  /** Known from a completion spec only: words behind it that begin with `-` may as well be the program's options. */
  readonly generated: boolean;
}

/** A verb as the curated entry has it, else as the generated one does; `beneath` is what the generated one has. */
export interface KnownVerb {
  readonly spec: CommandSpec;
  readonly beneath: CommandSpec | undefined;
  readonly name: string;
  /** The verb and its other names. */
  readonly spellings: readonly string[];
}

/** A spec with everything that reading a line looks up, and the spec of the verb or program above it. */
export interface CompiledSpec {
  /** The spec itself; `words` and `operands` of the generated one where it says nothing of them. */
  readonly spec: CommandSpec;
  readonly parent: CompiledSpec | undefined;
  readonly syntax: OptionSyntax;
  readonly options: ReadonlyMap<string, KnownOption>;
  readonly slots: readonly Slot[];
  readonly verbs: ReadonlyMap<string, KnownVerb>;
  /** Some option begins with `+`, so words that do may be options. */
  readonly plus: boolean;
  /** An option that is not listed is an escape. */
  readonly closed: boolean;
}

const ROLE_SET: ReadonlySet<string> = new Set(ROLES);

// A verb has one place in one entry, so its spec alone is the key. Filled on demand, emptied by the collector.
const compiledSpecs = new WeakMap<CommandSpec, CompiledSpec>();

/** An entry as maps; the same object for the same entry. Its verbs are compiled when they occur. */
export function compileEntry(entry: Entry): CompiledSpec {
  return compiledSpecs.get(entry) ?? compileSpec(entry, entry.beneath, undefined);
}

/** A verb as maps, under the spec whose syntax and options it inherits. */
export function compileVerb(verb: KnownVerb, parent: CompiledSpec): CompiledSpec {
  const known = compiledSpecs.get(verb.spec);
  return known?.parent === parent ? known : compileSpec(verb.spec, verb.beneath, parent);
}

/** The curated spec wins, option by option and verb by verb; `beneath` is heard where it says nothing. */
function compileSpec(
  own: CommandSpec,
  beneath: CommandSpec | undefined,
  parent: CompiledSpec | undefined,
): CompiledSpec {
  const generated = own === beneath;
  // What the curated entry calls operands is no verb and no other operand.
  const heard = generated || own.operands !== undefined ? undefined : beneath;
  const spec = heard === undefined ? own : completed(own, heard);
  const options = generated ? new Map<string, KnownOption>() : ownOptions(own);
  addGenerated(options, beneath?.options, isClosed(own) && !generated);
  const base: CompiledSpec = {
    spec,
    parent,
    syntax: spec.syntax ?? parent?.syntax ?? "gnu",
    options,
    slots: [],
    verbs: generated ? verbsByName({}, own.verbs ?? {}) : verbsByName(own.verbs ?? {}, heard?.verbs ?? {}),
    closed: isClosed(spec),
    plus: (parent?.plus ?? false) || [...options.keys()].some((spelling) => spelling.startsWith("+")),
  };
  const slots = (spec.operands ?? []).map((operand) => slotOf(operand, base, generated || heard !== undefined));
  const compiled = { ...base, slots };
  compiledSpecs.set(own, compiled);
  return compiled;
}

/** The option with exactly this spelling, of the spec or of one above it. */
export function findOption(compiled: CompiledSpec, spelling: string): KnownOption | undefined {
  let generated: KnownOption | undefined;
  for (let level: CompiledSpec | undefined = compiled; level !== undefined; level = level.parent) {
    const option = level.options.get(spelling);
    if (option === undefined || !isHeard(option, compiled, level)) continue;
    // What was written by hand for the program is not hidden by what a completion spec says of its verb.
    if (!option.generated) return option;
    generated ??= option;
  }
  return generated;
}

/** The options that a shortened long option may mean, each once. */
export function optionsStartingWith(compiled: CompiledSpec, start: string): readonly KnownOption[] {
  const found = new Set<KnownOption>();
  for (let level: CompiledSpec | undefined = compiled; level !== undefined; level = level.parent) {
    for (const [spelling, option] of level.options) {
      if (spelling.startsWith(start) && isHeard(option, compiled, level)) found.add(option);
    }
  }
  return [...found];
}

/** A spec that lists all its options learns of no more from a completion spec above it. */
function isHeard(option: KnownOption, compiled: CompiledSpec, level: CompiledSpec): boolean {
  return !(option.generated && compiled.closed && level !== compiled);
}

function completed(own: CommandSpec, beneath: CommandSpec): CommandSpec {
  const words = own.words ?? beneath.words;
  return {
    ...own,
    ...(words !== undefined && { words }),
    ...(beneath.operands !== undefined && { operands: beneath.operands }),
  };
}

function ownOptions(spec: CommandSpec): Map<string, KnownOption> {
  const options = new Map<string, KnownOption>();
  for (const [key, value] of Object.entries(spec.options ?? {})) {
    const option = knownOption(spellingsOf(key), factsOf(value), false);
    for (const spelling of option.spellings) options.set(spelling, option);
  }
  return options;
}

/** More spellings for the curated options, and the generated ones that have no spelling in common with one. */
function addGenerated(
  options: Map<string, KnownOption>,
  generated: Readonly<Record<string, OptionSpec>> | undefined,
  closed: boolean,
): void {
  for (const [key, value] of Object.entries(generated ?? {})) {
    const spellings = spellingsOf(key);
    const common = spellings.map((spelling) => options.get(spelling)).find((found) => found !== undefined);
    if (common === undefined && closed) continue;
    const fresh = spellings.filter((spelling) => !options.has(spelling));
    if (common !== undefined && fresh.length === 0) continue;
    const option =
      common === undefined
        ? knownOption(fresh, factsOf(value), true)
        : { ...common, spellings: [...fresh, ...common.spellings] };
    for (const spelling of option.spellings) options.set(spelling, option);
  }
}

function knownOption(spellings: readonly string[], facts: OptionFacts, generated: boolean): KnownOption {
  const name = spellings.at(-1) ?? "";
  return { name, spellings, facts, roles: rolesOf(facts), escape: escapeOf(facts), generated };
}

type Verbs = Readonly<Record<string, CommandSpec | string>>;

function verbsByName(own: Verbs, beneath: Verbs): Map<string, KnownVerb> {
  const spellings = new Map<string, string[]>();
  const targets = new Map<string, string>();
  for (const [name, verb] of [...Object.entries(own), ...Object.entries(beneath)]) {
    if (targets.has(name)) continue;
    const target = typeof verb === "string" ? verb : name;
    targets.set(name, target);
    const others = spellings.get(target);
    if (others === undefined) spellings.set(target, [name]);
    else others.push(name);
  }
  const verbs = new Map<string, KnownVerb>();
  for (const [target, names] of spellings) {
    const under = verbOf(beneath, target);
    const spec = verbOf(own, target) ?? under;
    if (spec !== undefined)
      for (const name of names) verbs.set(name, { spec, beneath: under, name: target, spellings: names });
  }
  return verbs;
}

/** `role`, `role*` or facts, with every option it mentions in canonical spelling. */
function slotOf(operand: OperandSpec, compiled: CompiledSpec, generated: boolean): Slot {
  if (typeof operand === "string") {
    const many = operand.endsWith("*");
    const role = many ? operand.slice(0, -1) : operand;
    return {
      role: isRole(role) ? role : "text",
      many,
      when: undefined,
      unless: undefined,
      as: [],
      facts: undefined,
      generated,
    };
  }
  const names = (keys: readonly string[]) => keys.flatMap((key) => canonicalNames(key, compiled));
  return {
    role: operand.role,
    many: operand.many === true,
    when: operand.when && names(operand.when),
    unless: operand.unless && names(operand.unless),
    as: Object.entries(operand.as ?? {}).flatMap(([key, role]) =>
      canonicalNames(key, compiled).map((name) => [name, role] as const),
    ),
    facts: operand,
    generated,
  };
}

function canonicalNames(key: string, compiled: CompiledSpec): readonly string[] {
  return spellingsOf(key).map((spelling) => findOption(compiled, spelling)?.name ?? spelling);
}

function isRole(text: string): text is Role {
  return ROLE_SET.has(text);
}
