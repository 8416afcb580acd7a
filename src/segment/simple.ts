import type { Assignment, SimpleCommand, Word } from "../syntax/index.ts";
import type { Span } from "../text/index.ts";
import { checkArithmetic, evaluableText, mayBecomeSubscript } from "./checks.ts";
import { addFinding, addSegment, type Collection, type Place, spanAt } from "./collect.ts";
import { withDefaults, wordsOf } from "./defaults.ts";
import { areSameWords, checkWords, otherEnds } from "./dialect.ts";
import { addRedirectEffects, evaluateTarget, orNotAtAll } from "./effects.ts";
import { bothEnds, type Ends, type Flow, withArray, withVariable } from "./flow.ts";
import { invoke } from "./invoke.ts";
import type { SegmentAssignment, SegmentRedirect } from "./segment.ts";
import { isScopedTo, isSensitiveVariable } from "./shell.ts";
import { walkSubstitutions } from "./substitutions.ts";
import type { Value } from "./value.ts";
import { argvText, evaluateWhole, evaluateWord, type Scope } from "./words.ts";

/** A simple command of the text or of a script inside it: its own segment, the ones inside it, and what it changes. */
export function invokeSimple(collection: Collection, command: SimpleCommand, before: Flow, place: Place): Ends {
  const flow = withDefaults(before, wordsOf(command));
  const scope = { flow, surroundings: collection.surroundings };
  const words: Value[] = [];
  const wordSpans: Span[] = [];
  for (const [position, word] of command.words.entries()) {
    for (const value of evaluateWord(word, position === 0 ? { ...scope, asWritten: true } : scope)) {
      words.push(value);
      wordSpans.push(spanAt(place, word.span));
    }
  }
  const span = spanAt(place, command.span);
  if (words.some(mayBecomeSubscript)) collection.evaluable.push(span);
  // Each sees what stands in front of it; words and, behind words, redirects see none of them.
  let assignedFlow = flow;
  const assigned = command.assignments.map((assignment) => {
    const made = evaluateAssignment(collection, assignment, assignedFlow, place);
    const seen = { flow: assignedFlow, surroundings: collection.surroundings };
    assignedFlow = assign(assignedFlow, assignment, made.value, seen);
    return made;
  });
  const redirecting = { ...scope, flow: words.length === 0 ? assignedFlow : flow };
  const redirects = command.redirects.map((redirect): SegmentRedirect => {
    const target = evaluateTarget(redirect, redirecting);
    return { operator: redirect.operator, descriptor: redirect.descriptor, target, span: spanAt(place, redirect.span) };
  });
  const invocation = {
    text: command.text,
    span,
    argv: command.words.map(argvText),
    words,
    wordSpans,
    uncomputed: uncomputedWords(command.words, scope),
    assignments: assigned,
    redirects,
    ...(flow.dialect !== "bash" && !areSameWords(command.words) && { loose: true as const }),
  };
  checkWords(collection, command, flow, place);
  const ends =
    words.length === 0
      ? assignOnly(collection, command, invocation, flow, assignedFlow, place)
      : invoke(collection, invocation, flow, place, command);
  // Without a word the assignments are made, whatever becomes of the redirects.
  if (words.length === 0) return otherEnds(ends, command, "", flow);
  return orNotAtAll(otherEnds(ends, command, invocation.argv[0] ?? "", flow), command.redirects, flow);
}

/** The words as holes where a substitution is sure to print what the text says; undefined without one. */
function uncomputedWords(words: readonly Word[], scope: Scope): readonly Value[] | undefined {
  const computed = words.some(({ parts }, i) => i > 0 && parts.some(({ kind }) => kind === "command"));
  return computed ? words.flatMap((word) => evaluateWord(word, { ...scope, asWritten: true })) : undefined;
}

type Invoked = Parameters<typeof invoke>[1];

/** `A=1` and `> file`: no program runs, but what is set stays. */
function assignOnly(
  collection: Collection,
  command: SimpleCommand,
  invocation: Invoked,
  flow: Flow,
  assigned: Flow,
  place: Place,
): Ends {
  const index = addSegment(collection, {
    text: invocation.text,
    span: invocation.span,
    argv: invocation.argv,
    words: invocation.words,
    assignments: invocation.assignments,
    redirects: invocation.redirects,
    via: place.via,
    origin: place.origin,
    parent: place.parent,
    reading: undefined,
    pathProgram: undefined,
    transparent: false,
    callsFunction: false,
  });
  visitWords(collection, command, flow, place, index);
  addRedirectEffects(collection, command.redirects, assigned, place, index);
  checkAssignments(collection, invocation.assignments, index);
  return bothEnds(assigned);
}

function assign(flow: Flow, assignment: Assignment, value: Value | undefined, scope: Scope): Flow {
  const { name, elements, append, subscript } = assignment;
  const plain = subscript === undefined && !append && elements === undefined;
  const known = withVariable(flow, name, plain ? value : undefined);
  const words = elements !== undefined && !append && elements.every((element) => !element.text.startsWith("["));
  const values = words ? elements.flatMap((element) => evaluateWord(element, scope)) : undefined;
  return values === undefined && !flow.arrays.has(name) ? known : withArray(known, name, values);
}

function evaluateAssignment(
  collection: Collection,
  assignment: Assignment,
  flow: Flow,
  place: Place,
): SegmentAssignment {
  const scope = { flow, surroundings: collection.surroundings };
  const { name, text, elements } = assignment;
  const value =
    elements === undefined
      ? evaluateWhole(assignment.value, scope)
      : { pieces: [{ cause: "variable" as const, text }], splits: false };
  const values = elements === undefined ? [value] : elements.map((element) => evaluateWhole(element, scope));
  const span = spanAt(place, assignment.span);
  const evaluable = values.some((each) => evaluableText(each) !== undefined || mayBecomeSubscript(each));
  if (evaluable) collection.evaluable.push(span);
  if (assignment.subscript) checkArithmetic(collection, assignment.subscript, flow, place);
  // `a=([text]=x)`: the subscript is evaluated after its quotes are gone.
  for (const element of elements ?? [])
    if (element.text.startsWith("[")) checkArithmetic(collection, element, flow, place);
  return { name, value, text: `${text.slice(0, text.indexOf("=") + 1)}${argvText(assignment.value)}`, span };
}

/** Substitutions in every word, assignment, redirect and here-document of a command. */
export function visitWords(
  collection: Collection,
  command: SimpleCommand,
  flow: Flow,
  place: Place,
  index: number | undefined,
): void {
  walkSubstitutions(collection, wordsOf(command), flow, place, index);
}

/** Variables that make other programs run or load something. `program`: what they stand in front of. */
export function checkAssignments(
  collection: Collection,
  assignments: readonly SegmentAssignment[],
  index: number | undefined,
  program = "",
): void {
  for (const { name, value, span } of assignments) {
    if (isSensitiveVariable(name, value, program) && !isScopedTo(name, program))
      addFinding(collection, "sensitive-assignment", `\`${name}\` decides what programs run or load`, span, index);
  }
}
