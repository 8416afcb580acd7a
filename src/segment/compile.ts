import {
  type CommandSpec,
  type Escape,
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
}

/** An operand of a spec, with option names in canonical spelling. */
export interface Slot {
  readonly role: Role;
  readonly many: boolean;
  readonly when: readonly string[] | undefined;
  readonly unless: readonly string[] | undefined;
  readonly as: readonly (readonly [string, Role])[];
  readonly unsure: boolean;
}

export interface KnownVerb {
  readonly spec: CommandSpec;
  /** The verb and its other names. */
  readonly spellings: readonly string[];
}

/** A spec with everything that reading a line looks up, and the spec of the verb or program above it. */
export interface CompiledSpec {
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

/** What a role means for an option that takes such a value: it does more than the program's name promises. */
const ESCAPE_OF_ROLE: ReadonlyMap<Role, Escape> = new Map<Role, Escape>([
  ["write", "writes"],
  ["edit", "writes"],
  ["command", "runs"],
  ["program", "runs"],
  ["script", "runs"],
  ["script-file", "runs"],
  ["code", "runs"],
  ["code-file", "runs"],
  ["config", "loads"],
  ["config-file", "loads"],
]);

const NUMBERS: ReadonlyMap<number, readonly Role[]> = new Map<number, readonly Role[]>([
  [0, []],
  [1, ["text"]],
  [2, ["text", "text"]],
  [3, ["text", "text", "text"]],
]);

const ROLE_SET: ReadonlySet<string> = new Set(ROLES);

// A verb has one place in one entry, so its spec alone is the key. Filled on demand, emptied by the collector.
const compiledSpecs = new WeakMap<CommandSpec, CompiledSpec>();

/** The spec as maps; the same object for the same spec. A spec under a parent inherits its syntax and options. */
export function compileSpec(spec: CommandSpec, parent?: CompiledSpec): CompiledSpec {
  const known = compiledSpecs.get(spec);
  if (known !== undefined && known.parent === parent) return known;
  const options = optionsBySpelling(spec);
  const base: CompiledSpec = {
    spec,
    parent,
    syntax: spec.syntax ?? parent?.syntax ?? "gnu",
    options,
    slots: [],
    verbs: verbsByName(spec),
    closed: isClosed(spec),
    plus: (parent?.plus ?? false) || [...options.keys()].some((spelling) => spelling.startsWith("+")),
  };
  const compiled = { ...base, slots: (spec.operands ?? []).map((operand) => slotOf(operand, base)) };
  compiledSpecs.set(spec, compiled);
  return compiled;
}

/** Whether an option that a spec does not list is an escape: where an inner command begins depends on every option. */
export function isClosed(spec: CommandSpec): boolean {
  if (spec.closed === true) return true;
  return (spec.operands ?? []).some((operand) => (typeof operand === "string" ? operand : operand.role) === "command");
}

/** The option with exactly this spelling, of the spec or of one above it. */
export function findOption(compiled: CompiledSpec, spelling: string): KnownOption | undefined {
  for (let level: CompiledSpec | undefined = compiled; level !== undefined; level = level.parent) {
    const option = level.options.get(spelling);
    if (option !== undefined) return option;
  }
  return undefined;
}

/** The options that a shortened long option may mean, each once. */
export function optionsStartingWith(compiled: CompiledSpec, start: string): readonly KnownOption[] {
  const found = new Set<KnownOption>();
  for (let level: CompiledSpec | undefined = compiled; level !== undefined; level = level.parent) {
    for (const [spelling, option] of level.options) if (spelling.startsWith(start)) found.add(option);
  }
  return [...found];
}

/** The verb that a spec has under this name itself, other names left out. */
export function verbOf(spec: CommandSpec | undefined, name: string): CommandSpec | undefined {
  const verbs = spec?.verbs;
  const verb = verbs !== undefined && Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  return typeof verb === "object" ? verb : undefined;
}

/** All spellings of a key, in its order. */
export function spellingsOf(key: string): readonly string[] {
  return key.includes(",") ? key.split(",").map((spelling) => spelling.trim()) : [key];
}

/** The facts of an option in their long form. */
export function factsOf(spec: OptionSpec): OptionFacts {
  if (typeof spec === "object") return spec;
  if (typeof spec === "string") return { value: spec };
  return spec === 0 ? {} : { value: NUMBERS.get(spec) ?? [] };
}

/** What an option does beyond its program's name: as its facts say, or as the role of a value implies. */
export function escapeOf(facts: OptionFacts): Escape | undefined {
  return (
    facts.escape ??
    rolesOf(facts)
      .map((role) => ESCAPE_OF_ROLE.get(role))
      .find((found) => found !== undefined)
  );
}

function rolesOf(facts: OptionFacts): readonly Role[] {
  if (facts.value === undefined) return [];
  return typeof facts.value === "string" ? [facts.value] : facts.value;
}

function optionsBySpelling(spec: CommandSpec): Map<string, KnownOption> {
  const options = new Map<string, KnownOption>();
  for (const [key, value] of Object.entries(spec.options ?? {})) {
    const spellings = spellingsOf(key);
    const facts = factsOf(value);
    const name = spellings.at(-1) ?? key;
    const option = { name, spellings, facts, roles: rolesOf(facts), escape: escapeOf(facts) };
    for (const spelling of spellings) options.set(spelling, option);
  }
  return options;
}

function verbsByName(spec: CommandSpec): Map<string, KnownVerb> {
  const names = new Map<CommandSpec, string[]>();
  const entries = Object.entries(spec.verbs ?? {}).flatMap(([name, value]) => {
    const target = typeof value === "string" ? spec.verbs?.[value] : value;
    return typeof target === "object" ? [[name, target] as const] : [];
  });
  for (const [name, target] of entries) names.set(target, [...(names.get(target) ?? []), name]);
  return new Map(entries.map(([name, target]) => [name, { spec: target, spellings: names.get(target) ?? [name] }]));
}

/** `role`, `role*` or facts, with every option it mentions in canonical spelling. */
function slotOf(operand: OperandSpec, compiled: CompiledSpec): Slot {
  if (typeof operand === "string") {
    const many = operand.endsWith("*");
    const role = many ? operand.slice(0, -1) : operand;
    return { role: isRole(role) ? role : "text", many, when: undefined, unless: undefined, as: [], unsure: false };
  }
  const names = (keys: readonly string[]) => keys.flatMap((key) => canonicalNames(key, compiled));
  return {
    role: operand.role,
    many: operand.many === true,
    when: operand.when && names(operand.when),
    unless: operand.unless && names(operand.unless),
    unsure: operand.unsure === true,
    as: Object.entries(operand.as ?? {}).flatMap(([key, role]) =>
      canonicalNames(key, compiled).map((name) => [name, role] as const),
    ),
  };
}

function canonicalNames(key: string, compiled: CompiledSpec): readonly string[] {
  return spellingsOf(key).map((spelling) => findOption(compiled, spelling)?.name ?? spelling);
}

function isRole(text: string): text is Role {
  return ROLE_SET.has(text);
}
