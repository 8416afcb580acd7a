import type { Redirect } from "../syntax/index.ts";
import { LIMITS } from "../text/index.ts";
import { atSomeTime, childFlow, fromNowOn, shellFlow, stays, withAssigned } from "./child-flow.ts";
import { addFinding, type Collection, type Place, within } from "./collect.ts";
import { below } from "./effects.ts";
import { bothEnds, choicesOf, type Ends, type Flow, joinEnds, unsettled, withoutVariables } from "./flow.ts";
import { followFile, followPackageScript } from "./follow.ts";
import { blankWords, filledWith, fillsOf, givenLines, groupsOf, replaced } from "./given-words.ts";
import { type Invocation, invoke } from "./invoke.ts";
import { pathProgram } from "./path-program.ts";
import type { Inner, Reading } from "./reading.ts";
import { openScript, walkScript } from "./script.ts";
import { stdinScript } from "./stdin.ts";
import { alternativesOf, holeValue, type Piece, shownValue, type Value } from "./value.ts";

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
    uncomputed: uncomputedOf(wrapped, inner, words),
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

/** What an allow may rest on of the words of an inner command: those that a substitution makes are holes there too. */
function uncomputedOf(
  { invocation }: Wrapped,
  { from, to }: Extract<Inner, { kind: "argv" }>,
  words: readonly Value[],
): readonly Value[] | undefined {
  const { uncomputed } = invocation;
  if (uncomputed === undefined) return undefined;
  const aligned = uncomputed.length === invocation.words.length && words.length >= to - from;
  if (aligned && words.slice(0, to - from).every((word, i) => word === invocation.words[from + i]))
    return [...uncomputed.slice(from, to), ...words.slice(to - from)];
  // Which of them are computed is not known: all but the program may be.
  return [words[0] ?? "", holeValue({ cause: "command", text: "…" }, true)];
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

/** What stands in for a hole that a program fills and quotes is an unknown word, so the text around it is known. */
function isOfInput(piece: Piece): boolean {
  return typeof piece === "string" || piece.cause === "input";
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
