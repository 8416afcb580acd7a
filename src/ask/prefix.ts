import { type Doing, type OptionFacts, type Segment, shownValue } from "../segment/index.ts";

/** What a program of one word may do and still have a family pattern (`ls *`, `mkdir *`): nothing that is hard to undo or wide. */
const NARROW: ReadonlySet<Doing> = new Set<Doing>(["looks", "writes", "fetches"]);

/** The pattern for all calls of the same action (`git push *`), or undefined when it would say too much. */
export function prefixPattern(segment: Segment): string | undefined {
  const { reading } = segment;
  if (reading === undefined || runsOthers(segment)) return undefined;
  const [program, ...verbs] = reading.prefix;
  if (program === undefined) return undefined;
  const name = programName(program, segment);
  if (name === undefined) return undefined;
  const { spec, entry } = reading;
  // `npm run *` would be every script, `make *` every target.
  if (spec?.words !== undefined && reading.prefix.length < spec.words) return undefined;
  if (verbs.length === 0 && !isNarrow(entry?.verbs !== undefined, reading.does)) return undefined;
  const words = [name, ...verbs];
  return words.some((word) => /[*?\s]/.test(word) || word === "") ? undefined : `${words.join(" ")} *`;
}

function isNarrow(hasVerbs: boolean, does: readonly Doing[]): boolean {
  return !hasVerbs && does.every((doing) => NARROW.has(doing));
}

/** A path is a rule for one file: only where PATH finds that same file does the name mean it. */
function programName(program: string, { pathProgram }: Segment): string | undefined {
  if (!program.includes("/")) return program;
  return pathProgram === "found" ? program.slice(program.lastIndexOf("/") + 1) : undefined;
}

/** Whether a segment's program runs what its words, options or input say: approving it once says nothing about the next call. */
export function runsOthers({ reading }: Segment): boolean {
  if (reading === undefined) return false;
  const { spec, inner, runner } = reading;
  if (runner || inner.some(({ kind }) => kind !== "package-script")) return true;
  const operands = spec?.operands ?? [];
  const roles = operands.map((operand) => (typeof operand === "string" ? operand.replace(/\*$/, "") : operand.role));
  const options = Object.values(spec?.options ?? {}).map((facts) =>
    typeof facts === "object" ? valueRoles(facts) : [facts],
  );
  return [...roles, ...options.flat()].includes("command");
}

function valueRoles({ value }: OptionFacts): readonly string[] {
  return value === undefined ? [] : [value].flat();
}

/** Whether code comes in by standard input, which no pattern for the words sees. */
export function readsCode(segment: Segment): boolean {
  const fed = segment.redirects.some(({ operator }) => operator.startsWith("<")) || segment.via.at(-1)?.startsWith("|");
  return fed === true && runsOthers(segment);
}

/** The first word of a segment as it is shown. */
export function shownProgram({ words }: Segment): string {
  const [program] = words;
  return program === undefined ? "" : shownValue(program);
}
