import { readDoings } from "./read-doings.ts";
import { readEscapes } from "./read-escapes.ts";
import { readFiles } from "./read-files.ts";
import { readInner } from "./read-inner.ts";
import { readOperands } from "./read-operands.ts";
import { hiddenOptions } from "./hidden-options.ts";
import { keyedOptions } from "./keyed-options.ts";
import type { Inner, Reading, ReadOperand, ReadOption } from "./reading.ts";
import { valuesOf } from "./role-values.ts";
import { type Scan, type ScannedOption, scanWords } from "./scan.ts";
import { separateCommands } from "./separators.ts";
import type { CommandSpec, Entry, Role } from "./spec.ts";
import { literalStart, shownValue, type Value, valueFrom } from "./value.ts";

/** Finds the entry of a program by its name without a directory. */
export type FindEntry = (name: string) => Entry | undefined;

/** Splits the words of one invocation, the program first, by what the dictionary knows of the program. */
export function readInvocation(words: readonly Value[], find: FindEntry): Reading {
  const program = words[0];
  const name = typeof program === "string" ? programName(program) : undefined;
  const entry = name === undefined ? undefined : find(name);
  if (name === undefined) return readUnknown(words);
  if (entry === undefined) return readJoined(words, name, find) ?? readUnknown(words);
  const { first, others } =
    entry.separators === undefined ? { first: words, others: [] } : separateCommands(words, entry.separators);
  const scan = scanWords(first, entry);
  const { operands, defaults } = readOperands(scan);
  const options = scan.options.map(readOption);
  const does = readDoings(entry, scan, operands);
  scan.options.push(...keyedOptions(scan, operands));
  const { spec } = scan.compiled;
  const inner = [...readInner(scan, operands, name), ...others];
  return {
    entry,
    spec,
    prefix: prefixOf(words, scan),
    verbs: scan.verbs.map(({ cell }) => cell.index),
    verbNames: scan.verbs.map(({ verb }) => verb.spellings),
    options,
    operands,
    terminator: scan.terminator,
    inner,
    files: readFiles(scan, operands, defaults),
    escapes: readEscapes(scan, name),
    directories: valuesOf(scan, operands, (role) => role === "directory").map(({ value }) => value),
    evaluated: valuesOf(scan, operands, (role) => EVALUATED.has(role)),
    hidden: words.every((word) => typeof word === "string") ? NONE : hiddenOptions(scan),
    transparent: isTransparent(spec, options, inner),
    runner: entry.runner === true || scan.verbs.some(({ verb }) => verb.spec.runner === true),
    does,
  };
}

function isTransparent({ transparent }: CommandSpec, options: readonly ReadOption[], inner: readonly Inner[]): boolean {
  if (inner.some((each) => each.kind === "argv" && each.instead)) return true;
  return transparent === true || (transparent === "bare" && options.length === 0);
}

/** `git-push`: a verb of a program under a name of its own, wherever it lies. */
function readJoined(words: readonly Value[], name: string, find: FindEntry): Reading | undefined {
  for (let dash = name.indexOf("-"); dash > 0; dash = name.indexOf("-", dash + 1)) {
    const entry = find(name.slice(0, dash));
    if (entry?.joined === undefined) continue;
    const own = [name.slice(0, dash), name.slice(dash + 1), ...words.slice(1)];
    const made = { words: own, from: 0, to: words.length, assignments: [], placeholder: undefined, appends: false };
    return { ...readUnknown(words), inner: [{ kind: "argv", ...made, by: name }] };
  }
  return undefined;
}

/** Without its directory. What the kernel calls the program of a process is, in a text for bash, bash. */
function programName(program: string): string {
  if (/^\/proc\/[^/]+\/exe$/.test(program)) return "bash";
  return program.slice(program.lastIndexOf("/") + 1);
}

// Shared: a long script has thousands of readings with nothing in them.
const NONE: readonly never[] = [];

/** A program nobody knows: one word names it, every word with a dash may be an option. */
function readUnknown(words: readonly Value[]): Reading {
  const program = words[0];
  if (words.length < 2) return unknownReading(program, NONE, NONE, undefined);
  const options: ReadOption[] = [];
  const operands: ReadOperand[] = [];
  let terminator: number | undefined;
  for (let index = 1; index < words.length; index++) {
    const value = words[index] ?? "";
    if (terminator === undefined && value === "--") terminator = index;
    else if (terminator === undefined && value !== "-" && literalStart(value).startsWith("-")) {
      options.push(unknownOption(value, index));
    } else operands.push({ index, value, role: "text" });
  }
  return unknownReading(program, options, operands, terminator);
}

function unknownReading(
  program: Value | undefined,
  options: readonly ReadOption[],
  operands: readonly ReadOperand[],
  terminator: number | undefined,
): Reading {
  return {
    entry: undefined,
    spec: undefined,
    prefix: typeof program === "string" ? [program] : [],
    verbs: NONE,
    verbNames: NONE,
    options,
    operands,
    terminator,
    inner: NONE,
    files: NONE,
    escapes: NONE,
    directories: NONE,
    evaluated: NONE,
    hidden: NONE,
    transparent: false,
    runner: false,
    does: NONE,
  };
}

function unknownOption(value: Value, index: number): ReadOption {
  const start = literalStart(value);
  const equals = start.startsWith("--") ? start.indexOf("=") : -1;
  const spelled = equals < 0 ? shownValue(value) : start.slice(0, equals);
  const values: Value[] = [];
  if (equals >= 0 && typeof value === "string") values.push(value.slice(equals + 1));
  else if (equals >= 0 && typeof value !== "string") {
    values.push(valueFrom([start.slice(equals + 1), ...value.pieces.slice(1)], value.splits));
  }
  return {
    name: spelled,
    spelled,
    spellings: [spelled],
    facts: undefined,
    index,
    values,
    valueIndices: [],
    beforeVerb: false,
    dynamic: equals < 0 && typeof value !== "string",
  };
}

function readOption(option: ScannedOption): ReadOption {
  const { known, spelled, index, values, valueIndices, beforeVerb, dynamic } = option;
  return {
    name: known?.name ?? spelled,
    spelled,
    spellings: known?.spellings ?? [spelled],
    facts: known?.facts,
    index,
    values,
    valueIndices,
    beforeVerb,
    dynamic,
  };
}

/** Stops at a word that is dynamic: nobody knows what it names. */
function prefixOf(words: readonly Value[], scan: Scan): readonly string[] {
  const program = words[0];
  if (typeof program !== "string") return [];
  const prefix = [program];
  const length = scan.compiled.spec.words ?? scan.verbs.length + 1;
  for (const { value } of scan.plain) {
    if (prefix.length >= length || typeof value !== "string") break;
    prefix.push(value);
  }
  return prefix;
}

/** Roles whose text is evaluated once more, by the shell or by the program. */
const EVALUATED: ReadonlySet<Role> = new Set<Role>([
  "variable",
  "evaluated",
  "definition",
  "alias",
  "function",
  "config",
  "code",
  "awk-program",
  "sed-script",
  "awk-file",
  "sed-file",
  "make-target",
]);
