import type { Segmentation } from "../../src/segment/segment.ts";
import type { BashAnswer, BashWord } from "./answer.ts";

/** What the comparison needs of our reading. */
export type OurReading = Pick<Segmentation, "segments" | "effects" | "findings">;

/** How our reading of one text differs from bash's. */
export interface Difference {
  /**
   * `missed`: bash has a command, or a redirect, that we have not. `misread`: it has other words with us. `extra`: only we
   * have it. `refused`: bash takes the text and we do not. `accepted`: we take a text that bash does not, though we have
   * all that it would run of it before it finds the error.
   */
  readonly kind: "missed" | "misread" | "extra" | "refused" | "accepted";
  /** The commands and redirects in question as JSON, ours after bash's; of `refused`, the findings. */
  readonly what: readonly string[];
}

/** Findings that say that a text was not read, so that nothing is claimed about what it runs. */
const REFUSALS = new Set<string>(["syntax-error", "limit-exceeded", "nul-byte", "opaque-text"]);

/** How our reading of a text differs from bash's answer; undefined when it does not. */
export function compare(answer: BashAnswer, ours: OurReading): Difference | undefined {
  const refusals = [...new Set<string>(ours.findings.map(({ code }) => code))].filter((code) => REFUSALS.has(code));
  if (refusals.length > 0) return answer.valid && answer.complete ? { kind: "refused", what: refusals } : undefined;
  const inText = ours.segments.filter(({ origin }) => origin === "text");
  const commands = match(answer.commands, argvOf(inText), sameWords);
  const redirects = match(answer.redirects.filter(usesFile).map(asExpanded), filesOf(ours.effects), sameTarget);
  const missed = [...commands.missed, ...redirects.missed];
  const extra = [...commands.extra, ...redirects.extra];
  if (missed.length > 0) return { kind: extra.length > 0 ? "misread" : "missed", what: [...missed, ...extra] };
  if (!answer.valid) return { kind: "accepted", what: [] };
  return extra.length > 0 && answer.complete ? { kind: "extra", what: extra } : undefined;
}

function argvOf(segments: OurReading["segments"]): (readonly string[])[] {
  return segments.map(({ argv }) => argv).filter((argv) => argv.length > 0);
}

const FILE_OPERATORS = new Set([">", ">>", "<", "<>", ">|", "&>", "&>>", ">&"]);
const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|tty|zero|full|fd\/\d+)$|^$/;

function usesFile([operator, target]: readonly [string, BashWord]): boolean {
  return FILE_OPERATORS.has(operator) && (typeof target !== "string" || !NO_FILE.test(target));
}

/** A target that bash would expand further is compared by its operator only. */
function asExpanded([operator, target]: readonly [string, BashWord]): readonly [string, BashWord] {
  return [operator, typeof target === "string" && /[~*?[{]/.test(target) ? { computed: target } : target];
}

/** Operator and file of the redirects among the effects. */
function filesOf(effects: OurReading["effects"]): (readonly [string, string])[] {
  return effects.flatMap(({ operator, text }) => (operator === undefined ? [] : [[operator, text] as const]));
}

/** What bash has and we have not, and the reverse. Of equal ones bash may have more than it has places for (`$(a){b,c}`). */
function match<W extends readonly unknown[], G>(
  wanted: readonly W[],
  got: readonly G[],
  same: (want: W, have: G) => boolean,
) {
  const left = [...got];
  const missed: string[] = [];
  // The literal ones first: one that bash computes would be content with any.
  for (const want of [...wanted].sort((a, b) => computedOf(a) - computedOf(b))) {
    const at = left.findIndex((have) => same(want, have));
    if (at < 0) missed.push(JSON.stringify(want));
    else left.splice(at, 1);
  }
  const extra = left.filter((have) => !wanted.some((want) => same(want, have)));
  return { missed, extra: extra.map((each) => JSON.stringify(each)) };
}

function computedOf(words: readonly unknown[]): number {
  return words.filter((word) => typeof word !== "string").length;
}

/** A word that bash computes is compared by its place only: how it is shown is free. */
function sameWords(want: readonly BashWord[], have: readonly string[]): boolean {
  return want.length === have.length && want.every((word, i) => typeof word !== "string" || word === have[i]);
}

function sameTarget([operator, want]: readonly [string, BashWord], [ours, have]: readonly [string, string]): boolean {
  return operator === ours && (typeof want !== "string" || want === have);
}
