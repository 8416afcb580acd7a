import type { SimpleCommand } from "../syntax/index.ts";
import type { Span } from "../text/index.ts";
import { checkReading } from "./check-reading.ts";
import { addFinding, addSegment, type Collection, type Place, within } from "./collect.ts";
import { addRedirectEffects } from "./effects.ts";
import { bothEnds, choicesOf, type Ends, type Flow, unsettled } from "./flow.ts";
import { readProgramText } from "./languages.ts";
import { applyInvocation } from "./moves.ts";
import { addOperandEffects } from "./operand-effects.ts";
import { pathProgram } from "./path-program.ts";
import { peel } from "./peel.ts";
import { readInvocation } from "./read.ts";
import type { Reading } from "./reading.ts";
import type { SegmentAssignment, SegmentRedirect } from "./segment.ts";
import { checkAssignments, visitWords } from "./simple.ts";
import type { Value } from "./value.ts";

/** One invocation of a program: words that are at least partly known, and where they stand. */
export interface Invocation {
  readonly text: string;
  readonly span: Span;
  readonly argv: readonly string[];
  readonly words: readonly Value[];
  /** The span of each word. */
  readonly wordSpans: readonly Span[];
  readonly assignments: readonly SegmentAssignment[];
  readonly redirects: readonly SegmentRedirect[];
}

/** Judging material for one invocation: its segment, its effects, its findings, and everything inside it. */
export function invoke(
  collection: Collection,
  invocation: Invocation,
  flow: Flow,
  place: Place,
  command?: SimpleCommand,
): Ends {
  const { words } = invocation;
  const program = words[0] ?? "";
  const alternatives = typeof program === "string" ? undefined : choicesOf(program);
  const reading = readProgramText(readInvocation(words, collection.find));
  const callsFunction = typeof program === "string" && flow.functions.get(program) === true;
  const { text, span, argv, assignments, redirects } = invocation;
  // Every field is written out: copying objects is what the time goes into here.
  const index = addSegment(collection, {
    text,
    span,
    argv,
    words,
    assignments,
    redirects,
    via: place.via,
    origin: place.origin,
    parent: place.parent,
    reading: callsFunction ? undefined : reading,
    pathProgram: pathProgram(collection, program),
    transparent: alternatives !== undefined || (!callsFunction && reading.transparent && reading.inner.length > 0),
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
  if (callsFunction) return bothEnds(applyInvocation(collection, invocation, reading, flow, true).success);
  return invokeProgram(collection, invocation, reading, flow, place, index, command);
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
  for (const name of names) {
    const words = [name, ...invocation.words.slice(1)];
    const argv = [name, ...invocation.argv.slice(1)];
    invoke(
      collection,
      { ...invocation, words, argv, redirects: [], text: argv.join(" ") },
      flow,
      within(place, "", { origin: "wrapper", parent }),
    );
  }
  return bothEnds(flow);
}

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
  const ends = applyInvocation(collection, invocation, reading, flow, false);
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
