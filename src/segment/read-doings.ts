import type { Scan } from "./scan.ts";
import type { DoesCase, Doing, Entry } from "./spec.ts";
import { literalStart, type Value } from "./value.ts";

/** What an invocation does at most: as the deepest verb says that says it, by the case that fits its options and operands. */
export function readDoings(entry: Entry, scan: Scan): readonly Doing[] {
  const spec = scan.verbs.findLast(({ verb }) => verb.spec.does !== undefined)?.verb.spec ?? entry;
  const cases = spec === scan.compiled.spec || spec === deepest(scan) ? spec.cases : undefined;
  return cases?.find((each) => fits(each, scan))?.does ?? spec.does ?? [];
}

function deepest(scan: Scan): unknown {
  return scan.verbs.at(-1)?.verb.spec;
}

function fits({ when, unless, operands }: DoesCase, scan: Scan): boolean {
  if (scan.options.some(({ known }) => known === undefined)) return false;
  if (when !== undefined && !isGiven(when, scan)) return false;
  if (unless !== undefined && isGiven(unless, scan)) return false;
  if (operands === undefined) return true;
  const count = scan.operands.length + (scan.rest?.cells.length ?? 0);
  return count <= operands && scan.operands.every(({ value }) => isOneOperand(value));
}

function isGiven(names: readonly string[], { options }: Scan): boolean {
  return options.some(({ known }) => known?.spellings.some((spelling) => names.includes(spelling)));
}

/** Surely one word, and no option. */
function isOneOperand(value: Value): boolean {
  return typeof value === "string" || (!value.splits && literalStart(value) !== "");
}
