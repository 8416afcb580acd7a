import type { ReadEscape } from "./reading.ts";
import type { Scan, ScannedOption } from "./scan.ts";
import type { Escape } from "./spec.ts";
import { literalStart, shownValue, type Value } from "./value.ts";
import { matchesWildcard } from "./wildcard.ts";

const DEEDS: Readonly<Record<Escape, string>> = {
  runs: "run another program",
  writes: "write a file",
  deletes: "delete files",
  loads: "load configuration or code",
  sends: "send data elsewhere",
  changes: "change something",
};

/** What options and verbs do beyond the program's name, and what the dictionary cannot tell. In the order of words. */
export function readEscapes(scan: Scan, program: string): readonly ReadEscape[] {
  const escapes: ReadEscape[] = [];
  for (const { verb, cell } of scan.verbs) {
    const deed = verb.spec.escape;
    if (deed === undefined) continue;
    const name = shownValue(cell.value);
    const message = `\`${name}\` makes ${program} ${DEEDS[deed]}`;
    escapes.push({ escape: deed, name, spellings: verb.spellings, index: cell.index, message });
  }
  for (const option of scan.options) {
    const found = optionEscape(option, program);
    if (found !== undefined) escapes.push(found);
  }
  escapes.push(...uncertainStart(scan));
  return escapes.length < 2 ? escapes : escapes.sort((a, b) => a.index - b.index);
}

function optionEscape(option: ScannedOption, program: string): ReadEscape | undefined {
  const { known, index, spelled } = option;
  if (known === undefined) {
    if (!option.unlisted) return undefined;
    const message = `\`${spelled}\` is not an option of ${program} that the dictionary knows`;
    return { escape: "unknown", name: spelled, spellings: [spelled], index, message };
  }
  if (known.escape === undefined || isHarmless(option, known.facts.unless)) return undefined;
  const message = `\`${known.name}\` makes ${program} ${DEEDS[known.escape]}`;
  return { escape: known.escape, name: known.name, spellings: known.spellings, index, message };
}

/** Whether all values of an option are such that it does nothing beyond the program's name. */
export function isHarmless(option: ScannedOption, unless: readonly string[] | undefined): boolean {
  if (unless === undefined) return false;
  if (unless.includes("*")) return true;
  const values = option.values.length === 0 ? [""] : option.values;
  return values.every(
    (value) => typeof value === "string" && unless.some((pattern) => matchesWildcard(pattern, value)),
  );
}

/** A word that bash may split into several moves the place where an inner command begins. */
function uncertainStart(scan: Scan): readonly ReadEscape[] {
  if (scan.rest === undefined) return [];
  const from = scan.rest.cells[0]?.index ?? scan.cells.length;
  return scan.cells.flatMap(({ value, index }) => {
    if (index === 0 || index >= from || !maySplit(value)) return [];
    const name = shownValue(value);
    const message = `\`${name}\` may be several words, so where the inner command begins is uncertain`;
    return [{ escape: "unknown" as const, name, spellings: [name], index, message }];
  });
}

function maySplit(value: Value): boolean {
  if (typeof value === "string" || !value.splits || literalStart(value).includes("=")) return false;
  return !value.pieces.every((piece) => typeof piece === "string" || (piece.choices?.every(isOneWord) ?? false));
}

function isOneWord(text: string): boolean {
  return text !== "" && !/[\s*?[]/.test(text);
}
