import { findOption, type KnownOption, optionsStartingWith } from "./compile.ts";
import type { Cell, Scan, ScannedOption } from "./scan.ts";
import { splitWords } from "./split-words.ts";
import { literalStart, shownValue, type Value, valueFrom } from "./value.ts";

/** Whether the word is read as options, by the syntax of the program. */
export function isOptionWord(scan: Scan, cell: Cell): boolean {
  const text = literalStart(cell.value);
  switch (scan.compiled.syntax) {
    case "none":
      return false;
    case "dd":
      return text.includes("=") || (text.startsWith("-") && text !== "-");
    case "tar":
      if (cell.index === 1 && scan.at === 2) return text !== "-";
      return isDashed(scan, cell, text);
    case "gnu":
    case "posix":
    case "plain":
    case "go":
    case "find":
      return isDashed(scan, cell, text);
  }
}

function isDashed(scan: Scan, { value }: Cell, text: string): boolean {
  if (text === "-" && typeof value === "string") return findOption(scan.compiled, "-") !== undefined;
  return text.startsWith("-") || (scan.compiled.plus && text.startsWith("+"));
}

/** Reads one option word, with the values that belong to it. */
export function readOptionWord(scan: Scan, cell: Cell): void {
  const text = literalStart(cell.value);
  switch (scan.compiled.syntax) {
    case "none":
      return;
    case "dd":
      return readKeyword(scan, cell, text);
    case "find":
      return readExact(scan, cell, text);
    case "go":
      return readLong(scan, cell, text);
    case "tar":
      return text.startsWith("-") ? readDashed(scan, cell, text) : readOldCluster(scan, cell);
    case "gnu":
    case "posix":
    case "plain":
      return readDashed(scan, cell, text);
  }
}

function readDashed(scan: Scan, cell: Cell, text: string): void {
  if (text.startsWith("--") && text.length > 2) readLong(scan, cell, text);
  else readShort(scan, cell, text);
}

/** `name=value` of dd. */
function readKeyword(scan: Scan, cell: Cell, text: string): void {
  const equals = text.indexOf("=");
  if (equals < 0) return readExact(scan, cell, text);
  const name = text.slice(0, equals + 1);
  const known = findOption(scan.compiled, name);
  if (known !== undefined) takeOption(scan, cell, known, name, tail(cell.value, equals + 1));
  else pushUnknown(scan, cell, name, [tail(cell.value, equals + 1)]);
}

function readExact(scan: Scan, cell: Cell, text: string): void {
  const known = typeof cell.value === "string" ? findOption(scan.compiled, text) : undefined;
  if (known !== undefined) takeOption(scan, cell, known, text, undefined);
  else pushUnknown(scan, cell, shownValue(cell.value));
}

function readLong(scan: Scan, cell: Cell, text: string): void {
  const equals = text.indexOf("=");
  // The hole may be part of the option's name.
  if (equals < 0 && typeof cell.value !== "string") return pushUnknown(scan, cell, shownValue(cell.value));
  const name = equals < 0 ? text : text.slice(0, equals);
  const glued = equals < 0 ? undefined : tail(cell.value, equals + 1);
  const known = findLong(scan, name);
  if (known !== undefined) takeOption(scan, cell, known, name, glued);
  else pushUnknown(scan, cell, name, glued === undefined ? [] : [glued]);
}

function findLong(scan: Scan, name: string): KnownOption | undefined {
  const exact = findOption(scan.compiled, name);
  if (exact !== undefined) return exact;
  switch (scan.compiled.syntax) {
    case "go": {
      const bare = name.replace(/^-+/, "");
      return findOption(scan.compiled, `-${bare}`) ?? findOption(scan.compiled, `--${bare}`);
    }
    case "gnu":
    case "posix":
    case "tar":
      return findAbbreviated(scan, name);
    case "plain":
    case "find":
    case "dd":
    case "none":
      return undefined;
  }
}

/** An abbreviation that fits several options is the one that does more than the program's name promises. */
function findAbbreviated(scan: Scan, name: string): KnownOption | undefined {
  if (name.length < 3) return undefined;
  const candidates = optionsStartingWith(scan.compiled, name);
  return candidates.length === 1 ? candidates[0] : candidates.find((option) => option.escape !== undefined);
}

