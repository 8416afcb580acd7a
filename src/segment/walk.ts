import type { Command, Redirect, Statement, Word } from "../syntax/index.ts";
import { checkArithmetic, checkTest, evaluableText } from "./checks.ts";
import { addFinding, type Collection, type Place, spanAt, stepsFrom, within } from "./collect.ts";
import { expandedIn, withDefaults } from "./defaults.ts";
import { checkDoubleBrackets, checkDoubleParentheses, runsApart } from "./dialect.ts";
import { addRedirectEffects, orNotAtAll } from "./effects.ts";
import {
  bothEnds,
  choicesOf,
  type Ends,
  type Flow,
  forget,
  joinEnds,
  joinFlows,
  joinValues,
  withFunction,
  withoutVariables,
  withVariable,
} from "./flow.ts";
import { isSensitiveVariable } from "./shell.ts";
import { invokeSimple } from "./simple.ts";
import { walkSubstitutions } from "./substitutions.ts";
import type { Value } from "./value.ts";
import { evaluateWord } from "./words.ts";
import { mayChange } from "./writers.ts";

/** Goes through statements in the order in which bash runs them and collects what they would do. */
export function walkStatements(
  collection: Collection,
  statements: readonly Statement[],
  flow: Flow,
  place: Place,
  before?: Statement,
): Ends {
  let ends = bothEnds(flow);
  let step = stepBehind(before);
  const at = stepsFrom(place);
  for (const statement of statements) {
    const before = joinEnds(ends);
    const after = walkCommand(collection, statement.command, before, at(step));
    // A background job runs in a process of its own: nothing it sets stays.
    ends = statement.background ? bothEnds(before) : after;
    step = stepBehind(statement);
  }
  return ends;
}

function stepBehind(statement: Statement | undefined): string {
  if (statement === undefined) return "";
  return statement.background ? "&" : ";";
}

/** The same for a list that runs in a process of its own. */
function walkApart(collection: Collection, statements: readonly Statement[], flow: Flow, place: Place): void {
  walkStatements(collection, statements, flow, place);
}

export function walkCommand(collection: Collection, command: Command, flow: Flow, place: Place): Ends {
  if (collection.full) return bothEnds(flow);
  switch (command.kind) {
    case "simple":
      return invokeSimple(collection, command, flow, place);
    case "pipeline":
      return walkPipeline(collection, command, flow, place);
    case "and-or":
      return walkAndOr(collection, command, flow, place);
    case "function":
      return walkFunction(collection, command, flow, place);
    case "coproc":
      walkCommand(collection, command.body, flow, within(place, "coproc"));
      return bothEnds(withoutVariables(flow, [command.name ?? "COPROC"]));
    default:
      return walkCompound(collection, command, flow, place);
  }
}

type Of<K extends Command["kind"]> = Extract<Command, { kind: K }>;

function walkPipeline(collection: Collection, pipeline: Of<"pipeline">, flow: Flow, place: Place): Ends {
  const [first, ...rest] = pipeline.commands;
  const start = within(within(place, pipeline.timed ? "time" : ""), pipeline.negated ? "!" : "");
  if (first === undefined) return bothEnds(flow);
  const ends = walkCommand(collection, first, flow, start);
  // `time` may be a program, and what stands behind it its words.
  if (pipeline.timed && flow.dialect !== "bash") return bothEnds(joinFlows(flow, joinEnds(ends)));
  if (rest.length === 0) return pipeline.negated ? { success: ends.failure, failure: ends.success } : ends;
  const at = stepsFrom(start);
  let from = first;
  let last = ends;
  rest.forEach((command, i) => {
    const stdin = { kind: "pipe", from, flow } as const;
    last = walkCommand(collection, command, flow, { ...at(pipeline.operators[i] ?? "|"), stdin });
    from = command;
  });
  // ksh and zsh run the last command in the shell itself.
  return bothEnds(flow.dialect === "bash" ? flow : joinFlows(flow, joinEnds(last)));
}

