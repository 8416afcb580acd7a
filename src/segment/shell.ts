import facts from "../../arity/shell.json" with { type: "json" };
import type { Value } from "./value.ts";
import { matchesWildcard } from "./wildcard.ts";

/**
 * Whether setting a variable makes bash or other programs run or load something else. With `value`, not if that value is
 * known to be of no matter; `program` is what the assignment stands in front of.
 */
export function isSensitiveVariable(name: string, value?: Value, program = ""): boolean {
  if (facts.harmless.some((pattern) => matchesWildcard(pattern, name))) return false;
  if (!facts.sensitive.some((pattern) => matchesWildcard(pattern, name))) return false;
  return typeof value !== "string" || !isHarmlessValue(name, value, program);
}

const HARMLESS_VALUES: readonly HarmlessValues[] = facts.harmlessValues;

interface HarmlessValues {
  readonly names: readonly string[];
  /** Wildcards over the value's words, which blanks and colons part. */
  readonly words: readonly string[];
  /** Only in front of one of these programs: others would load code where nobody expects it. */
  readonly before?: readonly string[];
}

function isHarmlessValue(name: string, value: string, program: string): boolean {
  // A wildcard says nothing of where a path leads.
  if (value.includes("..")) return false;
  const words = value.split(/[\s:]+/).filter((word) => word !== "");
  const fits = (patterns: readonly string[], text: string) => patterns.some((each) => matchesWildcard(each, text));
  return HARMLESS_VALUES.some(
    (known) =>
      fits(known.names, name) &&
      (known.before === undefined || fits(known.before, program)) &&
      words.every((word) => fits(known.words, word)),
  );
}

const SCOPED = new Map<string, readonly string[]>(Object.entries(facts.scoped));

/** Whether a variable set in front of a builtin is over with it and decides nothing else: `IFS= read -r line`. */
export function isScopedTo(name: string, program: string): boolean {
  return SCOPED.get(name)?.includes(program) === true;
}

const ONLY_IN_BASH: ReadonlySet<string> = new Set(facts.onlyInBash);

/** Whether a builtin changes the shell in bash, and is missing in a POSIX shell. */
export function isOnlyInBash(program: string): boolean {
  return ONLY_IN_BASH.has(program);
}

interface Own {
  /** Builtins that bash does not have, or that set something by another way than in bash. */
  readonly builtins: readonly string[];
  /** Variables that are more than variables. */
  readonly variables: readonly string[];
}

const OWN: Readonly<Record<string, Own>> = facts.dialects;

/** Whether another shell has a builtin of this name whose doings bash does not tell. */
export function isOwnBuiltin(dialect: string, program: string): boolean {
  return OWN[dialect]?.builtins.includes(program) === true;
}

/** Whether setting this variable changes more in another shell than its value. */
export function isOwnVariable(dialect: string, name: string): boolean {
  return OWN[dialect]?.variables.includes(name) === true;
}

const GLOB_OPTIONS: ReadonlySet<string> = new Set(facts.globOptions);

/** Whether a word is an option of bash with which globs stand for more or fewer files than without; a hole may be one. */
export function isGlobOption(word: Value): boolean {
  return typeof word !== "string" || GLOB_OPTIONS.has(word);
}

const OPTIONS = new Map<string, readonly string[]>(Object.entries(facts.options));

/** The first word of `set` or `shopt` that changes how later text is read, if one does. */
export function readingOption(program: string, words: readonly string[]): string | undefined {
  const options = OPTIONS.get(program);
  if (options === undefined) return undefined;
  const ends = words.indexOf("--");
  const given = ends < 0 ? words : words.slice(0, ends);
  return given.find(
    (word, i) =>
      options.includes("*") ||
      options.includes(word) ||
      options.includes(`${given[i - 1]} ${word}`) ||
      inCluster(word, options),
  );
}

function inCluster(word: string, options: readonly string[]): boolean {
  return /^-[A-Za-z]{2,}$/.test(word) && [...word.slice(1)].some((letter) => options.includes(`-${letter}`));
}

// Text that bash runs when it evaluates a value once more: substitutions, and expansions that can hold them.
const EVALUABLE = /\$\(|`|\$\{|\$\[/;

export function isEvaluable(text: string): boolean {
  return EVALUABLE.test(text);
}
