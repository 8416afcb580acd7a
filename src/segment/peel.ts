import { parse, type Redirect } from "../syntax/index.ts";
import { LIMITS } from "../text/index.ts";
import { addFinding, type Collection, type Place, within } from "./collect.ts";
import { below } from "./effects.ts";
import {
  bothEnds,
  choicesOf,
  type Ends,
  type Flow,
  forget,
  haunted,
  hauntedBy,
  joinEnds,
  unsettled,
  withoutVariables,
  withVariable,
} from "./flow.ts";
import { followFile, followPackageScript } from "./follow.ts";
import { type Invocation, invoke } from "./invoke.ts";
import { pathProgram } from "./path-program.ts";
import type { Inner, Reading } from "./reading.ts";
import { openScript, walkScript } from "./script.ts";
import { isGlobOption } from "./shell.ts";
import type { Dialect } from "./spec.ts";
import { pipedText, stdinScript } from "./stdin.ts";
import { alternativesOf, type Hole, type Piece, shownValue, type Value, valueFrom } from "./value.ts";
import { mayChange } from "./writers.ts";

/** A wrapper that is peeled: what it is, where it stands, and what its redirects feed it. */
export interface Wrapped {
  readonly invocation: Invocation;
  readonly reading: Reading;
  readonly flow: Flow;
  readonly place: Place;
  readonly index: number;
  readonly redirects: readonly Redirect[];
}

/** Goes into every command inside the words of an invocation. Gives the ends when they run in this shell and stay. */
export function peel(collection: Collection, wrapped: Wrapped): Ends | undefined {
  const { reading } = wrapped;
  let ends: Ends | undefined;
  for (const inner of reading.inner) ends = peelOne(collection, wrapped, inner);
  for (const { role, value, index } of reading.evaluated)
    if (role === "alias") peelAlias(collection, wrapped, value, index);
  followProgram(collection, wrapped);
  const shell = reading.spec?.shell ?? reading.entry?.shell;
  if (shell?.later) return ends && bothEnds(fromNowOn(collection, wrapped));
  if (!shell?.keeps || ends === undefined) return undefined;
  const names = wrapped.invocation.assignments.map(({ name }) => name);
  return names.length === 0 ? ends : bothEnds(withoutVariables(joinEnds(ends), names));
}

function peelOne(collection: Collection, wrapped: Wrapped, inner: Inner): Ends | undefined {
  switch (inner.kind) {
    case "argv":
      return peelWords(collection, wrapped, inner);
    case "script":
      return peelScript(collection, wrapped, inner);
    case "file":
      return followFile(collection, wrapped, inner.path, inner.parameters, spanOf(wrapped, inner.index));
    case "stdin":
      return peelStdin(collection, wrapped);
    case "package-script":
      if (inner.perhaps === undefined || collection.surroundings.readText !== undefined)
        followPackageScript(collection, wrapped, inner.names, spanOf(wrapped, inner.index));
      return undefined;
  }
}

function spanOf({ invocation }: Wrapped, index: number, to = index + 1) {
  const first = invocation.wordSpans[index] ?? invocation.span;
  const last = invocation.wordSpans[to - 1] ?? first;
  return { start: first.start, end: Math.max(first.end, last.end) };
}

/** Where the inside of a wrapper stands. */
export function inside(wrapped: Wrapped, origin: Place["origin"], fixed: Place["fixed"] = wrapped.place.fixed): Place {
  return within(wrapped.place, "", { origin, parent: wrapped.index, fixed });
}

