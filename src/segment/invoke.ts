import type { SimpleCommand } from "../syntax/index.ts";
import type { Span } from "../text/index.ts";
import { checkReading } from "./check-reading.ts";
import { evaluableText } from "./checks.ts";
import { addFinding, addSegment, type Collection, type Place, type ReadWords, within } from "./collect.ts";
import { addRedirectEffects } from "./effects.ts";
import {
  bothEnds,
  choicesOf,
  type Ends,
  type Flow,
  forget,
  joinEnds,
  joinFlows,
  unsettled,
  withVariable,
} from "./flow.ts";
import { readProgramText } from "./languages.ts";
import { applyInvocation } from "./moves.ts";
import { addOperandEffects } from "./operand-effects.ts";
import { pathProgram } from "./path-program.ts";
import { peel } from "./peel.ts";
import { readProgramFiles } from "./program-files.ts";
import { readInvocation } from "./read.ts";
import type { Reading } from "./reading.ts";
import type { SegmentAssignment, SegmentRedirect } from "./segment.ts";
import { checkAssignments, visitWords } from "./simple.ts";
import { shownValue, type Value } from "./value.ts";
import { variantsOf } from "./variants.ts";
import { walkCommand } from "./walk.ts";

/** One invocation of a program: words that are at least partly known, and where they stand. */
export interface Invocation {
  readonly text: string;
  readonly span: Span;
  readonly argv: readonly string[];
  readonly words: readonly Value[];
  /** The words with every substitution as a hole, where that is something else. */
  readonly uncomputed?: readonly Value[] | undefined;
  /** The span of each word. */
  readonly wordSpans: readonly Span[];
  readonly assignments: readonly SegmentAssignment[];
  readonly redirects: readonly SegmentRedirect[];
  /** Another shell may make other words of them. */
  readonly loose?: true;
  /** From this word on they come from what a wrapper reads (`xargs`). */
  readonly handed?: number;
}

/** Judging material for one invocation: its segment, its effects, its findings, and everything inside it. */
export function invoke(
  collection: Collection,
  invocation: Invocation,
  flow: Flow,
  place: Place,
  command?: SimpleCommand,
): Ends {
  const { words, reading: read } = readOnce(collection, invocation.words);
  const program = words[0] ?? "";
  const alternatives = typeof program === "string" ? undefined : choicesOf(program);
  const run = { invocation, flow, place, redirects: command?.redirects ?? [] };
  const reading =
    read.evaluated.length === 0 && read.entry?.code === undefined ? read : readProgramFiles(collection, read, run);
  const callsFunction = typeof program === "string" && flow.functions.get(program) === true;
  const variants = alternatives !== undefined || callsFunction ? undefined : variantsOf(words, reading);
  const { text, span, argv, assignments, redirects } = invocation;
  // Every field is written out: copying objects is what the time goes into here.
  const index = addSegment(collection, {
    text,
    span,
    argv,
    words,
    uncomputed: invocation.uncomputed,
    assignments,
    redirects,
    via: place.via,
    origin: place.origin,
    parent: place.parent,
    reading: callsFunction ? undefined : reading,
    pathProgram: pathProgram(collection, program),
    transparent:
      alternatives !== undefined ||
      variants !== undefined ||
      (!callsFunction && reading.transparent && reading.inner.length > 0),
    callsFunction,
  });
  if (index === undefined) return bothEnds(flow);
  if (command !== undefined) {
    visitWords(collection, command, flow, place, index);
    addRedirectEffects(collection, command.redirects, flow, place, index);
  }
  checkAssignments(collection, invocation.assignments, index, typeof program === "string" ? program : "");
  if (alternatives !== undefined) return invokeEach(collection, invocation, alternatives, flow, place, index);
  checkProgram(collection, program, invocation, index);
  // It may be `cd`, `eval` or `export` as well as a program.
  if (typeof program !== "string") return bothEnds(unsettled(flow));
  if (variants !== undefined) return invokeVariants(collection, invocation, variants, flow, place, index);
  if (callsFunction) return callFunction(collection, invocation, program, flow, place, index);
  if (flow.functions.has(program)) {
    // It may be a function, or the program.
    const changed = forget(flow, collection.writers.functionsMayChange);
    const ends = invokeProgram(collection, invocation, reading, flow, place, index, command);
    return bothEnds(joinFlows(changed, joinEnds(ends)));
  }
  return invokeProgram(collection, invocation, reading, flow, place, index, command);
}

