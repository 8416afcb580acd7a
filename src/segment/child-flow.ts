import { parse } from "../syntax/index.ts";
import type { Collection } from "./collect.ts";
import { type Flow, forget, haunted, hauntedBy, withoutVariables, withVariable } from "./flow.ts";
import type { Wrapped } from "./peel.ts";
import { isGlobOption } from "./shell.ts";
import type { Dialect } from "./spec.ts";
import type { Value } from "./value.ts";
import { mayChange } from "./writers.ts";

/** What a shell knows that is started: also which options it was given for its globs. */
export function shellFlow(wrapped: Wrapped, elsewhere: boolean, positional: readonly Value[] | undefined): Flow {
  const { reading, invocation, flow } = wrapped;
  const started = childFlow(flow, elsewhere, positional, dialectOf(wrapped, elsewhere));
  const given = reading.options.flatMap(({ values, index }) => [...values, invocation.words[index] ?? ""]);
  const looseGlobs = reading.entry?.stdin !== undefined && given.some(isGlobOption);
  return { ...started, looseGlobs };
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

/** `x=1 eval '$x'`: what stands in front of a builtin is set while it runs. */
export function withAssigned({ flow, invocation }: Wrapped): Flow {
  return invocation.assignments.reduce((known, { name, value }) => withVariable(known, name, value), flow);
}

/** What a trap knows when it runs: nothing of what the text sets anywhere, as that may come later. */
export function atSomeTime(collection: Collection, { flow, place }: Wrapped): Flow {
  return { ...forget(flow, mayChange(collection, place.script)), positional: undefined };
}

/** What is known behind `trap`: nothing that its command may change, as it may do so again at any time. */
export function fromNowOn(collection: Collection, { reading, flow }: Wrapped): Flow {
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

/** Whether the scripts of an invocation are part of the one it stands in (`eval`). */
export function stays({ reading }: Wrapped): boolean {
  const shell = reading.spec?.shell ?? reading.entry?.shell;
  return shell?.keeps === true || shell?.later === true;
}

/** A shell on another machine is whatever its user has, mostly bash; all else hands its scripts to `/bin/sh`. */
function dialectOf({ reading }: Wrapped, elsewhere: boolean): Dialect {
  return reading.entry?.dialect ?? (elsewhere ? "bash" : "posix");
}
