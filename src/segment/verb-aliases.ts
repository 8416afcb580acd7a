import type { Inner } from "./reading.ts";
import type { Cell, Scan, ScannedOption } from "./scan.ts";
import { splitWords } from "./split-words.ts";
import { holeValue, literalStart, shownValue, type Value } from "./value.ts";
import { matchesWildcard } from "./wildcard.ts";

/**
 * The commands that a program makes of its own words by names that some of them give it: `git -c alias.p='push -f' p x` is
 * `git push -f x`. A name that this invocation does not use is one for later: it stands with words that nobody knows.
 */
export function aliasedCommands(scan: Scan, program: string): readonly Inner[] {
  return scan.options.flatMap((option) =>
    option.values.flatMap((value): readonly Inner[] => {
      const alias = aliasIn(option, value);
      if (alias === undefined) return [];
      const index = option.valueIndices[0] ?? option.index;
      const verb = scan.verbs.length === 0 ? scan.plain[0] : undefined;
      const used = verb !== undefined && shownValue(verb.value).toLowerCase() === alias.name;
      const words = used ? withAlias(scan, option, verb, alias.words) : later(program, alias.words);
      const made = { words, from: index, to: index + 1, assignments: [], placeholder: undefined, appends: false };
      return [{ kind: "argv", ...made, by: option.spelled, ...(used && { instead: true as const }) }];
    }),
  );
}

interface Alias {
  readonly name: string;
  readonly words: readonly Value[];
}

/** The name in front of the equals sign, and the words behind it. */
function aliasIn(option: ScannedOption, value: Value): Alias | undefined {
  const start = literalStart(value).toLowerCase();
  const pattern = option.known?.facts.aliases?.find((each) => matchesWildcard(each.toLowerCase(), `${start}*`));
  const equals = start.indexOf("=");
  // What begins with `!` is for a shell.
  if (pattern === undefined || equals < 0 || start[equals + 1] === "!") return undefined;
  const words = typeof value === "string" ? splitWords(value.slice(equals + 1)) : [UNKNOWN];
  return { name: start.slice(pattern.indexOf("*"), equals), words };
}

const UNKNOWN: Value = holeValue({ cause: "input", text: "…" }, true);

function later(program: string, words: readonly Value[]): readonly Value[] {
  return [program, ...words, UNKNOWN];
}

/** The words of the invocation with those of the alias in place of its name, and without the option that gives it. */
function withAlias({ cells }: Scan, option: ScannedOption, verb: Cell, words: readonly Value[]): readonly Value[] {
  const gone = new Set([option.index, ...option.valueIndices]);
  return cells.flatMap(({ value, index }) => (index === verb.index ? words : gone.has(index) ? [] : [value]));
}