function readOnce({ readings, find }: Collection, words: readonly Value[]): ReadWords {
  const key = JSON.stringify(words);
  const read = readings.get(key) ?? { words, reading: readProgramText(readInvocation(words, find)) };
  readings.set(key, read);
  return read;
}

/** A program whose name is one of a few: each is looked at as if it stood there. */
function invokeEach(
  collection: Collection,
  invocation: Invocation,
  names: readonly string[],
  flow: Flow,
  place: Place,
  parent: number,
): Ends {
  const variants = names.map((name) => [name, ...invocation.words.slice(1)]);
  return invokeVariants(collection, invocation, variants, flow, place, parent);
}

function invokeVariants(
  collection: Collection,
  invocation: Invocation,
  variants: readonly (readonly Value[])[],
  flow: Flow,
  place: Place,
  parent: number,
): Ends {
  for (const words of variants) {
    const argv = words.map(shownValue);
    const wordSpans = words.map((_, i) => invocation.wordSpans[i] ?? invocation.span);
    const made = { ...invocation, words, uncomputed: undefined, wordSpans, argv, redirects: [], text: argv.join(" ") };
    invoke(collection, made, flow, within(place, "", { origin: "wrapper", parent }));
  }
  return bothEnds(flow);
}

/**
 * A call of a function: its body was judged where it stands, for any parameters; with its own it is judged once more, because
 * they may be options or programs. What it sets stays unknown: some of it may be local.
 */
function callFunction(
  collection: Collection,
  invocation: Invocation,
  name: string,
  flow: Flow,
  place: Place,
  index: number,
): Ends {
  const after = forget(flow, collection.writers.functionsMayChange);
  const body = collection.bodies.get(name);
  const parameters = invocation.words.slice(1);
  if (parameters.some((value) => evaluableText(value) !== undefined)) collection.evaluable.push(invocation.span);
  if (body === undefined || parameters.length === 0 || place.scripts >= MOST_CALLS || collection.callBudget <= 0)
    return bothEnds(after);
  collection.callBudget--;
  const entered = invocation.assignments.reduce((known, { name, value }) => withVariable(known, name, value), {
    ...flow,
    inFunction: true,
  });
  const inside = within(place, "", {
    origin: "wrapper",
    parent: index,
    fixed: place.fixed ?? invocation.span,
    scripts: place.scripts + 1,
  });
  const { directories, unreachable } = joinEnds(
    walkCommand(collection, body, { ...entered, positional: invocation.loose ? undefined : parameters }, inside),
  );
  return bothEnds(unreachable ? after : { ...after, directories });
}

const MOST_CALLS = 16;

function invokeProgram(
  collection: Collection,
  invocation: Invocation,
  reading: Reading,
  flow: Flow,
  place: Place,
  index: number,
  command: SimpleCommand | undefined,
): Ends {
  checkReading(collection, invocation, reading, index);
  const redirects = command?.redirects ?? [];
  addOperandEffects(collection, { invocation, reading, flow, place, index, redirects });
  const ends = applyInvocation(collection, invocation, reading, flow);
  const inner = peel(collection, { invocation, reading, flow, place, index, redirects });
  return inner ?? ends;
}

function checkProgram(collection: Collection, program: Value, invocation: Invocation, index: number): void {
  const span = invocation.wordSpans[0] ?? invocation.span;
  if (typeof program !== "string") {
    addFinding(
      collection,
      "dynamic-program",
      `the program \`${invocation.argv[0] ?? ""}\` is known only when the text runs`,
      span,
      index,
    );
    return;
  }
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (pathProgram(collection, program) === "elsewhere" && collection.find(name) !== undefined)
    addFinding(collection, "program-path", `\`${program}\` is not the \`${name}\` that PATH finds`, span, index);
}
