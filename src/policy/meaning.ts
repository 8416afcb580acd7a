import type { ReadOption } from "../segment/reading.ts";
import type { Segment } from "../segment/segment.ts";
import { literalStart, type Value } from "../segment/value.ts";
import type { FlagPattern, MeaningPattern } from "./command-pattern.ts";
import { type SubjectWord, subjectWord } from "./subject.ts";
import { type Certainty, compileWildcard, matchesWildcard, matchWords, type Wildcard } from "./wildcard.ts";

/**
 * Whether a segment does what a pattern with options says, however its options are ordered, clustered, shortened or
 * spelled. For deny and ask alone: what is read into a text may only make a decision stricter.
 */
export function matchMeaning(meaning: MeaningPattern, segment: Segment): Certainty {
  const { reading, words } = segment;
  if (reading === undefined) return "no";
  if (meaning.program !== undefined && !namesProgram(words[0] ?? "", meaning.program)) return "no";
  if (meaning.needsTerminator && reading.terminator === undefined) return "no";
  const wanted = splitPattern(meaning, reading.options);
  let certainty: Certainty = "certainly";
  let loose = false;
  for (const { flag, value } of wanted.flags) {
    const found = matchFlag(flag, value, segment, "restrict");
    if (found === "no") return "no";
    if (found === "possibly") {
      certainty = "possibly";
      loose = true;
    }
  }
  const operands = matchWords(wanted.positional, positionalWords(segment, loose, meaning.program));
  return operands === "certainly" ? certainty : operands;
}

/** Whether one of a segment's options is meant by a flag. With `allow`, only what is certain counts. */
export function matchFlag(
  flag: FlagPattern,
  value: Wildcard | undefined,
  segment: Segment,
  purpose: "allow" | "restrict",
): Certainty {
  const options = segment.reading?.options ?? [];
  const certainty = bestOf(options.map((option) => matchOption(option, flag, value)));
  if (certainty === "certainly") return certainty;
  if (purpose === "allow") return "no";
  const spread =
    flag.letters.length > 0 && flag.letters.every((letter) => options.some((option) => hasLetter(option, letter)));
  if (spread) return "certainly";
  if (certainty === "possibly" || options.some((option) => mayAbbreviate(option, flag) || mayCluster(option, flag)))
    return "possibly";
  return mayHoldOption(segment) ? "possibly" : "no";
}

interface WantedFlag {
  readonly flag: FlagPattern;
  readonly value: Wildcard | undefined;
}

/** The pattern's options with the values that belong to them, and its other words as one pattern. */
function splitPattern(meaning: MeaningPattern, options: readonly ReadOption[]) {
  const flags: WantedFlag[] = [];
  const positional: string[] = [];
  let open = meaning.open;
  const { words } = meaning;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (typeof word === "string") {
      positional.push(word);
      continue;
    }
    const next = words[i + 1];
    const isLast = i + 2 === words.length;
    if (typeof next !== "string" || (isLast && next === "*") || !takesValue(word, options)) {
      flags.push({ flag: word, value: word.value });
      continue;
    }
    flags.push({ flag: word, value: compileWildcard(next, word.name.windows) });
    if (isLast && next.endsWith("*")) open = true;
    i++;
  }
  if (flags.length + positional.length === words.length) return { flags, positional: meaning.positional };
  return { flags, positional: compileWildcard([...positional, ...(open ? ["*"] : [])].join(" ")) };
}

function takesValue(flag: FlagPattern, options: readonly ReadOption[]): boolean {
  if (flag.value !== undefined) return false;
  const last = flag.letters.at(-1);
  return options.some(
    (option) => option.values.length > 0 && (isNamed(option, flag) || (last !== undefined && hasLetter(option, last))),
  );
}

