import { readCode } from "./code.ts";
import type { ReadOperand } from "./reading.ts";
import { valuesOf } from "./role-values.ts";
import type { Scan, ScannedOption } from "./scan.ts";
import type { CodeFacts, DoesCase, Doing, Entry, Role } from "./spec.ts";
import { literalStart, shownValue, type Value } from "./value.ts";
import { matchesWildcard } from "./wildcard.ts";

/** What an invocation does at most: as the deepest verb says that says it, by the case that fits its words. */
export function readDoings(entry: Entry, scan: Scan, operands: readonly ReadOperand[]): readonly Doing[] {
  const spec = scan.verbs.findLast(({ verb }) => verb.spec.does !== undefined)?.verb.spec ?? entry;
  const cases = spec === scan.compiled.spec || spec === deepest(scan) ? spec.cases : undefined;
  const facts = scan.compiled.spec.code ?? entry.code;
  const suits = ({ code, input }: DoesCase) =>
    (code === undefined || onlyHarmlessCode(facts, scan, operands)) &&
    (input === undefined || readsInput(scan, operands));
  return cases?.find((each) => fits(each, scan) && suits(each))?.does ?? spec.does ?? [];
}

function deepest(scan: Scan): unknown {
  return scan.verbs.at(-1)?.verb.spec;
}

const CODE: ReadonlySet<Role> = new Set<Role>([
  "code",
  "code-file",
  "script",
  "script-file",
  "command",
  "package-script",
]);

/** No verb, no operand that is a program, no option that holds one: options that load more (`node -r x`) are none. */
function readsInput({ options, verbs, rest }: Scan, operands: readonly ReadOperand[]): boolean {
  const holds = options.some(({ known }) => known?.roles.includes("code"));
  return !holds && verbs.length === 0 && rest === undefined && !operands.some(({ role }) => CODE.has(role));
}

/** Whether a word, holes as they are written, is like one of the wildcards. */
function isLike(patterns: readonly string[], { cells }: Scan): boolean {
  return cells.slice(1).some(({ value }) => {
    const text = typeof value === "string" ? value : shownValue(value);
    return patterns.some((pattern) => matchesWildcard(pattern, text));
  });
}

function fits({ when, unless, only, operands, like, unlike, input }: DoesCase, scan: Scan): boolean {
  if (like !== undefined && !isLike(like, scan)) return false;
  if (unlike !== undefined && isLike(unlike, scan)) return false;
  // What makes it worse than usual holds with options that nobody knows too.
  if (like === undefined && input === undefined && !scan.options.every(isUnderstood)) return false;
  if (when !== undefined && !isGiven(when, scan)) return false;
  if (unless !== undefined && isGiven(unless, scan)) return false;
  if (only !== undefined && !hasOnly(only, scan)) return false;
  if (operands === undefined) return true;
  const count = scan.operands.length + (scan.rest?.cells.length ?? 0);
  return count <= operands && scan.operands.every(({ value }) => isOneOperand(value));
}

/** Known, and without a value where it takes none: `-dry-run=false` is no dry run. */
function isUnderstood({ known, values }: ScannedOption): boolean {
  return known !== undefined && (known.roles.length > 0 || known.facts.glued === true || values.length === 0);
}

/**
 * Whether one of the options is given; `--dry-run=client`: with that value wherever it stands, as the last may count, and
 * `--prune=`: without a value.
 */
function isGiven(names: readonly string[], { options }: Scan): boolean {
  return names.some((name) => {
    const equals = name.indexOf("=");
    const wanted = equals < 0 ? name : name.slice(0, equals);
    const given = options.filter(({ known }) => known?.spellings.includes(wanted));
    const value = name.slice(equals + 1);
    const holds = equals < 0 || given.every(({ values }) => values.length < 2 && (values[0] ?? "") === value);
    return given.length > 0 && holds;
  });
}

/** No other options, and no word that may be one. */
function hasOnly(names: readonly string[], { options, operands }: Scan): boolean {
  if (!options.every(({ known }) => known !== undefined && names.includes(known.name))) return false;
  return options.some(({ known }) => known?.facts.last) || operands.every(({ value }) => isOneOperand(value));
}

/** Surely one word, and no option. */
function isOneOperand(value: Value): boolean {
  return typeof value === "string" || (!value.splits && literalStart(value) !== "");
}

/** Whether there is program text among the words, and each is known and does no harm. */
function onlyHarmlessCode(facts: CodeFacts | undefined, scan: Scan, operands: readonly ReadOperand[]): boolean {
  if (facts === undefined) return false;
  const texts = valuesOf(scan, operands, (role) => role === "code");
  return (
    texts.length > 0 && texts.every(({ value }) => typeof value === "string" && readCode(value, facts) !== undefined)
  );
}
