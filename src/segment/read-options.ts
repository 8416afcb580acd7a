import { findOption, type KnownOption, optionsStartingWith } from "./compile.ts";
import type { Cell, Scan } from "./scan.ts";
import type { OptionSyntax } from "./spec.ts";
import { pushUnknown, scannedOption, tail, takeOption } from "./take-option.ts";
import { literalStart, shownValue, type Value } from "./value.ts";

/** Whether the word is read as options, by the syntax of the program. */
export function isOptionWord(scan: Scan, cell: Cell): boolean {
  const text = literalStart(cell.value);
  switch (scan.compiled.syntax) {
    case "none":
      return false;
    case "dd":
      return text.includes("=") || (text.startsWith("-") && text !== "-");
    case "tar":
      if (cell.index === 1 && scan.at === 2) return cell.value !== "-" && cell.value !== "";
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
  if (value === "-") return findOption(scan.compiled, "-") !== undefined;
  if (value === "+") return false;
  return text.startsWith("-") || (scan.compiled.plus && text.startsWith("+"));
}

/** Reads one option word, with the values that belong to it. */
export function readOptionWord(scan: Scan, cell: Cell): void {
  readerOf(scan.compiled.syntax)(scan, cell, literalStart(cell.value));
}

type Reader = (scan: Scan, cell: Cell, text: string) => void;

function readerOf(syntax: OptionSyntax): Reader {
  switch (syntax) {
    case "dd":
      return readKeyword;
    case "none":
    case "find":
      return readExact;
    case "go":
      return readLong;
    case "tar":
      return readTar;
    case "gnu":
    case "posix":
    case "plain":
      return readDashed;
  }
}

function readTar(scan: Scan, cell: Cell, text: string): void {
  if (text.startsWith("-")) readDashed(scan, cell, text);
  else readOldCluster(scan, cell);
}

function readDashed(scan: Scan, cell: Cell, text: string): void {
  if (text.startsWith("--") && text.length > 2) readLong(scan, cell, text);
  else readShort(scan, cell, text);
}

/** `name=value` of dd. */
function readKeyword(scan: Scan, cell: Cell, text: string): void {
  const equals = text.indexOf("=");
  const name = text.slice(0, equals + 1);
  const known = findOption(scan.compiled, name);
  if (equals < 0) readExact(scan, cell, text);
  else if (known !== undefined) takeOption(scan, cell, known, name, tail(cell.value, equals + 1));
  else pushUnknown(scan, cell, name, [tail(cell.value, equals + 1)]);
}

function readExact(scan: Scan, cell: Cell, text: string): void {
  const known = typeof cell.value === "string" ? findOption(scan.compiled, text) : undefined;
  if (known !== undefined) takeOption(scan, cell, known, text, undefined);
  else pushUnknown(scan, cell, shownValue(cell.value));
}

function readLong(scan: Scan, cell: Cell, text: string): void {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const glued = equals < 0 ? undefined : tail(cell.value, equals + 1);
  const known = findLong(scan, name);
  // The hole may be part of the option's name.
  if (equals < 0 && typeof cell.value !== "string") pushUnknown(scan, cell, shownValue(cell.value));
  else if (known !== undefined) takeOption(scan, cell, known, name, glued);
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
  const whole = wholeWord(scan, cell.value, text);
  if (whole === undefined) readCluster(scan, cell, text);
  else takeOption(scan, cell, whole.known, whole.spelled, whole.glued);
}

interface WholeWord {
  readonly known: KnownOption;
  readonly spelled: string;
  readonly glued: Value | undefined;
}

/** The word as one option with a name of several letters, or as a number. */
function wholeWord(scan: Scan, value: Value, text: string): WholeWord | undefined {
  const known = typeof value === "string" ? findOption(scan.compiled, text) : undefined;
  if (known !== undefined) return { known, spelled: text, glued: undefined };
  const equals = text.indexOf("=");
  const spelled = text.slice(0, equals);
  const named = equals > 2 ? findOption(scan.compiled, spelled) : undefined;
  if (named !== undefined) return { known: named, spelled, glued: tail(value, equals + 1) };
  const number = typeof value === "string" && /^-[0-9]+$/.test(text) ? findOption(scan.compiled, "-NUM") : undefined;
  return number && { known: number, spelled: text, glued: number.roles.length === 0 ? undefined : text.slice(1) };
}

function readCluster(scan: Scan, cell: Cell, text: string): void {
  const sign = text[0] ?? "-";
  for (let at = 1; at < text.length; at++) {
    const spelled = sign + text[at];
    const known = findOption(scan.compiled, spelled) ?? plusWord(scan, sign, at);
    if (known === undefined && at === 1) {
      readUnknownCluster(scan, cell, text);
      return;
    }
    if (known === undefined) pushUnknown(scan, cell, spelled);
    else if (known.roles.length === 0 || known.facts.separate) takeOption(scan, cell, known, spelled, undefined);
    else {
      takeClusterValue(scan, cell, known, spelled, at);
      return;
    }
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
  takeOption(scan, cell, known, known.name === "+" ? "+" : spelled, glued === "" ? undefined : stripped);
  // What a completion spec takes for a value may be more letters.
  if (known.generated && glued !== "") scan.options.push(scannedOption(cell, undefined, shownValue(cell.value)));
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
  if (typeof cell.value !== "string") {
    pushUnknown(scan, cell, shownValue(cell.value));
    return;
  }
  for (const letter of cell.value) {
    const known = findOption(scan.compiled, `-${letter}`);
    if (known === undefined) pushUnknown(scan, cell, `-${letter}`);
    else takeOption(scan, cell, known, `-${letter}`, undefined);
  }
}
