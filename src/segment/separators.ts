import type { Inner } from "./reading.ts";
import { type Value, valueFrom } from "./value.ts";

/** The words of the first command, and the others as invocations of the same program. */
export interface SeparatedCommands {
  readonly first: readonly Value[];
  readonly others: readonly Extract<Inner, { kind: "argv" }>[];
}

/**
 * The commands that a program reads in one argument list, as tmux does: a word that is a separator, or ends in one without a
 * backslash, begins the next. The program's word stands for the separator in the inner command, which keeps places aligned.
 */
export function separateCommands(words: readonly Value[], separators: readonly string[]): SeparatedCommands {
  const starts = words.flatMap((value, index) => (index > 0 && separatorOf(value, separators) ? [index] : []));
  const [end] = starts;
  const [program] = words;
  if (end === undefined || program === undefined) return { first: words, others: [] };
  const part = (from: number, to: number) => {
    const last = words[to];
    const glued = last === undefined ? "" : withoutSeparator(last, separators);
    return glued === "" ? words.slice(from, to) : [...words.slice(from, to), glued];
  };
  const others = starts.map((start, position) => ({
    kind: "argv" as const,
    words: [program, ...part(start + 1, starts[position + 1] ?? words.length)],
    from: start,
    to: Math.min(words.length, (starts[position + 1] ?? words.length) + 1),
    assignments: [],
    placeholder: undefined,
    appends: false,
    by: separatorOf(words[start] ?? "", separators) ?? "",
  }));
  return { first: part(0, end), others };
}

function separatorOf(value: Value, separators: readonly string[]): string | undefined {
  const end = typeof value === "string" ? value : value.pieces.at(-1);
  if (typeof end !== "string") return undefined;
  return separators.find((separator) => end.endsWith(separator) && !end.endsWith(`\\${separator}`));
}

function withoutSeparator(value: Value, separators: readonly string[]): Value {
  const separator = separatorOf(value, separators) ?? "";
  if (typeof value === "string") return value.slice(0, value.length - separator.length);
  const end = value.pieces.at(-1);
  if (typeof end !== "string") return value;
  return valueFrom([...value.pieces.slice(0, -1), end.slice(0, end.length - separator.length)], value.splits);
}
