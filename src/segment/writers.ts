import { type Command, parse, type Statement, type Word } from "../syntax/index.ts";
import type { Collection } from "./collect.ts";
import { expandedIn, wordsOf } from "./defaults.ts";
import type { FindEntry } from "./read.ts";
import { isGlobOption } from "./shell.ts";
import { argvText } from "./words.ts";

/** What a part of a text may change in the shell that runs it. */
export interface Changes {
  readonly variables: ReadonlySet<string> | "all";
  readonly directory: boolean;
  /** Which files a glob stands for. */
  readonly globs: boolean;
  readonly positional: boolean;
  /** Something is set up that may change anything at a later time (`trap`). */
  readonly later: boolean;
  /** Something in it may be impossible to expand or to assign, which ends the line. */
  readonly fails: boolean;
}

/** What a part of a text may change by itself, and the names that it calls. */
interface Gathered {
  readonly variables: Set<string>;
  all: boolean;
  directory: boolean;
  globs: boolean;
  positional: boolean;
  later: boolean;
  fails: boolean;
  readonly calls: Set<string>;
}

/** What the functions of a text may change, and what its lists change by themselves: each list is looked at once. */
export class Writers {
  readonly #find: FindEntry;
  readonly #lists = new WeakMap<readonly Statement[], Gathered>();
  /** Functions that change something. */
  readonly #functions = new Map<string, Changes>();
  #together: Gathered | undefined;

  constructor(find: FindEntry) {
    this.#find = find;
  }