function walkAndOr(collection: Collection, list: Of<"and-or">, flow: Flow, place: Place): Ends {
  let ends = bothEnds(flow);
  const at = stepsFrom(place);
  list.commands.forEach((command, i) => {
    const operator = i === 0 ? "" : (list.operators[i - 1] ?? "");
    const inner = at(operator);
    if (operator === "&&") {
      const next = walkCommand(collection, command, ends.success, inner);
      ends = { success: next.success, failure: joinFlows(ends.failure, next.failure) };
    } else if (operator === "||") {
      const next = walkCommand(collection, command, ends.failure, inner);
      ends = { success: joinFlows(ends.success, next.success), failure: next.failure };
    } else ends = walkCommand(collection, command, flow, inner);
  });
  return ends;
}

/** A body is judged where it stands. It may be called from anywhere, so what it knows is only what nothing changes. */
function walkFunction(collection: Collection, definition: Of<"function">, flow: Flow, place: Place): Ends {
  const { name, body } = definition;
  collection.bodies.set(name, body);
  collection.writers.define(name, mayChange(collection, [{ command: body, background: false }]));
  if (collection.find(name) !== undefined || collection.surroundings.findProgram?.(name) !== undefined)
    addFinding(
      collection,
      "shadowed-program",
      `a function named like the program \`${name}\``,
      spanAt(place, definition.span),
    );
  const lasting = forget(flow, mayChange(collection, place.script));
  walkCommand(
    collection,
    body,
    { ...lasting, positional: undefined, inFunction: true },
    within(place, `function ${name}`, { stdin: { kind: "inherited" } }),
  );
  return bothEnds(withFunction(flow, name, true));
}

function walkCompound(collection: Collection, command: Compound, before: Flow, place: Place): Ends {
  const flow = withDefaults(before, expandedIn(command));
  walkRedirects(collection, command.redirects, flow, place, command.span);
  // A compound's own standard input hides the pipe it stands in.
  const inner = command.redirects.some((r) => r.operator.startsWith("<"))
    ? { ...place, stdin: { kind: "inherited" } as const }
    : place;
  const ends = orNotAtAll(walkBody(collection, command, flow, inner), command.redirects, flow);
  return runsApart(command.redirects, flow) ? bothEnds(joinFlows(flow, joinEnds(ends))) : ends;
}

type Compound = Exclude<Command, { kind: "simple" | "pipeline" | "and-or" | "function" | "coproc" }>;

function walkBody(collection: Collection, command: Compound, flow: Flow, place: Place): Ends {
  switch (command.kind) {
    case "group":
      if (!command.subshell) return walkStatements(collection, command.body, flow, within(place, "{"));
      walkApart(collection, command.body, flow, within(place, "("));
      return bothEnds(flow);
    case "if":
      return walkIf(collection, command, flow, place);
    case "loop":
      return walkLoop(collection, [...command.condition, ...command.body], flow, place, command.keyword);
    case "for":
      return walkFor(collection, command, flow, place);
    case "arithmetic-for": {
      checkArithmetic(collection, command.header, flow, place);
      walkSubstitutions(collection, [command.header], flow, place, place.parent);
      return walkLoop(collection, command.body, withoutVariables(flow, namesIn(command.header)), place, "for");
    }
    case "case":
      return walkCase(collection, command, flow, place);
    case "arithmetic":
      checkDoubleParentheses(collection, flow, place);
      checkArithmetic(collection, command.expression, flow, place);
      walkSubstitutions(collection, [command.expression], flow, place, place.parent);
      return bothEnds(withoutVariables(flow, namesIn(command.expression)));
    case "test": {
      checkDoubleBrackets(collection, command.comparisons, flow, place);
      for (const comparison of command.comparisons) checkTest(collection, comparison, flow, place);
      const words = command.comparisons.flatMap((comparison) => comparison.operands);
      walkSubstitutions(collection, words, flow, place, place.parent);
      return bothEnds(flow);
    }
  }
}

