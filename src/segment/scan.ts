import {
  type CompiledSpec,
  compileEntry,
  compileVerb,
  findOption,
  type KnownOption,
  type KnownVerb,
  type Slot,
} from "./compile.ts";
import { isOptionWord, readOptionWord } from "./read-options.ts";
import type { Entry } from "./spec.ts";
import { scannedOption } from "./take-option.ts";
import { literalStart, shownValue, type Value } from "./value.ts";

/** A word and the index it has in the invocation; words split out of one word share its index. */
export interface Cell {
  readonly value: Value;
  readonly index: number;
}

/** An option as it was met, before the whole line is known. */
export interface ScannedOption {
  readonly known: KnownOption | undefined;
  readonly spelled: string;
  readonly index: number;
  readonly values: Value[];
  readonly valueIndices: number[];
  /** The words of an inner command that belongs to this option. */
  readonly list: Cell[];
  readonly dynamic: boolean;
  /** The dictionary lists all options here, and not this one. */
  readonly unlisted: boolean;
  beforeVerb: boolean;
}

/** An inner command that takes all the words from here on, by an operand or by an option. */
export interface Rest {
  readonly slot: Slot | undefined;
  readonly option: ScannedOption | undefined;
  readonly cells: readonly Cell[];
}

/** What has been read of an invocation so far. */
export interface Scan {
  readonly cells: Cell[];
  /** The next cell to read. */
  at: number;
  compiled: CompiledSpec;
  readonly verbs: { readonly verb: KnownVerb; readonly cell: Cell }[];
  /** The names of verbs that are written by their beginning, by the index of the word. */
  readonly shortened: Map<number, string>;
  readonly options: ScannedOption[];
  /** Canonical names of the options so far. */
  readonly seen: Set<string>;
  readonly operands: Cell[];
  /** The verbs, then the operands behind them: what a prefix is made of. */
  readonly plain: Cell[];
  terminator: number | undefined;
  /** `--` or, in posix syntax, an operand has ended the options. */
  ended: boolean;
  /** A verb may still come. */
  verbsOpen: boolean;
  slot: number;
  rest: Rest | undefined;
}

/** Splits the words after the program into verbs, options, operands and the words of an inner command. */
export function scanWords(words: readonly Value[], entry: Entry): Scan {
  const scan: Scan = {
    cells: words.map((value, index) => ({ value, index })),
    at: 1,
    compiled: compileEntry(entry),
    verbs: [],
    shortened: new Map(),
    options: [],
    seen: new Set(),
    operands: [],
    plain: [],
    terminator: undefined,
    ended: false,
    verbsOpen: true,
    slot: 0,
    rest: undefined,
  };
  for (let cell = scan.cells[scan.at]; cell !== undefined; cell = scan.cells[scan.at]) {
    scan.at++;
    scanWord(scan, cell);
  }
  return scan;
}

function scanWord(scan: Scan, cell: Cell): void {
  // A verb may look like an option: `python -m module`, `pacman -S name`.
  const verb = isDashed(cell.value) ? verbAt(scan, cell) : undefined;
  if (verb !== undefined) enterVerb(scan, verb, cell);
  else if (!scan.ended && cell.value === "--" && endsOptions(scan)) {
    scan.terminator ??= cell.index;
    scan.ended = true;
  } else if (!scan.ended && isOptionWord(scan, cell)) readOptionWord(scan, cell);
  else if (!isOperator(scan, cell)) readOperand(scan, cell);
}

function isDashed(value: Value): boolean {
  return typeof value === "string" && value.startsWith("-");
}

function endsOptions(scan: Scan): boolean {
  const { syntax } = scan.compiled;
  return syntax !== "none" && syntax !== "dd" && syntax !== "find" && findOption(scan.compiled, "--") === undefined;
}

/** find's own punctuation is neither option nor path. */
function isOperator(scan: Scan, { value }: Cell): boolean {
  if (scan.compiled.syntax !== "find") return false;
  return value === "(" || value === ")" || value === "!" || value === "," || value === "--";
}

function readOperand(scan: Scan, cell: Cell): void {
  // `x$y`: bash may split it, and what comes off may be an option.
  if (!scan.ended && partsInto(cell.value)) scan.options.push(scannedOption(cell, undefined, shownValue(cell.value)));
  const verb = verbAt(scan, cell);
  if (verb !== undefined) enterVerb(scan, verb, cell);
  else takeOperand(scan, cell);
}