function peelWords(
  collection: Collection,
  wrapped: Wrapped,
  inner: Extract<Inner, { kind: "argv" }>,
): Ends | undefined {
  const { reading, flow } = wrapped;
  const given = givenLines(collection, wrapped, inner);
  if (given !== undefined && inner.placeholder !== undefined) return peelLines(collection, wrapped, inner, given);
  const groups = given && groupsOf(wrapped, given);
  if (groups !== undefined && groups.length > 1) return peelGroups(collection, wrapped, inner, groups);
  const words = inner.words.map((word) =>
    inner.placeholder === undefined ? word : replaced(word, inner.placeholder, fillsOf(inner, flow), inner.found),
  );
  const handed = words.length;
  if (inner.appends && given !== undefined) words.push(...given.flatMap(blankWords));
  else if (inner.appends) words.push({ pieces: [{ cause: "input", text: "…" }], splits: true });
  const wordSpans = words.map((_, i) => spanOf(wrapped, Math.min(inner.from + i, inner.to - 1)));
  const assignments = inner.assignments.map(({ name, value, index }) => ({
    name,
    value,
    text: `${name}=${shownValue(value)}`,
    span: spanOf(wrapped, index),
  }));
  if (words.length === 0 || (inner.words.length === 0 && !inner.appends)) return undefined;
  const shown = inner.words.map(shownValue);
  const directories = below(flow.directories, reading.directories);
  const span = spanOf(wrapped, inner.from, inner.to);
  const made: Invocation = {
    text: shown.join(" "),
    span,
    argv: shown,
    words,
    wordSpans,
    assignments,
    redirects: [],
    handed,
  };
  const outside =
    (reading.spec?.shell ?? reading.entry?.shell)?.keeps === true
      ? withAssigned(wrapped)
      : { ...flow, functions: new Map<string, boolean>(), directories: inner.moved ? undefined : directories };
  const place = inside(wrapped, "wrapper");
  collection.wordBudget -= words.length;
  if (place.scripts >= LIMITS.nesting || collection.wordBudget < 0) {
    addFinding(collection, "limit-exceeded", "too many wrappers inside each other", span, wrapped.index);
    return undefined;
  }
  return invoke(collection, made, outside, { ...place, scripts: place.scripts + 1 });
}

// With these, xargs takes its words apart in another way, or from elsewhere.
const OTHER_INPUT = new Set(
  "-d --delimiter -0 --null -a --arg-file -E -e --eof -L -l --max-lines -s --max-chars -x --exit -R -S".split(" "),
);

function blankWords(line: string): readonly string[] {
  return line.split(/\s+/).filter((word) => word !== "");
}

/** `xargs -n 2`: the words of each run. */
function groupsOf({ reading }: Wrapped, lines: readonly string[]): readonly (readonly string[])[] | undefined {
  const option = reading.options.findLast(({ spellings }) => spellings.includes("-n"));
  if (option === undefined) return undefined;
  const size = Number(option.values[0]);
  const words = lines.flatMap(blankWords);
  if (!Number.isInteger(size) || size < 1) return undefined;
  return Array.from({ length: Math.ceil(words.length / size) }, (_, i) => words.slice(i * size, (i + 1) * size));
}

function peelGroups(
  collection: Collection,
  wrapped: Wrapped,
  inner: Extract<Inner, { kind: "argv" }>,
  groups: readonly (readonly string[])[],
): undefined {
  const at = { ...wrapped, place: { ...wrapped.place, stdin: { kind: "inherited" } as const } };
  for (const group of groups)
    peelWords(collection, at, { ...inner, words: [...inner.words, ...group], appends: false, placeholder: undefined });
}

