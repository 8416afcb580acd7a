import type { Finding } from "../segment/finding.ts";
import type { Effect, Segmentation } from "../segment/segment.ts";
import type { Context } from "./context.ts";
import { type Cover, coverOf, coverReason } from "./cover.ts";
import { type Decision, strictest } from "./decision.ts";
import { EffectJudge } from "./effect-judge.ts";
import { findingReason, SegmentJudge } from "./evaluate-segment.ts";
import { type EffectVerdict, type Reason, type Reasons, strictestFirst, type Verdict } from "./reason.ts";
import type { Policy } from "./rule.ts";
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
  const judge = new SegmentJudge(policy, context);
  const own = segments.map((segment, i) => judge.verdictOf(segment, i, bySegment.get(i) ?? []));
  const covers = coversOf(own);
  const verdicts = own.map((verdict) => covered(verdict, covers.get(verdict.index)));
  const effectJudge = new EffectJudge(policy, context, judge);
  const effects = segmentation.effects.flatMap((effect) => {
    const judged = effectJudge.verdictsOf(effect, segments[effect.segment]);
    return judged.map((verdict) => covered(verdict, deepCover(effect, covers)));
  });
  const because = [...(bySegment.get(undefined) ?? []).map(findingReason), ...emptiness(segmentation, policy)];
  const decision = strictest([...verdicts, ...effects, ...because].map((part) => part.decision));
  return { decision, verdicts, effects, findings, because };
}

/** Without a policy everything runs as before; a text that bash cannot even be given does not. */
function evaluateOff({ segments, findings }: Segmentation): Evaluation {
  const off: Reasons = [{ kind: "off", decision: "allow" }];
  const verdicts = segments.map((segment, index): Verdict => ({ segment, index, decision: "allow", because: off }));
  const unspeakable = findings.find(({ code }) => code === "nul-byte");
  const because: Reasons = unspeakable === undefined ? off : [findingReason(unspeakable)];
  return { decision: because[0].decision, verdicts, effects: [], findings, because };
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

/** No segments must never mean allow: what reads as nothing may be something that was not read. */
function emptiness({ segments, source }: Segmentation, policy: Policy): Reason[] {
  if (segments.length > 0) return [];
  const otherwise = defaultOf(policy);
  const onlyComments =
    source.text.trim() !== "" && source.text.split("\n").every((line) => /^[ \t]*(?:#.*)?$/.test(line));
  // `[[ a > b ]]` and `(( x ))` run no command: a rule for every command speaks about them.
  const vote = voteOf(
    policy,
    (index) => index.bash,
    (rule) => (rule.catchAll ? "certainly" : "no"),
  );
  if (vote.decided) return [...vote.reasons];
  if (onlyComments || otherwise.decision !== "allow") return [otherwise];
  return [{ kind: "nothing", decision: "ask" }];
}

/** Rules that speak for segments through the segments that run them. */
function coversOf(verdicts: readonly Verdict[]): Map<number, Cover> {
  const covers = new Map<number, Cover>();
  for (const { segment, index } of verdicts) {
    if (segment.parent === undefined) continue;
    const cover = coverOf(segment, verdicts[segment.parent], covers.get(segment.parent));
    if (cover !== undefined) covers.set(index, cover);
  }
  return covers;
}

function deepCover(effect: Effect, covers: ReadonlyMap<number, Cover>): Cover | undefined {
  const cover = covers.get(effect.segment);
  return cover?.deep ? cover : undefined;
}

/** The verdict with a cover in place of the default; other reasons stand. */
function covered<T extends { readonly decision: Decision; readonly because: Reasons }>(
  verdict: T,
  cover: Cover | undefined,
): T {
  if (cover === undefined || !verdict.because.some(({ kind }) => kind === "default")) return verdict;
  const because = strictestFirst([...verdict.because.filter(({ kind }) => kind !== "default"), coverReason(cover)]);
  return { ...verdict, decision: because[0].decision, because };
}
