import { expandPattern } from "./expand.ts";
import type { PatternSetting } from "./rule.ts";
import { compileWildcard, type Wildcard } from "./wildcard.ts";

/** A rule's pattern as it is matched against segments. */
export interface CommandPattern {
  /** With `~`, `$HOME` and `${VAR}` replaced: what an allow matches. */
  readonly expanded: Wildcard;
  /** The same and, where it differs, the pattern as written: what a deny or ask matches. */
  readonly readings: readonly Wildcard[];
  /** What the program must be or begin with: looked at before anything else. */
  readonly heads: readonly PatternHead[];
  /** The pattern, when it holds no wildcard. */
  readonly exact: string | undefined;
  /** Says nothing of the program's name, or spells a path. */
  readonly anyPath: boolean;
  /** Its words, expanded. */
  readonly words: readonly string[];
  /** Begins with `NAME=value` words: how many. */
  readonly assignments: number;
  /** What is left behind those. */
  readonly behindAssignments: Wildcard | undefined;
  /** Holds `<` or `>`, so that redirects are part of what it is compared with. */
  readonly mentionsRedirect: boolean;
  /** The command and the target, when it ends in a redirect that writes. */
  readonly redirect: RedirectPattern | undefined;
  /** Options and the rest, when it holds words that begin with a dash. */
  readonly meaning: MeaningPattern | undefined;
  readonly flags: readonly FlagPattern[];
}

export interface PatternHead {
  readonly text: string;
  /** The whole name, not only its beginning. */
  readonly whole: boolean;
}

export interface RedirectPattern {
  readonly command: Wildcard;
  readonly operator: ">" | ">>";
  readonly target: string;
}

/** A pattern read as a command line: its options in any order and spelling, its other words in order. */
export interface MeaningPattern {
  readonly words: readonly (string | FlagPattern)[];
  /** Literal name of the program, when its word holds no wildcard. */
  readonly program: string | undefined;
  readonly needsTerminator: boolean;
  /** The words that are no options, when none of them is the value of one. */
  readonly positional: Wildcard;
  /** Ends in a star that is glued to an option: anything may follow. */
  readonly open: boolean;
}

export interface FlagPattern {
  readonly text: string;
  /** The name with its wildcards, `=value` cut off. */
  readonly name: Wildcard;
  readonly literal: boolean;
  /** Pattern of a glued value: `--method=DELETE`. */
  readonly value: Wildcard | undefined;
  /** `-rf` as `-r`, `-f`; empty when it cannot be a cluster. */
  readonly letters: readonly string[];
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const WRITES = /^(.*?) *(?:[0-9]*|&)(>>|>\||>)(?![>&|]) *([^<> ]+)$/s;

/** Takes a rule's pattern apart for segments. */
export function compileCommandPattern(
  pattern: string,
  flags: readonly string[],
  setting: Pick<PatternSetting, "home" | "env" | "windows">,
): CommandPattern {
  const text = expandPattern(pattern, setting);
  const expanded = compileWildcard(text, setting.windows);
  const readings = text === pattern ? [expanded] : [expanded, compileWildcard(pattern, setting.windows)];
  const words = text.split(" ");
  const firstOther = words.findIndex((word) => !ASSIGNMENT.test(word));
  const assignments = firstOther < 0 ? words.length : firstOther;
  const mentionsRedirect = /[<>]/.test(text);
  return {
    expanded,
    readings,
    heads: readings.map(headOf),
    exact: /[*?]/.test(text) ? undefined : expanded.pattern,
    anyPath: text.startsWith("*") || words[0]?.includes("/") === true,
    words,
    assignments,
    behindAssignments:
      assignments === 0 ? undefined : compileWildcard(words.slice(assignments).join(" "), setting.windows),
    mentionsRedirect,
    redirect: mentionsRedirect ? redirectPattern(text, setting.windows) : undefined,
    meaning: mentionsRedirect || assignments > 0 ? undefined : meaningPattern(words, setting.windows),
    flags: flags.map((flag) => flagPattern(flag, setting.windows)),
  };
}

function headOf({ start, pattern, windows }: Wildcard): PatternHead {
  // A fold of case or slashes, a redirect alone, an assignment: what stands first is no plain program name.
  if (windows || /^[^ ]*[<>=]/.test(pattern)) return { text: "", whole: false };
  const blank = start.indexOf(" ");
  if (blank >= 0) return { text: start.slice(0, blank), whole: true };
  return { text: start, whole: start === pattern || pattern.startsWith(`${start} *`) };
}

function redirectPattern(text: string, windows: boolean): RedirectPattern | undefined {
  const found = WRITES.exec(text);
  const [, command, operator, target] = found ?? [];
  if (command === undefined || target === undefined || /[<>]/.test(command)) return undefined;
  return {
    command: compileWildcard(command, windows),
    operator: operator === ">>" ? ">>" : ">",
    target,
  };
}

function meaningPattern(words: readonly string[], windows: boolean): MeaningPattern | undefined {
  if (!words.some(isFlag)) return undefined;
  const read = words.filter((word) => word !== "--").map((word) => (isFlag(word) ? flagPattern(word, windows) : word));
  const program = words[0] ?? "";
  const last = words.at(-1) ?? "";
  const open = isFlag(last) && last.endsWith("*");
  return {
    words: read,
    positional: compileWildcard([...read.filter((word) => typeof word === "string"), ...(open ? ["*"] : [])].join(" ")),
    program: /[*?]/.test(program) || isFlag(program) ? undefined : program,
    needsTerminator: words.includes("--"),
    open,
  };
}

function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith("-") && word !== "--";
}

/** Takes an option of a pattern apart: `-rf`, `--force*`, `--method=DELETE`. */
export function flagPattern(text: string, windows = false): FlagPattern {
  const equals = text.startsWith("--") ? text.indexOf("=") : -1;
  const name = equals < 0 ? text : text.slice(0, equals);
  const cluster = /^-([A-Za-z0-9]{2,})\*?$/.exec(name);
  return {
    text,
    name: compileWildcard(name),
    literal: !/[*?]/.test(name),
    value: equals < 0 ? undefined : compileWildcard(text.slice(equals + 1), windows),
    letters: cluster?.[1] === undefined ? [] : [...new Set(cluster[1])].map((letter) => `-${letter}`),
  };
}
