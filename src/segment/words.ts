import type { Parameter, Part, Word } from "../syntax/index.ts";
import { choicesOf, type Flow } from "./flow.ts";
import { substitutedText } from "./printed.ts";
import type { Surroundings } from "./segment.ts";
import { type Hole, type HoleCause, type Piece, type Value, valueFrom, wordAt } from "./value.ts";
import { type WholeGlob, wholeGlobs } from "./whole-globs.ts";

/** What the evaluation of words may look at. */
export interface Scope {
  readonly flow: Flow;
  readonly surroundings: Surroundings;
  /** Substitutions stay holes, whatever they are sure to print: the name of a program that is computed is asked about. */
  readonly asWritten?: true;
}

/** A word with quotes removed and expansions as written: what `argv` shows. */
export function argvText(word: Word): string {
  const [only] = word.parts;
  if (word.parts.length === 1 && only?.kind === "literal") return only.value;
  return word.parts.map(partText).join("");
}

function partText(part: Part): string {
  switch (part.kind) {
    case "literal":
      return part.value;
    case "tilde":
      return `~${part.user}`;
    default:
      return part.text;
  }
}

/** The words that bash makes of one, as far as the text tells: braces and known lists make several, nothing makes none. */
export function evaluateWord(word: Word, scope: Scope): readonly Value[] {
  if (word.braces !== undefined) return word.braces.flatMap((made) => evaluateWord(made, scope));
  const [only] = word.parts;
  if (word.parts.length === 1 && only?.kind === "literal") return [only.value];
  return new WordBuilder(scope).build(word.parts);
}

/** A word where bash does not split: an assignment's value, a redirect's target, a here-document. */
export function evaluateWhole(word: Word, scope: Scope): Value {
  const [only] = word.parts;
  if (word.parts.length === 1 && only?.kind === "literal") return only.value;
  const pieces: Piece[] = [];
  for (const part of wholeGlobs(word.parts)) pieces.push(...wholePieces(part, scope));
  // `x=$x$x` grows without end: past some size only bash will know it.
  return pieces.length > MOST_PIECES ? { pieces: [hole("limit", word.text)], splits: false } : valueFrom(pieces, false);
}

const MOST_PIECES = 32;
const LONGEST_VALUE = 64 * 1024;

function wholePieces(part: Part, scope: Scope): readonly Piece[] {
  if (part.kind === "literal") return [part.value];
  if (part.kind === "glob") return [hole(scope.flow.looseGlobs ? "variable" : "path", part.text)];
  if (part.kind === "tilde") return [tildePiece(part.user, scope)];
  if (part.kind !== "parameter") return [computedText(part, scope) ?? holeFor(part)];
  const known = resolveParameter(part, scope);
  if (known === undefined) return [parameterHole(part, scope)];
  if (typeof known !== "string") return known.pieces;
  return [known.length > LONGEST_VALUE ? hole("limit", part.text) : known];
}

function hole(cause: HoleCause, text: string): Hole {
  return { cause, text };
}

type Computed = Exclude<Part, { kind: "literal" | "glob" | "tilde" | "parameter" }>;

/** What an expansion is sure to give, where the text says it. */
function computedText(part: Computed, scope: Scope): string | undefined {
  if (scope.asWritten) return undefined;
  if (part.kind === "arithmetic")
    return /^\s*(?:0|[1-9]\d{0,8})\s*$/.test(part.expression.text) ? String(Number(part.expression.text)) : undefined;
  return substitutedText(part, scope);
}

function holeFor(part: Computed): Hole {
  return hole(part.kind, part.text);
}

function tildePiece(user: string, { flow, surroundings }: Scope): Piece {
  if (user === "") {
    const set = flow.variables.has("HOME") ? flow.variables.get("HOME") : surroundings.home;
    return typeof set === "string" && !flow.anyVariable ? set : hole("variable", "~");
  }
  const [only] = flow.directories ?? [];
  if (user === "+" && only !== undefined && flow.directories?.length === 1) return only;
  // Only the machine's own list of users knows, but mostly it is there.
  const home = user === surroundings.env.get("USER") ? surroundings.home : user === "root" ? "/root" : `/home/${user}`;
  return { cause: "directory", text: `~${user}`, fills: [[home]] };
}