/** Arithmetic can assign to every name in it. */
function namesIn(expression: Word): readonly string[] {
  return expression.text.match(/[A-Za-z_]\w*/g) ?? [];
}

function walkRedirects(
  collection: Collection,
  redirects: readonly Redirect[],
  flow: Flow,
  place: Place,
  _span: Command extends { span: infer S } ? S : unknown,
): void {
  if (redirects.length === 0) return;
  const words = redirects.flatMap((r) => (r.subscript ? [r.target, r.subscript] : [r.target]));
  walkSubstitutions(collection, words, flow, place, place.parent);
  addRedirectEffects(collection, redirects, flow, place, undefined);
}

function walkIf(collection: Collection, command: Of<"if">, flow: Flow, place: Place): Ends {
  let untaken = flow;
  let after: Flow | undefined;
  command.branches.forEach(({ condition, body }, i) => {
    const tested = walkStatements(collection, condition, untaken, within(place, i === 0 ? "if" : "elif"));
    const taken = joinEnds(walkStatements(collection, body, tested.success, within(place, "then")));
    after = after === undefined ? taken : joinFlows(after, taken);
    untaken = tested.failure;
  });
  const otherwise = joinEnds(walkStatements(collection, command.otherwise, untaken, within(place, "else")));
  return bothEnds(after === undefined ? otherwise : joinFlows(after, otherwise));
}

/** What a loop's body sets is unknown from its first round on: the text is judged once for all rounds. */
function walkLoop(
  collection: Collection,
  statements: readonly Statement[],
  flow: Flow,
  place: Place,
  keyword: string,
): Ends {
  const unsettled = forget(flow, mayChange(collection, statements));
  walkStatements(collection, statements, unsettled, within(place, keyword));
  return bothEnds(joinFlows(flow, unsettled));
}

function walkFor(collection: Collection, command: Of<"for">, flow: Flow, place: Place): Ends {
  walkSubstitutions(collection, command.words ?? [], flow, place, place.parent);
  const span = spanAt(place, command.span);
  if (isSensitiveVariable(command.name))
    addFinding(
      collection,
      "sensitive-assignment",
      `\`${command.name}\` decides what programs run or load`,
      span,
      place.parent,
    );
  const changes = mayChange(collection, command.body);
  const unsettled = forget(flow, changes);
  const values = command.words?.flatMap((word) => evaluateWord(word, { flow, surroundings: collection.surroundings }));
  if (values?.some((value) => evaluableText(value) !== undefined)) collection.evaluable.push(span);
  const touched = changes.variables === "all" || changes.variables.has(command.name);
  const value =
    command.keyword === "for" && !touched && values !== undefined && values.length > 0
      ? values.reduce(joinedValue)
      : undefined;
  const known = choicesOf(value) === undefined && !isGlob(value) ? undefined : value;
  walkStatements(
    collection,
    command.body,
    withVariable(unsettled, command.name, known),
    within(place, command.keyword),
  );
  return bothEnds(withVariable(joinFlows(flow, unsettled), command.name, undefined));
}

/** `for f in src/*.ts`: what stands around the glob is known of every name. */
function isGlob(value: Value | undefined): boolean {
  if (value === undefined || typeof value === "string" || value.splits) return false;
  return value.pieces.every((piece) => typeof piece === "string" || piece.cause === "path");
}

function joinedValue(a: Parameters<typeof joinValues>[0], b: Parameters<typeof joinValues>[1]) {
  return joinValues(a, b) ?? { pieces: [{ cause: "variable" as const, text: "…" }], splits: false };
}

function walkCase(collection: Collection, command: Of<"case">, flow: Flow, place: Place): Ends {
  walkSubstitutions(
    collection,
    [command.word, ...command.items.flatMap((item) => item.patterns)],
    flow,
    place,
    place.parent,
  );
  let after = flow;
  for (const item of command.items) {
    // `;&` falls through, so a body may begin with what an earlier one has done.
    const taken = joinEnds(walkStatements(collection, item.body, after, within(place, "case")));
    after = joinFlows(after, taken);
  }
  return bothEnds(after);
}