/** `-x`, `-xyz`, `-xvalue`, `-name`, `-name=value`, `-20`. */
function readShort(scan: Scan, cell: Cell, text: string): void {
  const { value } = cell;
  const whole = typeof value === "string" ? findOption(scan.compiled, text) : undefined;
  if (whole !== undefined) return takeOption(scan, cell, whole, text, undefined);
  const equals = text.indexOf("=");
  const named = equals > 2 ? findOption(scan.compiled, text.slice(0, equals)) : undefined;
  if (named !== undefined) return takeOption(scan, cell, named, text.slice(0, equals), tail(value, equals + 1));
  const number = typeof value === "string" && /^-[0-9]+$/.test(text) ? findOption(scan.compiled, "-NUM") : undefined;
  if (number !== undefined) return takeOption(scan, cell, number, "-NUM", text.slice(1));
  readCluster(scan, cell, text);
}

function readCluster(scan: Scan, cell: Cell, text: string): void {
  const sign = text[0] ?? "-";
  for (let at = 1; at < text.length; at++) {
    const spelled = sign + text[at];
    const known = findOption(scan.compiled, spelled) ?? plusWord(scan, sign, at);
    if (known === undefined && at === 1) return readUnknownCluster(scan, cell, text);
    if (known === undefined) pushUnknown(scan, cell, spelled);
    else if (known.roles.length > 0) return takeClusterValue(scan, cell, known, spelled === "+" ? "+" : spelled, at);
    else takeOption(scan, cell, known, spelled, undefined);
  }
  if (typeof cell.value !== "string") pushUnknown(scan, cell, shownValue(cell.value));
}

/** An entry may list `+` itself, whose value is glued on (`cargo +nightly`). */
function plusWord(scan: Scan, sign: string, at: number): KnownOption | undefined {
  return sign === "+" && at === 1 ? findOption(scan.compiled, "+") : undefined;
}

function takeClusterValue(scan: Scan, cell: Cell, known: KnownOption, spelled: string, at: number): void {
  const from = known.name === "+" ? at : at + 1;
  const glued = tail(cell.value, from);
  const stripped = scan.compiled.syntax === "plain" && literalStart(glued).startsWith("=") ? tail(glued, 1) : glued;
  takeOption(scan, cell, known, spelled, glued === "" ? undefined : stripped);
  // What a completion spec takes for a value may be more letters.
  if (known.facts.unsure && glued !== "") scan.options.push(scannedOption(cell, undefined, shownValue(cell.value)));
}

/** The first letter is unknown, so the letters after it are its value or options: those that matter are noted. */
function readUnknownCluster(scan: Scan, cell: Cell, text: string): void {
  pushUnknown(scan, cell, shownValue(cell.value));
  const sign = text[0] ?? "-";
  for (const letter of new Set(text.slice(2))) {
    const known = findOption(scan.compiled, sign + letter);
    if (known?.escape === undefined) continue;
    scan.options.push(scannedOption(cell, known, sign + letter));
    scan.seen.add(known.name);
  }
}

/** tar's first word without a dash: letters whose values are the next words, in order. */
function readOldCluster(scan: Scan, cell: Cell): void {
  if (typeof cell.value !== "string") return pushUnknown(scan, cell, shownValue(cell.value));
  for (const letter of cell.value) {
    const known = findOption(scan.compiled, `-${letter}`);
    if (known === undefined) pushUnknown(scan, cell, `-${letter}`);
    else takeOption(scan, cell, known, `-${letter}`, undefined);
  }
}

function takeOption(scan: Scan, cell: Cell, known: KnownOption, spelled: string, glued: Value | undefined): void {
  const option = scannedOption(cell, known, spelled);
  scan.options.push(option);
  scan.seen.add(known.name);
  if (glued !== undefined) option.values.push(glued);
  if (known.facts.glued) return;
  if (known.facts.until !== undefined) return takeList(scan, option, known.facts.until);
  if (known.roles[0] === "command") return takeRest(scan, option, cell, glued);
  while (option.values.length < known.roles.length && takeNext(scan, option));
  if (known.roles[0] === "split-words") spliceWords(scan, cell, option);
  if (known.facts.last) endOptions(scan);
}

function takeNext(scan: Scan, option: ScannedOption): boolean {
  const next = scan.cells[scan.at];
  if (next === undefined) return false;
  if (option.known?.facts.unsure && literalStart(next.value).startsWith("-") && next.value !== "-") return false;
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

function pushUnknown(scan: Scan, cell: Cell, spelled: string, values: Value[] = []): void {
  scan.options.push({
    ...scannedOption(cell, undefined, spelled),
    values,
    unlisted: scan.compiled.spec.closed === true,
  });
  scan.seen.add(spelled);
}

function scannedOption(cell: Cell, known: KnownOption | undefined, spelled: string): ScannedOption {
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
function tail(value: Value, from: number): Value {
  if (typeof value === "string") return value.slice(from);
  const [first, ...others] = value.pieces;
  return typeof first === "string" ? valueFrom([first.slice(from), ...others], value.splits) : value;
}
