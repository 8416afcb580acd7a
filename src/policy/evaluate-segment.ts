import type { Finding } from "../segment/finding.ts";
import type { Segment } from "../segment/segment.ts";
import type { Value } from "../segment/value.ts";
import { segmentAlternatives } from "./choices.ts";
import type { Context } from "./context.ts";
import { strictest } from "./decision.ts";
import { namesEscape } from "./escape.ts";
import { matchSegment, spellsAssignments, spellsProgramPath } from "./match.ts";
import { ownVerbProtection } from "./own-verbs.ts";
import { type Reason, type Reasons, strictestFirst, type Verdict } from "./reason.ts";
import type { Policy } from "./rule.ts";
import { rulesFor } from "./rule-index.ts";
import { unseenWrites } from "./unseen-writes.ts";
import { SegmentViews } from "./views.ts";
import { defaultOf, voteOf } from "./vote.ts";

/** Judges segments by a policy; those that are alike but for their place in the text are judged once. */
export class SegmentJudge {
  readonly #policy: Policy;
  readonly #context: Context;
  readonly #known = new Map<string, Judged>();
  readonly #bySegment = new Map<Segment, Judged>();
  readonly #texts = new Map<readonly Value[], string>();

  constructor(policy: Policy, context: Context) {
    this.#policy = policy;
    this.#context = context;
  }

  /** The strictest verdict of the segment's alternatives. */
  verdictOf(segment: Segment, index: number, findings: readonly Finding[]): Verdict {
    const judged = this.#judged(segment);
    if (findings.length > 0) return { segment, index, ...strictestOf(judged.alternatives, findings) };
    judged.plain ??= strictestOf(judged.alternatives, findings);
    return { segment, index, ...judged.plain };
  }

  /** The same number for segments that no rule can tell apart. */
  kindOf(segment: Segment): number {
    return this.#judged(segment).kind;
  }

  /** Invocations that are alike share their words. */
  #wordsText(words: readonly Value[]): string {
    const text = this.#texts.get(words) ?? JSON.stringify(words);
    this.#texts.set(words, text);
    return text;
  }

  #judged(segment: Segment): Judged {
    // A segment with thousands of redirects is asked for as often.
    const judged = this.#bySegment.get(segment) ?? this.#alike(segment);
    this.#bySegment.set(segment, judged);
    return judged;
  }

  #alike(segment: Segment): Judged {
    const key = this.#wordsText(segment.words) + besideWords(segment);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const alternatives = segmentAlternatives(segment).map((each) => judge(each, this.#policy, this.#context));
    const judged = { kind: this.#known.size, alternatives };
    this.#known.set(key, judged);
    return judged;
  }
}

interface Judged {
  readonly kind: number;
  readonly alternatives: readonly Alternative[];
  /** The verdict without a finding. */
  plain?: Pick<Verdict, "decision" | "because">;
}

/** What the rules say of one alternative, findings left out. */
interface Alternative {
  readonly views: SegmentViews;
  readonly reasons: readonly Reason[];
  readonly own: readonly Reason[];
}

/**
 * What decides besides the words. How they were read follows from them, unless programs in files were read as well; where they
 * stand does not matter to a rule.
 */
function besideWords(segment: Segment): string {
  const { assignments, redirects, reading, pathProgram, transparent, callsFunction } = segment;
  const inFiles = reading?.evaluated.some(({ role }) => role === "awk-file" || role === "sed-file");
  const read = inFiles ? JSON.stringify(reading?.escapes) : reading !== undefined;
  const written = segment.uncomputed === undefined ? "" : JSON.stringify(segment.uncomputed);
  const said = `${read} ${pathProgram} ${transparent} ${callsFunction} ${written}`;
  if (assignments.length + redirects.length === 0) return said;
  return JSON.stringify([
    said,
    assignments.map(({ name, value, text }) => [name, value, text]),
    redirects.map(({ operator, descriptor, target }) => [operator, descriptor, target]),
  ]);
}

