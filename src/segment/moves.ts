import { absolutePath, LIMITS } from "../text/index.ts";
import { evaluableText } from "./checks.ts";
import type { Collection } from "./collect.ts";
import {
  bothEnds,
  type Ends,
  type Flow,
  isAnywhere,
  pinned,
  withoutVariables,
  withPositional,
  withVariable,
} from "./flow.ts";
import type { Invocation } from "./invoke.ts";
import type { Reading } from "./reading.ts";
import { isGlobOption } from "./shell.ts";
import { isOneWordFor, type Value } from "./value.ts";

/** What an invocation changes in the shell: its directory, its variables, its functions, or that it ends. */
export function applyInvocation(collection: Collection, invocation: Invocation, reading: Reading, flow: Flow): Ends {
  const { spec, entry } = reading;
  const shell = spec?.shell ?? entry?.shell;
  if (shell?.leaves) return bothEnds(surelyLeaves(invocation, reading) ? { ...flow, unreachable: true } : flow);
  const moves = spec?.moves ?? entry?.moves;
  if (moves !== undefined && reading.prefix.length > 0) return move(collection, moves, reading, flow);
  const parameters = setPositional(collection, shell?.positional, invocation, reading, flow);
  const globs = shell?.globs === true && invocation.words.slice(1).some(isGlobOption);
  return bothEnds(setVariables(reading, globs ? { ...parameters, looseGlobs: true } : parameters));
}

/** `exit --help` only prints, and `exit 1 2` only complains. */
function surelyLeaves({ words }: Invocation, { options }: Reading): boolean {
  const status = words[1] ?? "0";
  return options.length === 0 && words.length <= 2 && typeof status === "string" && !status.startsWith("-");
}

/** `set -- a b` and `shift 2`. `set` without operands leaves the parameters alone. */
function setPositional(
  collection: Collection,
  how: true | "shift" | undefined,
  invocation: Invocation,
  reading: Reading,
  flow: Flow,
): Flow {
  if (how === undefined) return flow;
  if (how === "shift") {
    const [by = { value: "1" }] = reading.operands;
    const count = typeof by.value === "string" ? Number(by.value) : Number.NaN;
    const { positional } = flow;
    // More than there are, or less than none: then it only fails.
    if (positional?.every(isOneWordFor) && (count > positional.length || count < 0)) return flow;
    if (typeof by.value === "string" && !/^\d+$/.test(by.value)) return { ...flow, positional: undefined };
    const known = Number.isInteger(count) && positional?.slice(0, count).every(isOneWordFor);
    return { ...flow, positional: known ? positional?.slice(count) : undefined };
  }
  if (reading.terminator === undefined && reading.operands.length === 0) return flow;
  if (invocation.words.some((value) => evaluableText(value) !== undefined)) collection.evaluable.push(invocation.span);
  const operand = reading.operands[0];
  // `set - a` and `set + a`: a lone sign ends the options.
  const sign = operand?.value === "-" || operand?.value === "+" ? operand.index : undefined;
  if (reading.terminator === undefined && sign !== undefined && invocation.words.length === sign + 1) return flow;
  const first = reading.terminator ?? sign ?? (operand?.index ?? 1) - 1;
  return withPositional(flow, invocation.loose ? undefined : invocation.words.slice(first + 1));
}

function move(collection: Collection, moves: "to" | "push" | "pop", reading: Reading, flow: Flow): Ends {
  if (moves === "pop") return popDirectory(reading, flow);
  const target = reading.directories.at(-1) ?? reading.operands[0]?.value;
  const directories =
    moves === "push" && target === undefined
      ? undefined
      : resolveTarget(collection, target ?? collection.surroundings.home, flow);
  const stack = moves === "push" ? [...flow.stack, flow.directories] : flow.stack;
  // `cd -P` goes where links lead, and `..` counts from there.
  const known = reading.options.length === 0 || reading.options.every(({ name }) => name === "-L");
  const reached = known && !isAnywhere(flow) ? directories : undefined;
  const success = { ...withVariable(flow, "OLDPWD", undefined), directories: reached, stack };
  return { success, failure: flow };
}

function popDirectory(reading: Reading, flow: Flow): Ends {
  const known = reading.operands.length === 0 && reading.options.length === 0 && !isAnywhere(flow);
  return {
    success: {
      ...flow,
      directories: known ? flow.stack.at(-1) : undefined,
      stack: known ? flow.stack.slice(0, -1) : [],
    },
    failure: flow,
  };
}

function resolveTarget(_collection: Collection, target: Value, flow: Flow): Flow["directories"] {
  if (typeof target !== "string" || target === "-" || /^[+-]\d+$/.test(target)) return undefined;
  if (target.startsWith("/")) return [absolutePath(target)];
  const reached = flow.directories?.map((directory) => absolutePath(target, directory));
  return reached?.some(({ length }) => length > LIMITS.pathCharacters) ? undefined : reached;
}

/** Builtins that set variables by name: `read x`, `export A=1`, `printf -v x`, `unset x`. */
function setVariables(reading: Reading, flow: Flow): Flow {
  // `local` outside of a function only fails.
  if ((reading.spec ?? reading.entry)?.shell?.local && !flow.inFunction) return flow;
  let known = flow;
  const plain = reading.options.every(({ name }) => PLAIN_OPTIONS.has(name));
  const pins =
    !plain || reading.options.some(({ name }) => name === "-r") || (reading.spec ?? reading.entry)?.shell?.pins;
  for (const { role, value } of reading.evaluated) {
    if (role === "definition") {
      known = define(known, value, plain);
      if (pins) known = pinned(known, nameIn(value));
    } else if (role === "variable" || role === "evaluated")
      known =
        typeof value === "string"
          ? withoutVariables(known, value.match(/[A-Za-z_]\w*/g) ?? [])
          : withoutVariables(known, "all");
  }
  return known;
}

/** Options with which a definition keeps its text as it is; `-l`, `-u`, `-i`, `-n` and others change what is stored. */
const PLAIN_OPTIONS = new Set(["-x", "-r", "-g", "+x"]);

/** The name of a definition; undefined when nobody knows it. */
function nameIn(value: Value): string | undefined {
  const start = typeof value === "string" ? value : value.pieces[0];
  return typeof start === "string" ? /^[A-Za-z_]\w*/.exec(start)?.[0] : undefined;
}

function define(flow: Flow, value: Value, plain: boolean): Flow {
  if (typeof value !== "string") {
    const name = typeof value.pieces[0] === "string" ? /^[A-Za-z_]\w*(?==)/.exec(value.pieces[0])?.[0] : undefined;
    return withoutVariables(flow, name === undefined ? "all" : [name]);
  }
  const found = /^([A-Za-z_]\w*)=(.*)$/s.exec(value);
  // `declare -i` and its kin compute the value: only a plain one is sure to stay as it is.
  if (found?.[1] !== undefined)
    return withVariable(flow, found[1], plain && /^[\w./:@%,-]*$/.test(found[2] ?? "") ? found[2] : undefined);
  return withoutVariables(flow, value.match(/^[A-Za-z_]\w*/) ?? []);
}
