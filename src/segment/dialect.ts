import type { Comparison, Redirect, SimpleCommand, Word } from "../syntax/index.ts";
import { addFinding, type Collection, type Place } from "./collect.ts";
import { bothEnds, type Ends, type Flow, joinEnds, joinFlows, withoutVariables } from "./flow.ts";
import { isOnlyInBash, isOwnBuiltin, isOwnVariable } from "./shell.ts";
import type { Dialect } from "./spec.ts";

/**
 * Every text is read as bash reads it. A shell of another dialect reads some constructs otherwise, and may then run what
 * bash would not: `((rm x))` is a subshell in a subshell to dash. Such a script is opaque; where only values, the order of
 * parameters or the directory may differ, they are not known afterwards.
 */
export function checkDialect(collection: Collection, text: string, dialect: Dialect, place: Place): void {
  if (dialect === "bash") return;
  const construct = OTHERWISE[dialect].find(([, pattern]) => pattern.test(text))?.[0];
  if (construct !== undefined) addOtherwise(collection, construct, dialect, place);
}

// dash knows no `$'…'`: a quote behind a backslash ends the text for it. Without the dollar it is another delimiter as well.
const DOLLAR_QUOTES: readonly (readonly [string, RegExp])[] = [
  ["$'…\\'…'", /\$'(?:[^'\\]|\\[^'])*\\'/],
  ["<<$'…'", /<<-?\s*\$['"]/],
];

const OTHERWISE: Readonly<Record<Exclude<Dialect, "bash">, readonly (readonly [string, RegExp])[]>> = {
  posix: DOLLAR_QUOTES,
  // Its expansions and assignments have more forms than are worth to follow: only plain ones are read.
  zsh: [
    ["${…}", /\$\{(?!#?\w+\}|[?!#*@$-]\}|\w+(?::?[-+?]|##?|%%?)[^${}]*\})/],
    ["$x:h", /\$(?:\w+|[*@]):[A-Za-z&]/],
    ["$x[…]", /\$(?:\w+|[*@])\[/],
    ["$=x", /\$[=~^+](?=\w)/],
    ["name[…]=", /(?:^|[\s;&|({])\w+\[(?:[^\]\n]{0,64}\]\+?=|[^\]\n]{65})/],
  ],
  ksh: [
    ["${ …; }", /\$\{\s/],
    ["a compound variable", /(?:^|[\s;&|({])\w+(?:\.\w+)+(?:=|\s*\()|=\(/],
    ["|&", /\|&/],
  ],
};

/** What zsh makes of single words: `=rm` is the path of `rm`, and `>! f` writes `f`, whatever `noclobber` says. */
export function checkWords(collection: Collection, command: SimpleCommand, { dialect }: Flow, place: Place): void {
  const program = command.words[0]?.text ?? "";
  if (dialect !== "bash" && isOwnBuiltin(dialect, program)) addOtherwise(collection, program, dialect, place);
  if (dialect !== "zsh") return;
  const special = command.assignments.find(({ name }) => isOwnVariable(dialect, name));
  if (special !== undefined) addOtherwise(collection, `${special.name}=`, dialect, place);
  if (command.words.some((word) => beginsWith(word, /^=./))) addOtherwise(collection, "=NAME", dialect, place);
  const written = command.redirects.some(
    ({ operator, target }) => operator.startsWith(">") && beginsWith(target, /^!/),
  );
  if (written) addOtherwise(collection, ">!", dialect, place);
}

function beginsWith({ parts: [first] }: Word, pattern: RegExp): boolean {
  return first?.kind === "literal" && !first.quoted && pattern.test(first.value);
}

/** `((…))`: a subshell in a subshell to a POSIX shell, whose commands nobody has looked at. */
export function checkDoubleParentheses(collection: Collection, { dialect }: Flow, place: Place): void {
  if (dialect === "posix") addOtherwise(collection, "((", dialect, place);
}

/** `[[ a || b ]]`: to a POSIX shell `[[` is a program's name, and what stands behind an operator a command or a file. */
export function checkDoubleBrackets(
  collection: Collection,
  comparisons: readonly Comparison[],
  { dialect }: Flow,
  place: Place,
): void {
  if (dialect !== "posix") return;
  const parted = comparisons.length > 1 || comparisons.some(({ operator }) => operator === "<" || operator === ">");
  const operands = comparisons.flatMap((comparison) => comparison.operands);
  if (parted || operands.some(({ text }) => /[|&;<>\n]/.test(text))) addOtherwise(collection, "[[", dialect, place);
}

function addOtherwise(collection: Collection, construct: string, dialect: Dialect, place: Place): void {
  const shell = dialect === "posix" ? "a POSIX shell such as dash" : dialect;
  const span = place.fixed ?? { start: 0, end: collection.source.text.length };
  addFinding(collection, "opaque-script", `${shell} reads \`${construct}\` otherwise than bash`, span, place.parent);
}

/** `a &> f` is a job in the background and an empty file to a shell that does not have `&>`. */
export function runsApart(redirects: readonly Redirect[], { dialect }: Flow): boolean {
  return dialect !== "bash" && redirects.some(({ operator }) => operator.startsWith("&>"));
}

/** Whether every shell makes the same words of these: no braces, and nothing that one of them splits and another does not. */
export function areSameWords(words: readonly Word[]): boolean {
  return words.every(({ braces, parts }) => braces === undefined && parts.every(({ kind }) => kind === "literal"));
}

/**
 * What is known behind a simple command in another shell than bash: `A=1 export B` keeps `A`, `declare` and `pushd` may be
 * missing, and `a &> f` is a job in the background and an empty file.
 */
export function otherEnds(ends: Ends, command: SimpleCommand, program: string, before: Flow): Ends {
  if (before.dialect === "bash") return ends;
  const background = runsApart(command.redirects, before);
  const perhaps = background || isOnlyInBash(program);
  const names = command.words.length === 0 ? [] : command.assignments.map(({ name }) => name);
  if (!perhaps && names.length === 0) return ends;
  const after = joinEnds(ends);
  return bothEnds(withoutVariables(perhaps ? joinFlows(before, after) : after, names));
}
