import type { Finding } from "../segment/finding.ts";
import type { Effect, Segment, Segmentation } from "../segment/segment.ts";
import { effectAlternatives, segmentAlternatives } from "./choices.ts";
import type { Context } from "./context.ts";
import { type Decision, strictest } from "./decision.ts";
import { namesEscape } from "./escape.ts";
import { evaluateEffect } from "./evaluate-effect.ts";
import { matchSegment, spellsAssignments, spellsProgramPath } from "./match.ts";
import { type EffectVerdict, type Reason, type Reasons, strictestFirst, type Verdict } from "./reason.ts";
import type { Policy } from "./rule.ts";
import { SegmentViews } from "./views.ts";
import { defaultOf, isOff, voteOf } from "./vote.ts";

/** All verdicts of a command line and the strictest of them. */
export interface Evaluation {
  readonly decision: Decision;
  /** One for each segment, in order. */
  readonly verdicts: readonly Verdict[];
  /** Files and directories outside the project that the text uses; only those that a rule or default speaks about. */
  readonly effects: readonly EffectVerdict[];
  readonly findings: readonly Finding[];
  /** Reasons that are about the text as a whole. */
  readonly because: readonly Reason[];
}

/** Judges a command line: the strictest verdict of all its segments, effects and findings. Pure. */
export function evaluate(segmentation: Segmentation, policy: Policy, context: Context): Evaluation {
  const { segments, findings } = segmentation;
  if (isOff(policy)) return evaluateOff(segmentation);
  const bySegment = findingsBySegment(findings);
  const verdicts = segments.map((segment, i) => evaluateSegment(segment, i, bySegment.get(i) ?? [], policy));
  const effects = segmentation.effects.flatMap((effect) => judgeEffect(effect, segments, policy, context));
  const because = [...(bySegment.get(undefined) ?? []).map(findingReason), ...emptiness(segmentation, policy)];
  const decision = strictest([...verdicts, ...effects, ...because].map((part) => part.decision));
  return { decision, verdicts, effects, findings, because };
}

function evaluateOff({ segments, findings }: Segmentation): Evaluation {
  const because: Reasons = [{ kind: "off", decision: "allow" }];
  const verdicts = segments.map((segment, index): Verdict => ({ segment, index, decision: "allow", because }));
  return { decision: "allow", verdicts, effects: [], findings, because };
}

function findingsBySegment(findings: readonly Finding[]): Map<number | undefined, Finding[]> {
  const found = new Map<number | undefined, Finding[]>();
  for (const finding of findings) {
    const list = found.get(finding.segment);
    if (list === undefined) found.set(finding.segment, [finding]);
    else list.push(finding);
  }
  return found;
}

function findingReason(finding: Finding): Reason {
  return { kind: "finding", decision: finding.floor, finding };
}

/** No segments must never mean allow: what reads as nothing may be something that was not read. */
function emptiness({ segments, source }: Segmentation, policy: Policy): Reason[] {
  if (segments.length > 0) return [];
  const otherwise = defaultOf(policy);
  const onlyComments =
    source.text.trim() !== "" && source.text.split("\n").every((line) => /^[ \t]*(?:#.*)?$/.test(line));
  if (onlyComments || otherwise.decision !== "allow") return [otherwise];
  return [{ kind: "nothing", decision: "ask" }];
}

/** The strictest verdict of the segment's alternatives. */
function evaluateSegment(segment: Segment, index: number, findings: readonly Finding[], policy: Policy): Verdict {
  const all = segmentAlternatives(segment).map((alternative) => segmentReasons(alternative, findings, policy));
  const decision = strictest(all.map((reasons) => reasons[0].decision));
  const because = all.find((reasons) => reasons[0].decision === decision) as Reasons;
  return { segment, index, decision, because };
}

function segmentReasons(segment: Segment, findings: readonly Finding[], policy: Policy): Reasons {
  const views = new SegmentViews(segment);
  const vote = voteOf(policy, (rule) => matchSegment(rule, views));
  const reasons: Reason[] = segment.transparent
    ? vote.reasons.filter((reason) => reason.decision !== "allow" && !("rule" in reason && reason.rule.catchAll))
    : [...vote.reasons, ...vote.reasons.flatMap((reason) => escapeReasons(reason, segment))];
  if (segment.transparent) reasons.push({ kind: "transparent", decision: "allow" });
  else if (!vote.decided) reasons.push(undecided(segment, policy));
  reasons.push(...findings.filter((finding) => !isSpelled(finding, reasons, views)).map(findingReason));
  return strictestFirst(reasons);
}

function undecided(segment: Segment, policy: Policy): Reason {
  if (segment.callsFunction) return { kind: "function", decision: "allow" };
  if (segment.words.length === 0) return { kind: "assignment", decision: "allow" };
  return defaultOf(policy);
}

function escapeReasons(reason: Reason, segment: Segment): Reason[] {
  if (reason.kind !== "rule" || reason.decision !== "allow") return [];
  const escapes = segment.reading?.escapes ?? [];
  return escapes
    .filter((found) => !namesEscape(reason.rule, found))
    .map((found) => ({ kind: "escape", decision: "ask", rule: reason.rule, escape: found }));
}

/** An allow that spells the very assignment, or the program's very path, has seen what the finding is about. */
function isSpelled(finding: Finding, reasons: readonly Reason[], views: SegmentViews): boolean {
  if (finding.code !== "sensitive-assignment" && finding.code !== "program-path") return false;
  const allows = reasons.flatMap((reason) =>
    reason.kind === "rule" && reason.decision === "allow" ? [reason.rule] : [],
  );
  if (allows.length === 0) return false;
  return allows.every((rule) =>
    finding.code === "program-path" ? spellsProgramPath(rule, views) : spellsAssignments(rule, views),
  );
}

function judgeEffect(effect: Effect, segments: readonly Segment[], policy: Policy, context: Context): EffectVerdict[] {
  const segment = segments[effect.segment];
  const all = effectAlternatives(effect).map((alternative) => evaluateEffect(alternative, segment, policy, context));
  const requests = new Map<string, EffectVerdict>();
  for (const verdict of all.flat()) {
    const known = requests.get(verdict.tool);
    const stricter =
      known === undefined ||
      (known.decision !== verdict.decision && strictest([known.decision, verdict.decision]) === verdict.decision);
    if (stricter) requests.set(verdict.tool, verdict);
  }
  return [...requests.values()];
}