function matchOption(option: ReadOption, flag: FlagPattern, value: Wildcard | undefined): Certainty {
  if (!isNamed(option, flag)) return gluedValue(option, flag);
  if (value === undefined || value.pattern === "*") return option.dynamic ? "possibly" : "certainly";
  return bestOf(option.values.map((given) => matchWords(value, [subjectWord(given)])));
}

/** `-XDELETE` in a pattern is the option `-X` with that value. */
function gluedValue(option: ReadOption, flag: FlagPattern): Certainty {
  const [, name, rest] = /^(-[A-Za-z])(.+)$/s.exec(flag.text) ?? [];
  const [given] = option.values;
  if (name === undefined || rest === undefined || given === undefined || !option.spellings.includes(name)) return "no";
  return matchWords(compileWildcard(rest), [subjectWord(given)]);
}

function isNamed(option: ReadOption, flag: FlagPattern): boolean {
  if (flag.literal) {
    const name = flag.name.pattern;
    return option.spelled === name || option.name === name || option.spellings.includes(name);
  }
  return [option.spelled, option.name, ...option.spellings].some((name) => matchesWildcard(flag.name, name));
}

/** Whether a letter is given, also in a cluster of a program that the dictionary does not know. */
function hasLetter(option: ReadOption, letter: string): boolean {
  if (option.spelled === letter || option.spellings.includes(letter)) return true;
  const unknown = option.facts === undefined && /^-[A-Za-z0-9]{2,}$/.test(option.spelled);
  return unknown && option.spelled.includes(letter.slice(1), 1);
}

/** `-xf` for `-f`: a program that nobody described may take it for several options, or for one. */
function mayCluster(option: ReadOption, { text, literal }: FlagPattern): boolean {
  return literal && /^-[A-Za-z0-9]$/.test(text) && option.facts === undefined && hasLetter(option, text);
}

/** `--abor` for `--abort`: getopt_long and git take any beginning that fits one option, and only they know all of them. */
function mayAbbreviate({ facts, spelled }: ReadOption, flag: FlagPattern): boolean {
  return facts === undefined && spelled.length > 2 && flag.literal && flag.name.pattern.startsWith(spelled);
}

/** Whether a word nobody knows may turn out to be an option. */
function mayHoldOption({ reading, words }: Segment): boolean {
  if (reading === undefined) return false;
  const end = reading.terminator ?? words.length;
  if (reading.options.some((option) => option.dynamic)) return true;
  return reading.operands.some(({ index, value }) => index < end && mayStartWithDash(value));
}

function mayStartWithDash(value: Value): boolean {
  if (typeof value === "string" || literalStart(value) !== "") return false;
  const [first] = value.pieces;
  const choices = typeof first === "string" ? undefined : first?.choices;
  // `for f in a b; do rm "$f"`: neither is an option, nor becomes one where bash splits it.
  return choices === undefined || choices.some((choice) => choice === "" || /(?:^|\s)-/.test(choice));
}

/** The words that are neither options nor their values; `loose`: each that may be an option may also be missing here. */
function positionalWords({ reading, words }: Segment, loose: boolean, program: string | undefined): SubjectWord[] {
  const options = new Set(reading?.options.flatMap(({ index, valueIndices }) => [index, ...valueIndices]));
  if (reading?.terminator !== undefined) options.add(reading.terminator);
  return words.flatMap((value, i) => {
    if (options.has(i)) return [];
    if (i === 0) return [subjectWord(value === program ? value : programName(value))];
    const word = subjectWord(value);
    return [loose && mayStartWithDash(value) ? { ...word, optional: true } : word];
  });
}

function namesProgram(program: Value, name: string): boolean {
  if (typeof program !== "string") return true;
  return program === name || programName(program) === name;
}

function programName(program: Value): Value {
  return typeof program === "string" ? program.slice(program.lastIndexOf("/") + 1) : program;
}

/** The surest of several answers. */
export function bestOf(answers: readonly Certainty[]): Certainty {
  if (answers.includes("certainly")) return "certainly";
  return answers.includes("possibly") ? "possibly" : "no";
}