/** The value of a parameter expansion where it is known; undefined where only bash will know. */
export function resolveParameter(part: Parameter, scope: Scope): Value | undefined {
  if (part.indirect || part.length) return undefined;
  if (part.subscript !== undefined) return part.operator === "" ? elementValue(part, scope) : undefined;
  const value = variableValue(part.name, scope);
  switch (part.operator) {
    case "":
      return part.operands.length === 0 ? value : undefined;
    case ":-":
    case "-":
    case ":=":
    case "=":
      if (!part.operator.startsWith(":")) return value;
      return value === "" ? operandValue(part, scope) : mayBeEmpty(value) ? undefined : value;
    case ":+":
    case "+":
      return typeof value === "string" && (value !== "" || part.operator === "+")
        ? operandValue(part, scope)
        : undefined;
    case ":?":
    case "?":
      return value === "" ? undefined : value;
    default:
      return undefined;
  }
}

/** Of several values it may have one that is empty; what is not known may be empty as well. */
function mayBeEmpty(value: Value | undefined): boolean {
  if (value === undefined || typeof value === "string") return value === "";
  const choices = choicesOf(value);
  return choices?.includes("") ?? !value.pieces.some((piece) => typeof piece === "string" && piece !== "");
}

function elementValue({ name, subscript }: Parameter, { flow }: Scope): Value | undefined {
  const at = subscript?.text ?? "";
  if (NEVER_KNOWN.has(name)) return undefined;
  return /^\d{1,6}$/.test(at) ? wordAt(flow.arrays.get(name), Number(at)) : undefined;
}

/** Texts that an expansion may give although its variable is unknown: `${x:-text}`. */
function possibleTexts(part: Parameter, scope: Scope): readonly string[] {
  if (!/^:?[-=+]$/.test(part.operator)) return [];
  const value = operandValue(part, scope);
  return typeof value === "string" && value !== "" ? [value] : [];
}

function parameterHole(part: Parameter, scope: Scope): Hole {
  const may = possibleTexts(part, scope);
  return may.length === 0 ? hole("variable", part.text) : { cause: "variable", text: part.text, may };
}

function operandValue(part: Parameter, scope: Scope): Value {
  const [operand] = part.operands;
  return operand === undefined ? "" : evaluateWhole(operand, scope);
}

// What bash itself sets, or what decides how it splits: never taken from the environment.
const NEVER_KNOWN = new Set([
  "BASH_REMATCH",
  "MAPFILE",
  "COPROC",
  "PIPESTATUS",
  "DIRSTACK",
  "FUNCNAME",
  "GROUPS",
  "BASH_ARGV",
  "BASH_ARGC",
  "BASH_ARGV0",
  "BASH_COMMAND",
  "BASH_EXECUTION_STRING",
  "BASH_LINENO",
  "BASH_SOURCE",
  "BASH_SUBSHELL",
  "EPOCHSECONDS",
  "EPOCHREALTIME",
  "HISTCMD",
  "HOSTNAME",
  "IFS",
  "OLDPWD",
  "_",
  "RANDOM",
  "SRANDOM",
  "SECONDS",
  "LINENO",
  "BASHPID",
  "PPID",
  "REPLY",
  "OPTARG",
  "OPTIND",
  "SHLVL",
]);

/** The value of a variable: set by the text, or in the environment and not touched by the text. */
export function variableValue(name: string, { flow, surroundings }: Scope): Value | undefined {
  if (/^\d+$/.test(name)) return name === "0" ? undefined : wordAt(flow.positional, Number(name) - 1);
  if (NEVER_KNOWN.has(name)) return undefined;
  // `cd` sets it, whatever the text has set.
  if (name === "PWD" && flow.variables.has(name)) return undefined;
  if (flow.variables.has(name)) return flow.variables.get(name);
  if (flow.anyVariable) return undefined;
  if (name === "PWD") return flow.directories?.length === 1 ? flow.directories[0] : undefined;
  if (name === "HOME") return surroundings.home;
  return surroundings.env.get(name);
}

