import { type AbsolutePath, LIMITS } from "../text/index.ts";
import type { Dialect } from "./spec.ts";
import type { Value } from "./value.ts";
import type { Changes } from "./writers.ts";

/**
 * What is known of the shell at one point of a text: where it is, what its variables hold, which functions it has.
 * Immutable: a branch goes on from the flow it began with, and two branches that meet are joined.
 */
export interface Flow {
  /** The directories that the shell may be in, the likeliest first; undefined: anywhere. */
  readonly directories: readonly AbsolutePath[] | undefined;
  /** What `pushd` has kept. */
  readonly stack: readonly (readonly AbsolutePath[] | undefined)[];
  /** Variables the text has set; undefined: to something unknown. */
  readonly variables: ReadonlyMap<string, Value | undefined>;
  /** Arrays that the text has set to words that are known. */
  readonly arrays: ReadonlyMap<string, readonly Value[]>;
  /** Names that are read-only, or change what is stored in them: what is assigned to them later is not known. */
  readonly pins: ReadonlySet<string>;
  /** Something may have set any variable: only what was set after it is known. */
  readonly anyVariable: boolean;
  /** Functions that are surely there (true) or may be. */
  readonly functions: ReadonlyMap<string, boolean>;
  /** `$1`, `$2` …; undefined: unknown. */
  readonly positional: readonly Value[] | undefined;
  /** Options are set with which a glob may stand for any file, or for none. */
  readonly looseGlobs: boolean;
  /** A function's body is read. */
  readonly inFunction: boolean;
  /** Which shell reads what comes. */
  readonly dialect: Dialect;
  /** The text cannot come here: it has left the shell. */
  readonly unreachable: boolean;
}

/** Two ends of a command: with status zero, and with another. */
export interface Ends {
  readonly success: Flow;
  readonly failure: Flow;
}

export function startFlow(
  cwd: AbsolutePath,
  positional: readonly Value[] | undefined,
  dialect: Dialect = "bash",
): Flow {
  return {
    directories: [cwd],
    stack: [],
    variables: new Map(),
    arrays: new Map(),
    pins: NO_PINS,
    anyVariable: false,
    functions: new Map(),
    positional,
    looseGlobs: false,
    inFunction: false,
    dialect,
    unreachable: false,
  };
}

export function bothEnds(flow: Flow): Ends {
  return { success: flow, failure: flow };
}

export function joinEnds({ success, failure }: Ends): Flow {
  return joinFlows(success, failure);
}

const NO_ARRAYS: Flow["arrays"] = new Map();
const NO_PINS: Flow["pins"] = new Set();

/** What holds when either of two flows may have been taken. */
export function joinFlows(a: Flow, b: Flow): Flow {
  if (a === b || b.unreachable) return a;
  if (a.unreachable) return b;
  return {
    directories: joinDirectories(a.directories, b.directories),
    stack: a.stack === b.stack ? a.stack : [],
    variables: a.variables === b.variables ? a.variables : joinVariables(a, b),
    arrays: a.arrays === b.arrays ? a.arrays : NO_ARRAYS,
    pins: a.pins === b.pins ? a.pins : new Set([...a.pins, ...b.pins]),
    anyVariable: a.anyVariable || b.anyVariable,
    functions: a.functions === b.functions ? a.functions : joinFunctions(a.functions, b.functions),
    positional: a.positional === b.positional ? a.positional : undefined,
    looseGlobs: a.looseGlobs || b.looseGlobs,
    inFunction: a.inFunction,
    dialect: a.dialect,
    unreachable: false,
  };
}

const MOST_DIRECTORIES = 8;

function joinDirectories(a: Flow["directories"], b: Flow["directories"]): Flow["directories"] {
  if (a === undefined || b === undefined || a === b) return a === b ? a : undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > MOST_DIRECTORIES ? undefined : all;
}

function joinVariables(a: Flow, b: Flow): Flow["variables"] {
  const joined = new Map<string, Value | undefined>();
  for (const name of new Set([...a.variables.keys(), ...b.variables.keys()])) {
    joined.set(
      name,
      a.variables.has(name) && b.variables.has(name)
        ? joinValues(a.variables.get(name), b.variables.get(name))
        : undefined,
    );
  }
  return joined;
}

/** Two static values stay apart as choices, as long as there are few. */
export function joinValues(a: Value | undefined, b: Value | undefined): Value | undefined {
  const choices = [...new Set([...(choicesOf(a) ?? []), ...(choicesOf(b) ?? [])])];
  if (choicesOf(a) === undefined || choicesOf(b) === undefined || choices.length > LIMITS.choices) return undefined;
  return choices.length === 1 ? choices[0] : { pieces: [{ cause: "variable", text: "…", choices }], splits: false };
}

/** The values that a value can have, if they are few and known. */
export function choicesOf(value: Value | undefined): readonly string[] | undefined {
  if (typeof value === "string") return [value];
  const only = value?.pieces.length === 1 ? value.pieces[0] : undefined;
  return typeof only === "object" ? only.choices : undefined;
}