/** The lines that a wrapper hands on as words, where the text itself says them: `echo -exec | xargs find`. */
function givenLines(
  collection: Collection,
  wrapped: Wrapped,
  inner: Extract<Inner, { kind: "argv" }>,
): readonly string[] | undefined {
  if (!wrapped.reading.spec?.appends || (!inner.appends && inner.placeholder === undefined)) return undefined;
  const text = pipedText(collection, wrapped.place.stdin);
  if (text === undefined || /["'\\]/.test(text) || wrapped.reading.options.some(({ name }) => OTHER_INPUT.has(name)))
    return undefined;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > LIMITS.choices ? undefined : lines;
}

/** `xargs -I{}`: the inner command runs once for each line. */
function peelLines(
  collection: Collection,
  wrapped: Wrapped,
  inner: Extract<Inner, { kind: "argv" }>,
  lines: readonly string[],
): undefined {
  for (const line of lines) {
    const words = inner.words.map((word) => filledWith(word, inner.placeholder ?? "", line.trim()));
    peelWords(
      collection,
      { ...wrapped, place: { ...wrapped.place, stdin: { kind: "inherited" } } },
      { ...inner, words, placeholder: undefined, appends: false },
    );
  }
}

function filledWith(word: Value, placeholder: string, line: string): Value {
  if (placeholder === "") return word;
  if (typeof word === "string") return word.replaceAll(placeholder, line);
  const pieces = word.pieces.map((piece) => (typeof piece === "string" ? piece.replaceAll(placeholder, line) : piece));
  return valueFrom(pieces, word.splits);
}

/** What is known of the words a placeholder stands for: where the command runs elsewhere, their names count from here. */
function fillsOf({ fills, moved }: Extract<Inner, { kind: "argv" }>, { directories }: Flow): Hole["fills"] {
  if (fills === undefined || !moved || directories === undefined) return fills;
  return fills.flatMap((fill) => {
    const absolute = typeof fill[0] === "string" && fill[0].startsWith("/");
    return absolute ? [fill] : directories.map((directory): readonly Piece[] => [`${directory}/`, ...fill]);
  });
}

/** A word in which a placeholder stands for words that nobody knows. */
function replaced(word: Value, placeholder: string, fills: Hole["fills"], found: readonly Piece[] | undefined): Value {
  const pieces = typeof word === "string" ? [word] : word.pieces;
  const hole: Hole = { cause: "input", text: placeholder, ...(fills !== undefined && { fills }) };
  const stand = found ?? [hole];
  const open = pieces.flatMap((piece): Piece[] =>
    typeof piece === "string" && placeholder !== ""
      ? piece.split(placeholder).flatMap((part, i) => (i === 0 ? [part] : [...stand, part]))
      : [piece],
  );
  return valueFrom(open, typeof word === "string" ? false : word.splits);
}

function peelScript(
  collection: Collection,
  wrapped: Wrapped,
  inner: Extract<Inner, { kind: "script" }>,
): Ends | undefined {
  const span = spanOf(wrapped, inner.from, inner.to);
  // `echo 'rm -rf /' | xargs sh -c`: the script is only a word of what was written, whoever wrote it.
  const handed = wrapped.invocation.handed ?? Number.POSITIVE_INFINITY;
  if (inner.from >= handed || (!inner.quoted && isOfKnownInput(inner.text)))
    addFinding(collection, "opaque-script", "the script is a word of the input", span, wrapped.index);
  const elsewhere = inner.role === "remote-script";
  const shell = wrapped.reading.spec?.shell ?? wrapped.reading.entry?.shell;
  const start = shell?.later
    ? atSomeTime(collection, wrapped)
    : shell?.keeps
      ? withAssigned(wrapped)
      : shellFlow(
          wrapped,
          elsewhere,
          inner.parameters.map((value, i) => ofInput(value, inner.to + i >= handed)).slice(1),
        );
  let ends: Ends | undefined;
  for (const text of alternativesOf(inner.text, LIMITS.choices))
    ends = runText(collection, wrapped, text, start, span, inner.quoted);
  return ends !== undefined && typeof inner.text !== "string" && choicesOf(inner.text) === undefined
    ? bothEnds(unsettled(joinEnds(ends)))
    : ends;
}

/** `x=1 eval '$x'`: what stands in front of a builtin is set while it runs. */
function withAssigned({ flow, invocation }: Wrapped): Flow {
  return invocation.assignments.reduce((known, { name, value }) => withVariable(known, name, value), flow);
}

/** A word that a wrapper was given by the input: what a script makes of it is known, and is still the input's. */
function ofInput(value: Value, handed: boolean): Value {
  if (!handed || typeof value !== "string") return value;
  return { pieces: [{ cause: "input", text: value, choices: [value] }], splits: false };
}

function isOfKnownInput(value: Value): boolean {
  return (
    typeof value !== "string" &&
    value.pieces.some((each) => typeof each !== "string" && each.cause === "input" && each.choices !== undefined)
  );
}

/** What a trap knows when it runs: nothing of what the text sets anywhere, as that may come later. */
function atSomeTime(collection: Collection, { flow, place }: Wrapped): Flow {
  return { ...forget(flow, mayChange(collection, place.script)), positional: undefined };
}

/** What is known behind `trap`: nothing that its command may change, as it may do so again at any time. */
function fromNowOn(collection: Collection, { reading, flow }: Wrapped): Flow {
  const shell = reading.spec?.shell ?? reading.entry?.shell;
  const events = reading.operands.filter(({ role }) => role === "text").map(({ value }) => value);
  const { last } = shell ?? {};
  if (last !== undefined && events.every((event) => typeof event === "string" && last.includes(event))) return flow;
  return reading.inner.reduce((known, inner) => {
    if (inner.kind !== "script" || typeof inner.text !== "string") return haunted(known);
    const { statements } = parse({ name: "script", text: inner.text });
    return hauntedBy(known, mayChange(collection, statements));
  }, flow);
}

function runText(
  collection: Collection,
  wrapped: Wrapped,
  text: Value,
  start: Flow,
  span: Invocation["span"],
  quoted = false,
): Ends | undefined {
  const inner = inside(wrapped, "script", wrapped.place.fixed ?? span);
  const place = { ...inner, script: stays(wrapped) ? inner.script : NO_STATEMENTS };
  if (typeof text !== "string" && !(quoted && text.pieces.every(isOfInput)))
    addFinding(
      collection,
      "opaque-script",
      `the script \`${shownValue(text)}\` is known only in part`,
      span,
      wrapped.index,
    );
  return walkScript(collection, typeof text === "string" ? text : openScript(text), "script", start, {
    ...place,
    scripts: place.scripts + 1,
  });
}

const NO_STATEMENTS: Place["script"] = [];

/** Whether the scripts of an invocation are part of the one it stands in (`eval`). */
export function stays({ reading }: Wrapped): boolean {
  const shell = reading.spec?.shell ?? reading.entry?.shell;
  return shell?.keeps === true || shell?.later === true;
}

/** What stands in for a hole that a program fills and quotes is an unknown word, so the text around it is known. */
function isOfInput(piece: Piece): boolean {
  return typeof piece === "string" || piece.cause === "input";
}

/** What a shell knows that is started: also which options it was given for its globs. */
export function shellFlow(wrapped: Wrapped, elsewhere: boolean, positional: readonly Value[] | undefined): Flow {
  const { reading, invocation, flow } = wrapped;
  const started = childFlow(flow, elsewhere, positional, dialectOf(wrapped, elsewhere));
  const given = reading.options.flatMap(({ values, index }) => [...values, invocation.words[index] ?? ""]);
  const looseGlobs = reading.entry?.stdin !== undefined && given.some(isGlobOption);
  return { ...started, looseGlobs };
}

/** A shell on another machine is whatever its user has, mostly bash; all else hands its scripts to `/bin/sh`. */
function dialectOf({ reading }: Wrapped, elsewhere: boolean): Dialect {
  return reading.entry?.dialect ?? (elsewhere ? "bash" : "posix");
}

/** What a process of its own knows: the environment, not the shell's own variables and functions. */
export function childFlow(
  flow: Flow,
  elsewhere: boolean,
  positional: readonly Value[] | undefined,
  dialect: Dialect,
): Flow {
  const unknown = withoutVariables(flow, flow.anyVariable ? "all" : [...flow.variables.keys()]);
  return {
    ...unknown,
    functions: new Map(),
    stack: [],
    directories: elsewhere ? undefined : flow.directories,
    positional,
    looseGlobs: false,
    inFunction: false,
    dialect,
  };
}

function peelStdin(collection: Collection, wrapped: Wrapped): Ends | undefined {
  const found = stdinScript(collection, wrapped);
  const span = wrapped.invocation.span;
  if (found === undefined) {
    addFinding(
      collection,
      "opaque-script",
      `\`${wrapped.invocation.argv[0] ?? ""}\` runs what it reads from standard input`,
      span,
      wrapped.index,
    );
    return undefined;
  }
  if (found.kind === "file") return followFile(collection, wrapped, found.path, [], span);
  return runText(collection, wrapped, found.text, shellFlow(wrapped, false, []), span);
}

function peelAlias(collection: Collection, wrapped: Wrapped, value: Value, index: number): void {
  const text = shownValue(value);
  const equals = text.indexOf("=");
  if (equals <= 0) return;
  const name = text.slice(0, equals);
  if (collection.find(name) !== undefined || collection.surroundings.findProgram?.(name) !== undefined)
    addFinding(
      collection,
      "shadowed-program",
      `an alias named like the program \`${name}\``,
      spanOf(wrapped, index),
      wrapped.index,
    );
  runText(
    collection,
    wrapped,
    typeof value === "string" ? text.slice(equals + 1) : value,
    childFlow(wrapped.flow, false, undefined, wrapped.flow.dialect),
    spanOf(wrapped, index),
  );
}

/** `./x.sh`: a program that PATH does not find may be a shell script, whatever its name, and is judged by what it contains. */
function followProgram(collection: Collection, wrapped: Wrapped): void {
  const { invocation } = wrapped;
  const program = invocation.words[0];
  if (typeof program !== "string" || pathProgram(collection, program) !== "elsewhere") return;
  followFile(collection, wrapped, program, invocation.words.slice(1), invocation.wordSpans[0] ?? invocation.span, true);
}