function strictestOf(
  alternatives: readonly Alternative[],
  findings: readonly Finding[],
): Pick<Verdict, "decision" | "because"> {
  const all = alternatives.map((alternative) => withFindings(alternative, findings));
  const decision = strictest(all.map((reasons) => reasons[0].decision));
  return { decision, because: all.find((reasons) => reasons[0].decision === decision) as Reasons };
}

function withFindings({ views, reasons, own }: Alternative, findings: readonly Finding[]): Reasons {
  const found = findings.filter((finding) => !isSpelled(finding, reasons, views)).map(findingReason);
  return strictestFirst([...reasons, ...found, ...own]);
}

/** A finding as a reason. */
export function findingReason(finding: Finding): Reason {
  return { kind: "finding", decision: finding.floor, finding };
}

function judge(segment: Segment, policy: Policy, context: Context): Alternative {
  const views = new SegmentViews(segment);
  // What a substitution prints is known, and still no word that somebody wrote: only a star allows it.
  const { uncomputed } = segment;
  const allowing = uncomputed === undefined ? views : new SegmentViews(withWords(segment, uncomputed));
  const vote = voteOf(
    policy,
    (index) => rulesFor(index, views),
    (rule) => matchSegment(rule, rule.decision === "allow" ? allowing : views),
  );
  const reasons: Reason[] = segment.transparent
    ? vote.reasons.filter((reason) => !("rule" in reason && reason.rule.catchAll))
    : [...vote.reasons, ...vote.reasons.flatMap((reason) => escapeReasons(reason, segment))];
  if (segment.transparent) reasons.push({ kind: "transparent", decision: "allow" });
  else if (!vote.decided) reasons.push(undecided(segment, policy));
  const own = [ownVerbProtection(segment, context), unseenWrites(segment, vote, policy)];
  return { views, reasons, own: own.filter((reason) => reason !== undefined) };
}

/** Of other words than were read it is not known which of them is what. */
function withWords(segment: Segment, words: readonly Value[]): Segment {
  return { ...segment, words, reading: words.length === segment.words.length ? segment.reading : undefined };
}

function undecided(segment: Segment, policy: Policy): Reason {
  if (segment.callsFunction) return { kind: "function", decision: "allow" };
  if (segment.words.length === 0) return { kind: "assignment", decision: "allow" };
  if (isInert(segment)) return { kind: "inert", decision: "allow" };
  return defaultOf(policy);
}

const TESTS = new Set(["[", "test", "true", "false", ":"]);

/** What a test expands, opens or evaluates is judged by itself, as in `[[ ]]`; `cat <<EOF` only gives its own text back. */
function isInert({ words, assignments, redirects }: Segment): boolean {
  const [program] = words;
  if (typeof program !== "string" || assignments.length > 0) return false;
  if (TESTS.has(program)) return true;
  return program === "cat" && words.length === 1 && redirects.some(({ operator }) => operator.startsWith("<<"));
}

function escapeReasons(reason: Reason, segment: Segment): Reason[] {
  if (reason.kind !== "rule" || reason.decision !== "allow") return [];
  const escapes = segment.reading?.escapes ?? [];
  return escapes
    .filter((found) => !namesEscape(reason.rule, found))
    .map((found) => ({ kind: "escape", decision: "ask", rule: reason.rule, escape: found }));
}

/**
 * An allow that spells the very assignment or the program's very path, or that is about a package script, has seen what the
 * finding is about.
 */
function isSpelled({ code }: Finding, reasons: readonly Reason[], views: SegmentViews): boolean {
  const allows = reasons.flatMap((reason) =>
    reason.kind === "rule" && reason.decision === "allow" ? [reason.rule] : [],
  );
  if (allows.length === 0) return false;
  switch (code) {
    case "sensitive-assignment":
      return allows.every((rule) => spellsAssignments(rule, views));
    case "program-path":
      return allows.every((rule) => spellsProgramPath(rule, views));
    case "opaque-script":
      return runsPackageScript(views.segment) && allows.every((rule) => !rule.catchAll);
    default:
      return false;
  }
}

function runsPackageScript({ reading }: Segment): boolean {
  return reading?.inner.some(({ kind }) => kind === "package-script") === true;
}