function joinFunctions(a: Flow["functions"], b: Flow["functions"]): Flow["functions"] {
  const joined = new Map<string, boolean>();
  for (const name of new Set([...a.keys(), ...b.keys()]))
    joined.set(name, a.get(name) === true && b.get(name) === true);
  return joined;
}

const MOST_VARIABLES = 256;

/** Sets one variable. Past a number of them all others are forgotten: the map is copied for every one. */
export function withVariable(before: Flow, name: string, assigned: Value | undefined): Flow {
  const value = isLong(assigned) || isPinned(before, name) ? undefined : assigned;
  // A scalar is the first element of the array of its name.
  const flow = before.arrays.has(name) ? withArray(before, name, undefined) : before;
  if (flow.variables.size >= MOST_VARIABLES && !flow.variables.has(name))
    return { ...flow, variables: new Map([[name, value]]), anyVariable: true };
  return { ...flow, variables: new Map(flow.variables).set(name, value) };
}

/** `x=$x$x` doubles with each repetition. */
function isLong(value: Value | undefined): boolean {
  if (value === undefined || typeof value === "string") return (value?.length ?? 0) > LIMITS.valueCharacters;
  const length = value.pieces.reduce((sum, piece) => sum + (typeof piece === "string" ? piece.length : 1), 0);
  return length > LIMITS.valueCharacters;
}

/** Forgets the values of some names; `"all"` when any may have changed. */
export function withoutVariables(flow: Flow, names: Iterable<string> | "all"): Flow {
  if (names === "all")
    return { ...flow, variables: new Map(), anyVariable: true, positional: undefined, arrays: NO_ARRAYS };
  const variables = new Map(flow.variables);
  const arrays = flow.arrays.size === 0 ? flow.arrays : new Map(flow.arrays);
  for (const name of names) {
    variables.set(name, undefined);
    if (arrays.size > 0) (arrays as Map<string, readonly Value[]>).delete(name);
  }
  return { ...flow, variables, arrays };
}

/** Forgets what something may have changed. */
export function forget(flow: Flow, changes: Changes): Flow {
  if (changes.later) return haunted(flow);
  const variables = withoutVariables(flow, changes.variables);
  const globs = changes.globs ? { ...variables, looseGlobs: true } : variables;
  const known = changes.positional ? { ...globs, positional: undefined } : globs;
  return changes.directory ? { ...known, directories: undefined, stack: [] } : known;
}

/** After something that may have done anything to the shell. */
export function unsettled(flow: Flow): Flow {
  return {
    ...withoutVariables(flow, "all"),
    directories: undefined,
    stack: [],
    functions: new Map([...flow.functions.keys()].map((name) => [name, false])),
  };
}

/** Sets a whole array; undefined: to words that nobody knows. */
export function withArray(flow: Flow, name: string, values: readonly Value[] | undefined): Flow {
  const arrays = new Map(flow.arrays);
  // zsh counts the elements from one.
  const known = values !== undefined && values.length <= LIMITS.listWords && flow.dialect === "bash";
  if (!known || isPinned(flow, name)) arrays.delete(name);
  else arrays.set(name, values);
  return { ...flow, arrays };
}

/** Sets `$1`, `$2` …; `set -- "$@" "$@"` doubles with each repetition. */
export function withPositional(flow: Flow, words: readonly Value[] | undefined): Flow {
  const known = (words?.length ?? 0) <= LIMITS.listWords && !isPinned(flow, POSITIONAL);
  return { ...flow, positional: known ? words : undefined };
}

/** The pin of everything: something may set any variable at any time (`trap … DEBUG`). */
const EVERYTHING = "*";

/** The pins of `$1`, `$2` … and of the directory. */
const POSITIONAL = "@";
const DIRECTORY = "/";

/** Whether nobody knows from here on what the directory is, whatever moves it. */
export function isAnywhere(flow: Flow): boolean {
  return isPinned(flow, DIRECTORY);
}

/** After something that may make some changes from here on, whenever it likes. */
export function hauntedBy(flow: Flow, changes: Changes): Flow {
  if (changes.variables === "all" || changes.later) return haunted(flow);
  const names = [...changes.variables];
  if (changes.positional) names.push(POSITIONAL);
  if (changes.directory) names.push(DIRECTORY);
  return names.reduce(pinned, forget(flow, changes));
}

function isPinned({ pins }: Flow, name: string): boolean {
  return pins.size > 0 && (pins.has(name) || pins.has(EVERYTHING));
}

/** After something that may do anything to the shell from here on, whenever it likes. */
export function haunted(flow: Flow): Flow {
  return pinned(unsettled(flow), EVERYTHING);
}

/** From here on what is assigned to a name is not known; without a name, to none. */
export function pinned(flow: Flow, name: string | undefined): Flow {
  return name === undefined ? flow : { ...flow, pins: new Set(flow.pins).add(name) };
}

export function withFunction(flow: Flow, name: string, sure: boolean): Flow {
  return { ...flow, functions: new Map(flow.functions).set(name, sure) };
}