  /** Notes what a function may change that the text defines from here on. */
  define(name: string, changes: Changes): void {
    const replaced = this.#functions.delete(name);
    const changing = changesAnything(changes) || changes.fails;
    if (changing) this.#functions.set(name, changes);
    if (replaced) this.#together = undefined;
    else if (changing && this.#together !== undefined) merge(changes, this.#together);
  }

  /** What a call of a function may change: its body may call any other one. */
  get functionsMayChange(): Changes {
    if (this.#together === undefined) {
      this.#together = nothing();
      for (const changes of this.#functions.values()) merge(changes, this.#together);
    }
    return changesOf(this.#together);
  }

  /** Every variable that statements may set, and whether they may change the directory. Errs on the side of more. */
  mayChange(statements: readonly Statement[]): Changes {
    const own = this.#listed(statements);
    const [few, many] =
      own.calls.size < this.#functions.size ? [own.calls, this.#functions] : [this.#functions, own.calls];
    const called = [...few.keys()].filter((name) => many.has(name));
    if (called.length === 0) return changesOf(own);
    const gathered: Gathered = { ...own, variables: new Set(own.variables) };
    for (const name of called) merge(this.#functions.get(name) ?? NOTHING, gathered);
    return changesOf(gathered);
  }

  #listed(statements: readonly Statement[]): Gathered {
    const known = this.#lists.get(statements);
    if (known !== undefined) return known;
    const out = nothing();
    for (const { command } of statements) this.#gather(command, out);
    this.#lists.set(statements, out);
    return out;
  }

  #gather(command: Command, out: Gathered): void {
    gatherNames(command, out);
    for (const { text } of command.kind === "simple" ? wordsOf(command) : expandedIn(command))
      if (/\$\{[^}]{0,64}=|\$\{[^}]{65}|\$\(\(|\$\[/.test(text)) addNames(text, out);
    if (mayFail(command)) out.fails = true;
    if (command.kind === "simple") this.#gatherSimple(command.words, out);
    for (const inner of commandsIn(command)) this.#gather(inner, out);
    for (const list of listsIn(command)) {
      const listed = this.#listed(list);
      merge(changesOf(listed), out);
      for (const name of listed.calls) out.calls.add(name);
    }
  }

  #gatherSimple(words: readonly Word[], out: Gathered): void {
    const [program, ...rest] = words;
    if (program === undefined) return;
    const name = argvText(program);
    const entry = this.#find(name);
    out.calls.add(name);
    if (!isPlain(program) || entry?.shell?.keeps === true) {
      out.all = true;
      out.directory = true;
      out.globs = true;
      out.positional = true;
      out.fails = true;
    }
    if (entry?.shell?.positional) out.positional = true;
    if (entry?.shell?.later) this.#gatherLater(rest, out);
    if (entry?.shell?.globs && rest.some((word) => !isPlain(word) || isGlobOption(argvText(word)))) out.globs = true;
    if (entry?.moves !== undefined) out.directory = true;
    if (entry?.operands?.some(isSetting) || entry?.shell?.positional) for (const word of rest) addNames(word.text, out);
  }

  /** A trap that changes something may do so at any time. */
  #gatherLater(words: readonly Word[], out: Gathered): void {
    const actions = words.filter((word) => !/^-./.test(word.text)).slice(0, 1);
    for (const action of actions) {
      const known = isPlain(action) ? parse({ name: "script", text: argvText(action) }).statements : undefined;
      if (known === undefined || changesAnything(this.mayChange(known))) out.later = true;
    }
  }
}

// Arithmetic, `${x?}`, `${!x}`, slices, and what bash does not know as an expansion at all.
const FAILING =
  /\$\(\((?!\s*(?:0|[1-9]\d*)(?:\s*[-+*]\s*(?:0|[1-9]\d*)){0,8}\s*\)\))|\$\[|\$\{(?!#?(?:\w+|[@*#?$!-])(?:\[[@*]\])?(?:\}|:?[-+=]|[%#/,^]))/;
const READ_ONLY = new Set(["UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"]);

/** Whether bash may be unable to expand its words, or to assign what it assigns. */
function mayFail(command: Command): boolean {
  const words = command.kind === "simple" ? wordsOf(command) : expandedIn(command);
  if (words.some(({ text }) => FAILING.test(text))) return true;
  return command.kind === "simple" && command.assignments.some((each) => each.subscript || READ_ONLY.has(each.name));
}

function changesAnything({ variables, directory, globs, positional, later }: Changes): boolean {
  return variables === "all" || variables.size > 0 || directory || globs || positional || later;
}

/** What statements may change, with what the functions that the text has defined so far do. */
export function mayChange({ writers }: Collection, statements: readonly Statement[]): Changes {
  return writers.mayChange(statements);
}

const NOTHING: Changes = {
  variables: new Set(),
  directory: false,
  globs: false,
  positional: false,
  later: false,
  fails: false,
};

function nothing(): Gathered {
  return {
    variables: new Set(),
    all: false,
    directory: false,
    globs: false,
    positional: false,
    later: false,
    fails: false,
    calls: new Set(),
  };
}

function changesOf({ variables, all, directory, globs, positional, later, fails }: Gathered): Changes {
  return { variables: all ? "all" : variables, directory, globs, positional, later, fails };
}

function commandsIn(command: Command): readonly Command[] {
  switch (command.kind) {
    case "pipeline":
    case "and-or":
      return command.commands;
    case "function":
    case "coproc":
      return [command.body];
    default:
      return [];
  }
}

function listsIn(command: Command): readonly (readonly Statement[])[] {
  switch (command.kind) {
    case "group":
    case "for":
    case "arithmetic-for":
      return [command.body];
    case "if":
      return [command.otherwise, ...command.branches.flatMap((branch) => [branch.condition, branch.body])];
    case "loop":
      return [command.condition, command.body];
    case "case":
      return command.items.map((item) => item.body);
    default:
      return [];
  }
}

/** The functions that statements define, also inside compounds and other functions. */
export function definitionsIn(statements: readonly Statement[]): readonly Definition[] {
  const found: Definition[] = [];
  const visit = (command: Command): void => {
    if (command.kind === "function") found.push(command);
    for (const inner of commandsIn(command)) visit(inner);
    for (const list of listsIn(command)) for (const statement of list) visit(statement.command);
  };
  for (const { command } of statements) visit(command);
  return found;
}

type Definition = Extract<Command, { kind: "function" }>;

/** Names that a command itself sets. */
function gatherNames(command: Command, out: Gathered): void {
  if (command.kind === "for") out.variables.add(command.name);
  if (command.kind === "arithmetic-for") addNames(command.header.text, out);
  if (command.kind === "arithmetic") addNames(command.expression.text, out);
  // In front of a word as well: it may be a function.
  if (command.kind === "simple") for (const { name } of command.assignments) out.variables.add(name);
}

function addNames(text: string, out: Gathered): void {
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) out.variables.add(name);
}

function isPlain({ parts }: Word): boolean {
  return parts.every((part) => part.kind === "literal");
}

function merge({ variables, directory, globs, positional, later, fails }: Changes, out: Gathered): void {
  if (variables === "all") out.all = true;
  else for (const name of variables) out.variables.add(name);
  out.directory ||= directory;
  out.globs ||= globs;
  out.positional ||= positional;
  out.later ||= later;
  out.fails ||= fails;
}

/** An operand that the shell takes for the name of a variable. */
function isSetting(operand: unknown): boolean {
  const role = typeof operand === "string" ? operand : (operand as { role: string }).role;
  return /^(?:variable|definition|evaluated)\*?$/.test(role);
}
