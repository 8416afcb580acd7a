import { findOption, type KnownOption } from "./compile.ts";
import type { Cell, Scan, ScannedOption } from "./scan.ts";
import { splitWords } from "./split-words.ts";
import { literalStart, type Value, valueFrom } from "./value.ts";

/** Notes a known option and takes its values from the words that follow; `glued` stands in the option's own word. */
export function takeOption(
  scan: Scan,
  cell: Cell,
  known: KnownOption,
  spelled: string,
  glued: Value | undefined,
): void {
  const option = scannedOption(cell, known, spelled);
  scan.options.push(option);
  scan.seen.add(known.name);
  if (glued !== undefined) option.values.push(glued);
  if (known.facts.glued) return;
  if (known.facts.until !== undefined) takeList(scan, option, known.facts.until);
  else if (known.roles[0] === "command") takeRest(scan, option, cell, glued);
  else while (option.values.length < known.roles.length && takeNext(scan, option));
  if (known.roles[0] === "split-words") spliceWords(scan, cell, option);
  if (known.facts.last) endOptions(scan);
}

function takeNext(scan: Scan, option: ScannedOption): boolean {
  const next = scan.cells[scan.at];
  if (next === undefined) return false;
  if (option.known?.generated && literalStart(next.value).startsWith("-") && next.value !== "-") return false;
  scan.at++;
  option.values.push(next.value);
  option.valueIndices.push(next.index);
  return true;
}

/** The inner command of `find -exec`: up to the word that ends it, or to the end. */
function takeList(scan: Scan, option: ScannedOption, until: readonly string[]): void {
  let open = false;
  for (let next = scan.cells[scan.at]; next !== undefined; next = scan.cells[scan.at]) {
    scan.at++;
    option.valueIndices.push(next.index);
    if (endsList(next.value, until, option.list.at(-1)?.value)) return;
    // A hole may be the word that ends the list, and then an option that follows is one.
    open ||= typeof next.value !== "string" && literalStart(next.value) === "";
    const known = open && typeof next.value === "string" ? findOption(scan.compiled, next.value) : undefined;
    if (known?.escape !== undefined) pushUnknown(scan, next, known.name);
    option.list.push(next);
    option.values.push(next.value);
  }
}

/** find ends a list at `+` only behind `{}`. */
function endsList(value: Value, until: readonly string[], before: Value | undefined): boolean {
  if (typeof value !== "string" || !until.includes(value)) return false;
  return value !== "+" || before === "{}";
}

function takeRest(scan: Scan, option: ScannedOption, cell: Cell, glued: Value | undefined): void {
  const cells = scan.cells.slice(scan.at);
  for (const next of cells) {
    option.values.push(next.value);
    option.valueIndices.push(next.index);
  }
  scan.at = scan.cells.length;
  scan.rest = {
    slot: undefined,
    option,
    cells: glued === undefined ? cells : [{ value: glued, index: cell.index }, ...cells],
  };
}

function endOptions(scan: Scan): void {
  scan.ended = true;
  scan.verbsOpen = false;
}

/** `env -S 'A=1 cmd x'`: env splits the word and reads the parts in its place. */
function spliceWords(scan: Scan, cell: Cell, option: ScannedOption): void {
  const [value] = option.values;
  if (value === undefined) return;
  const index = option.valueIndices[0] ?? cell.index;
  scan.cells.splice(scan.at, 0, ...splitWords(value).map((part) => ({ value: part, index })));
}

/** Notes an option that the dictionary does not know here. It takes no word that follows. */
export function pushUnknown(scan: Scan, cell: Cell, spelled: string, values: Value[] = []): void {
  scan.options.push({
    ...scannedOption(cell, undefined, spelled),
    values,
    unlisted: scan.compiled.closed,
  });
  scan.seen.add(spelled);
}

/** An option without values, as it was met in a word. */
export function scannedOption(cell: Cell, known: KnownOption | undefined, spelled: string): ScannedOption {
  return {
    known,
    spelled,
    index: cell.index,
    values: [],
    valueIndices: [],
    list: [],
    dynamic: known === undefined && typeof cell.value !== "string",
    unlisted: false,
    beforeVerb: false,
  };
}

/** The value without its first characters, which are literal. */
export function tail(value: Value, from: number): Value {
  if (typeof value === "string") return value.slice(from);
  const [first, ...others] = value.pieces;
  return typeof first === "string" ? valueFrom([first.slice(from), ...others], value.splits) : value;
}