/** Whether bash may make several words of it, the first of them no option. */
function partsInto(value: Value): boolean {
  if (typeof value === "string" || !value.splits || literalStart(value) === "") return false;
  return value.pieces.some(
    (piece) => typeof piece !== "string" && piece.cause !== "path" && piece.choices === undefined,
  );
}

function takeOperand(scan: Scan, cell: Cell): void {
  // `tool --unknown value verb`: what follows an option nobody knows may be its value, so a verb can still come.
  if (!followsUnknownOption(scan, cell)) scan.verbsOpen = false;
  if (scan.compiled.syntax === "posix") scan.ended = true;
  const slot = nextSlot(scan, cell);
  if (slot !== undefined && takesTheRest(slot)) {
    scan.rest = { slot, option: undefined, cells: scan.cells.slice(scan.at - 1) };
    scan.at = scan.cells.length;
    if (slot.generated) noteDashes(scan);
    return;
  }
  scan.plain.push(cell);
  scan.operands.push(cell);
}

/** The command may begin later than a completion spec says. */
function noteDashes(scan: Scan): void {
  for (const cell of scan.rest?.cells ?? []) {
    const [name = ""] = literalStart(cell.value).split("=", 1);
    if (name.length > 1 && name.startsWith("-")) {
      scan.options.push(scannedOption(cell, findOption(scan.compiled, name), name));
    }
  }
}

function verbAt(scan: Scan, { value }: Cell): KnownVerb | undefined {
  if (!scan.verbsOpen || scan.terminator !== undefined || typeof value !== "string") return undefined;
  return scan.compiled.verbs.get(value) ?? shortenedVerb(scan, value);
}

/** `npm publ` is `npm publish`, and `npm runScript` `npm run-script`: npm takes any beginning that means one verb. */
function shortenedVerb({ compiled, shortened, at }: Scan, word: string): KnownVerb | undefined {
  if (compiled.spec.shortened === undefined || word === "") return undefined;
  const written = word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const meant = [...compiled.verbs].filter(([name]) => name.startsWith(written));
  const [first] = meant;
  if (first === undefined || meant.some(([, { spec }]) => spec !== first[1].spec)) return undefined;
  shortened.set(at - 1, first[1].name);
  return first[1];
}

function enterVerb(scan: Scan, verb: KnownVerb, cell: Cell): void {
  scan.compiled = compileVerb(verb, scan.compiled);
  scan.verbs.push({ verb, cell });
  scan.plain.splice(0, scan.plain.length, ...scan.verbs.map((found) => found.cell));
  scan.slot = 0;
  for (const option of scan.options) option.beforeVerb = true;
}

function followsUnknownOption(scan: Scan, cell: Cell): boolean {
  const last = scan.options.at(-1);
  return last !== undefined && last.known === undefined && last.values.length === 0 && last.index === cell.index - 1;
}

/** The operand this word is, as far as the options before it tell. */
function nextSlot(scan: Scan, cell: Cell): Slot | undefined {
  const { slots } = scan.compiled;
  for (; scan.slot < slots.length; scan.slot++) {
    const slot = slots[scan.slot];
    if (slot === undefined || !isPresent(slot, scan.seen)) continue;
    if (slot.role === "assignment" && !isAssignment(cell.value)) continue;
    if (!slot.many) scan.slot++;
    return slot;
  }
  return undefined;
}

/** Whether the options given make the operand be there. */
export function isPresent(slot: Partial<Pick<Slot, "when" | "unless">>, seen: ReadonlySet<string>): boolean {
  if (slot.when !== undefined && !slot.when.some((name) => seen.has(name))) return false;
  return slot.unless === undefined || !slot.unless.some((name) => seen.has(name));
}

/** A word that `env` would take for NAME=VALUE, whatever the name looks like. */
export function isAssignment(value: Value): boolean {
  // `env =x cmd` and `env = cmd` run cmd: a name may be empty.
  if (typeof value === "string") return value.includes("=");
  if (literalStart(value) === "" && value.splits) return false;
  return value.pieces.some((piece) => typeof piece === "string" && piece.includes("="));
}

function takesTheRest(slot: Slot): boolean {
  return slot.role === "command" || (slot.many && (slot.role === "script" || slot.role === "remote-script"));
}
