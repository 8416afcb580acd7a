import type { Command, Redirect, SimpleCommand, Word } from "../syntax/index.ts";
import { choicesOf, type Flow, withoutVariables } from "./flow.ts";

// What stands in brackets is looked at so far and no further: a text of nothing but brackets would take its square.
const DEFAULTED = /\$\{([A-Za-z_]\w*)(?::?=|\[[^\]]{0,64}\]:?=|\[[^\]]{65})/g;
// Names beside an assignment or a counting sign, in arithmetic.
const COUNTED =
  /\b([A-Za-z_]\w*)(?:(?:\[[^\]]{0,64}\])?\s{0,8}(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|\[[^\]]{65})|(?:\+\+|--)\s{0,8}([A-Za-z_]\w*)/g;

/**
 * The flow in which words may have set variables by being expanded: `${x:=text}` and `$((x = 1))`. What they set is not known
 * afterwards, and not in the other words of the same command either: the order of expansion is bash's matter.
 */
export function withDefaults(flow: Flow, words: readonly Word[]): Flow {
  const names = new Set<string>();
  for (const { text } of words) {
    if (!text.includes("=") && !/\+\+|--/.test(text)) continue;
    for (const [, name = ""] of text.matchAll(DEFAULTED)) if (maySet(flow, name)) names.add(name);
    if (!/\$\(\(|\$\[/.test(text)) continue;
    for (const [, left, right] of text.matchAll(COUNTED)) names.add(left ?? right ?? "");
  }
  return names.size === 0 ? flow : withoutVariables(flow, names);
}

/** A variable that surely has a value keeps it. */
function maySet(flow: Flow, name: string): boolean {
  const value = flow.arrays.has(name) ? undefined : flow.variables.get(name);
  return !(choicesOf(value)?.every((choice) => choice !== "") ?? false);
}

/** The words that bash expands for a compound itself, not for what stands inside it. */
export function expandedIn(command: Exclude<Command, { kind: "simple" }>): readonly Word[] {
  switch (command.kind) {
    case "pipeline":
    case "and-or":
    case "function":
    case "coproc":
      return [];
    case "test":
      return [...command.comparisons.flatMap(({ operands }) => operands), ...targetsOf(command)];
    case "for":
      return [...(command.words ?? []), ...targetsOf(command)];
    case "case":
      return [command.word, ...command.items.flatMap(({ patterns }) => patterns), ...targetsOf(command)];
    default:
      return targetsOf(command);
  }
}

/** Every word of a command that bash expands. */
export function wordsOf(command: SimpleCommand): readonly Word[] {
  const assigned = command.assignments.flatMap(({ subscript, value, elements }) => [
    ...(subscript ? [subscript] : []),
    value,
    ...(elements ?? []),
  ]);
  return [...assigned, ...command.words, ...targetsOf(command)];
}

function targetsOf({ redirects }: { readonly redirects: readonly Redirect[] }): readonly Word[] {
  return redirects.flatMap(({ target, subscript }) => [target, ...(subscript ? [subscript] : [])]);
}