// Unquoted text with none of these stays one word, whatever IFS is by default.
const SPLITS_OR_GLOBS = /[\s*?[\\]/;

/** Builds words from parts, beginning a new one where bash splits. */
class WordBuilder {
  private readonly scope: Scope;
  private readonly words: Value[] = [];
  private pieces: Piece[] = [];
  /** A quoted part, even an empty one, makes a word. */
  private quoted = false;
  private splits = false;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  build(parts: readonly Part[]): readonly Value[] {
    for (const part of wholeGlobs(parts)) this.add(part);
    this.finish(false);
    return this.words;
  }

  private add(part: Part | WholeGlob): void {
    switch (part.kind) {
      case "literal":
        if (part.quoted) this.quoted = true;
        this.pieces.push(part.value);
        return;
      case "glob":
        if ("splits" in part || this.scope.flow.looseGlobs) this.splits = true;
        this.pieces.push(hole(this.scope.flow.looseGlobs ? "variable" : "path", part.text));
        return;
      case "tilde":
        this.pieces.push(tildePiece(part.user, this.scope));
        return;
      case "parameter":
        this.addParameter(part);
        return;
      default:
        if (this.addComputed(part)) return;
        this.addHole(holeFor(part), part.quoted || part.kind === "process" || part.kind === "arithmetic");
    }
  }

  /** `$(echo x)` and `$((2))` are what they are sure to be. */
  private addComputed(part: Computed): boolean {
    const text = computedText(part, this.scope);
    if (text === undefined) return false;
    if (!part.quoted && part.kind === "command") this.addSplit(text, part.text);
    else {
      if (part.quoted) this.quoted = true;
      this.pieces.push(text);
    }
    return true;
  }

  private addHole(made: Hole, quoted: boolean): void {
    if (quoted) this.quoted = true;
    else this.splits = true;
    this.pieces.push(made);
  }

  private addParameter(part: Parameter): void {
    const { positional } = this.scope.flow;
    if (
      (part.name === "@" || part.name === "*") &&
      part.operator === "" &&
      !part.length &&
      positional !== undefined &&
      (part.name === "@" || !part.quoted)
    ) {
      this.addList(positional, part.quoted);
      return;
    }
    const array = part.operator === "" && !part.length && !part.indirect && /^[@*]$/.test(part.subscript?.text ?? "");
    const listed = array && !NEVER_KNOWN.has(part.name) ? this.scope.flow.arrays.get(part.name) : undefined;
    if (listed !== undefined && (part.subscript?.text === "@" || !part.quoted)) {
      this.addList(listed, part.quoted);
      return;
    }
    const value = resolveParameter(part, this.scope);
    if (part.quoted && part.name !== "@") this.quoted = true;
    if (value === undefined)
      this.addHole(parameterHole(part, this.scope), part.quoted && !/^@|\[@\]/.test(part.text.replace(/^\$\{?/, "")));
    else if (part.quoted || isOneWord(value)) this.pieces.push(...(typeof value === "string" ? [value] : value.pieces));
    else this.addSplit(value, part.text);
  }

  /** `"$@"` with known parameters: each is a word of its own. */
  private addList(values: readonly Value[], quoted: boolean): void {
    values.forEach((value, i) => {
      // Without quotes an empty one is gone, and each is split and globbed once more.
      if (i > 0) this.finish(quoted);
      this.quoted = quoted;
      if (!quoted && typeof value === "string" && value !== "" && !isOneWord(value)) {
        this.addSplit(value, value);
        return;
      }
      this.pieces.push(...(typeof value === "string" ? [value] : value.pieces));
      if (!quoted && !isOneWord(value)) this.splits = true;
    });
  }

  /** An unquoted known value is split at blanks; what could be a glob is left open. */
  private addSplit(value: Value, text: string): void {
    if (typeof value !== "string" || /[*?[\\]/.test(value) || this.scope.flow.variables.has("IFS")) {
      const may = choicesOf(value);
      this.addHole(may === undefined ? hole("variable", text) : { cause: "variable", text, may }, false);
      return;
    }
    const fields = value.split(/[ \t\n]+/);
    fields.forEach((field, i) => {
      if (i > 0) this.finish(false);
      if (field !== "") this.pieces.push(field);
    });
  }

  private finish(always: boolean): void {
    const empty = this.pieces.every((piece) => piece === "");
    if (!empty || this.quoted || always) this.words.push(valueFrom(this.pieces, this.splits));
    this.pieces = [];
    this.quoted = false;
    this.splits = false;
  }
}

function isOneWord(value: Value): boolean {
  const choices = choicesOf(value);
  return choices?.every((choice) => choice !== "" && !SPLITS_OR_GLOBS.test(choice)) ?? false;
}
