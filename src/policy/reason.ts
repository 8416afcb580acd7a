import type { Finding } from "../segment/finding.ts";
import type { ReadEscape } from "../segment/reading.ts";
import type { Effect, Segment } from "../segment/segment.ts";
import { DECISIONS, type Decision } from "./decision.ts";
import type { Rule } from "./rule.ts";

/** Why a decision is what it is. The first reason of a verdict decided; the others are what else was found. */
export type Reason =
  | { readonly kind: "rule"; readonly decision: Decision; readonly rule: Rule }
  /** The rule matches for some values of what is not known. A deny that does counts as ask. */
  | { readonly kind: "possible-deny" | "possible-ask"; readonly decision: "ask"; readonly rule: Rule }
  /** A deny that a wider allow behind it (`by`) would keep from ever counting. */
  | { readonly kind: "buried-deny"; readonly decision: "deny"; readonly rule: Rule; readonly by: Rule }
  /** Every write is denied by `rule`, and what this program runs may write. */
  | { readonly kind: "unseen-writes"; readonly decision: "ask"; readonly rule: Rule }
  | { readonly kind: "finding"; readonly decision: "ask" | "deny"; readonly finding: Finding }
  /** An allow that does not name what an option makes the program do. */
  | { readonly kind: "escape"; readonly decision: "ask"; readonly rule: Rule; readonly escape: ReadEscape }
  /** No rule matches. `document`: whose default it is. */
  | { readonly kind: "default"; readonly decision: Decision; readonly document: string }
  /** A wrapper that stands for its inner commands, which are judged themselves. */
  | { readonly kind: "transparent"; readonly decision: "allow" }
  /** Assignments and redirects without a program; what they contain and open is judged itself. */
  | { readonly kind: "assignment"; readonly decision: "allow" }
  /** Tests something or does nothing: `[`, `test`, `true`, `:`, or `cat` of a text that stands in the command line. */
  | { readonly kind: "inert"; readonly decision: "allow" }
  /** An allow for the segment that runs this one names it, or the script that it is part of. */
  | { readonly kind: "covered"; readonly decision: "allow"; readonly rule: Rule; readonly parent: number }
  /** A call of a function that the text defines; its body is judged itself. */
  | { readonly kind: "function"; readonly decision: "allow" }
  /** It touches what guarded-sh itself goes by; no rule, grant or default lifts it. */
  | { readonly kind: "protection"; readonly decision: "ask" | "deny"; readonly message: string }
  /** The permission layer is off. */
  | { readonly kind: "off"; readonly decision: "allow" }
  /** There is nothing in the text to judge. */
  | { readonly kind: "nothing"; readonly decision: "ask" };

export type ReasonKind = Reason["kind"];

/** At least one reason, the one that decided first. */
export type Reasons = readonly [Reason, ...Reason[]];

/** The decision on one segment and the reasons for it. */
export interface Verdict {
  readonly segment: Segment;
  /** Its place among the segments. */
  readonly index: number;
  readonly decision: Decision;
  readonly because: Reasons;
}

/** The decision on one use of a file, or on a place outside the project. */
export interface EffectVerdict {
  readonly effect: Effect;
  /** `file_read`, `file_write`, `external_directory`, `webfetch`. */
  readonly tool: string;
  readonly decision: Decision;
  readonly because: Reasons;
}

/** Reasons in order of strictness, each kind in the order it was found. */
export function strictestFirst(reasons: readonly Reason[]): Reasons {
  const sorted = isSorted(reasons) ? reasons : STRICTEST_FIRST.flatMap((each) => reasons.filter(is(each)));
  const [first, ...others] = sorted;
  if (first === undefined) throw new TypeError("a verdict needs a reason");
  return [first, ...others];
}

const STRICTEST_FIRST = [...DECISIONS].reverse();

const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

function isSorted(reasons: readonly Reason[]): boolean {
  return reasons.every(({ decision }, i) => STRICTNESS[reasons[i - 1]?.decision ?? "deny"] >= STRICTNESS[decision]);
}

function is(decision: Decision): (reason: Reason) => boolean {
  return (reason) => reason.decision === decision;
}
