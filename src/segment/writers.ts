import type { Command, Statement, Word } from "../syntax/index.ts";
import type { Collection } from "./collect.ts";
import { isGlobOption } from "./shell.ts";
import { argvText } from "./words.ts";

/** What a part of a text may change in the shell that runs it. */
export interface Changes {
  readonly variables: ReadonlySet<string> | "all";
  readonly directory: boolean;
  /** Which files a glob stands for. */
  readonly globs: boolean;
}

interface Gathered {
  variables: Set<string>;
  all: boolean;
  directory: boolean;
  globs: boolean;
}

/** Every variable that statements may set, and whether they may change the directory. Errs on the side of more. */
export function mayChange(collection: Collection, statements: readonly Statement[]): Changes {
  const gathered: Gathered = { variables: new Set(), all: false, directory: false, globs: false };
  for (const { command } of statements) gather(collection, command, gathered);
  return changesOf(gathered);
}

function changesOf({ variables, all, directory, globs }: Gathered): Changes {
  return { variables: all ? "all" : variables, directory, globs };
}

function gather(collection: Collection, command: Command, out: Gathered): void {
  const lists = (...bodies: (readonly Statement[])[]) => {
    for (const body of bodies) for (const statement of body) gather(collection, statement.command, out);
  };
  gatherNames(command, out);
  switch (command.kind) {
    case "simple":
      gatherSimple(collection, command.words, out);
      for (const { name } of command.assignments) if (command.words.length === 0) out.variables.add(name);
      return;
    case "pipeline":
    case "and-or":
      for (const inner of command.commands) gather(collection, inner, out);
      return;
    case "group":
      lists(command.body);
      return;
    case "if":
      lists(command.otherwise, ...command.branches.flatMap((b) => [b.condition, b.body]));
      return;
    case "loop":
      lists(command.condition, command.body);
      return;
    case "for":
      lists(command.body);
      return;
    case "arithmetic-for":
      lists(command.body);
      return;
    case "case":
      lists(...command.items.map((item) => item.body));
      return;
    case "arithmetic":
    case "test":
      return;
    case "function":
    case "coproc":
      gather(collection, command.body, out);
      return;
  }
}

/** Names that a compound itself sets. */
function gatherNames(command: Command, out: Gathered): void {
  if (command.kind === "for") out.variables.add(command.name);
  if (command.kind === "arithmetic-for") addNames(command.header.text, out);
  if (command.kind === "arithmetic") addNames(command.expression.text, out);
}

function addNames(text: string, out: Gathered): void {
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) out.variables.add(name);
}

function gatherSimple(collection: Collection, words: readonly Word[], out: Gathered): void {
  const [program, ...rest] = words;
  for (const word of words) if (/\$\{[^}]*:?=|\$\(\(|\$\[/.test(word.text)) addNames(word.text, out);
  if (program === undefined) return;
  const name = argvText(program);
  const entry = collection.find(name);
  const called = collection.functions.get(name);
  if (called !== undefined) merge(called, out);
  if (!isPlain(program) || entry?.shell?.keeps === true) {
    out.all = true;
    out.directory = true;
    out.globs = true;
  }
  if (entry?.shell?.globs && rest.some((word) => !isPlain(word) || isGlobOption(argvText(word)))) out.globs = true;
  if (entry?.moves !== undefined) out.directory = true;
  if (entry?.operands?.some(isSetting) || entry?.shell?.positional) for (const word of rest) addNames(word.text, out);
}

function isPlain({ parts }: Word): boolean {
  return parts.every((part) => part.kind === "literal");
}

function merge({ variables, directory, globs }: Changes, out: Gathered): void {
  if (variables === "all") out.all = true;
  else for (const name of variables) out.variables.add(name);
  out.directory ||= directory;
  out.globs ||= globs;
}

/** What a call of a function may change: its body may call any other one. */
export function functionsMayChange(collection: Collection): Changes {
  const gathered: Gathered = { variables: new Set(), all: false, directory: false, globs: false };
  for (const changes of collection.functions.values()) merge(changes, gathered);
  return changesOf(gathered);
}

/** An operand that the shell takes for the name of a variable. */
function isSetting(operand: unknown): boolean {
  const role = typeof operand === "string" ? operand : (operand as { role: string }).role;
  return /^(?:variable|definition|evaluated)\*?$/.test(role);
}
