import type { Finding } from "../segment/finding.ts";
import type { Effect, Segment, Segmentation } from "../segment/segment.ts";
import { isInside } from "../text/index.ts";
import { effectAlternatives, segmentAlternatives } from "./choices.ts";
import type { Context } from "./context.ts";
import { type Cover, coverOf, coverReason } from "./cover.ts";
import { type Decision, strictest } from "./decision.ts";
import { namesEscape } from "./escape.ts";
import { evaluateEffect } from "./evaluate-effect.ts";
import { matchSegment, spellsAssignments, spellsProgramPath } from "./match.ts";
import { ownVerbProtection } from "./own-verbs.ts";
import { protectionOf } from "./protection.ts";
import { type EffectVerdict, type Reason, type Reasons, strictestFirst, type Verdict } from "./reason.ts";
import type { Policy } from "./rule.ts";
import { rulesFor } from "./rule-index.ts";
import { unseenWrites } from "./unseen-writes.ts";
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
  const own = segments.map((segment, i) => evaluateSegment(segment, i, bySegment.get(i) ?? [], policy, context));
  const covers = coversOf(own);
  const verdicts = own.map((verdict) => covered(verdict, covers.get(verdict.index)));
  const effects = segmentation.effects.flatMap((effect) =>
    judgeEffect(effect, segments, policy, context).map((verdict) => covered(verdict, deepCover(effect, covers))),
  );
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

function findingReason(finding: Finding): Reason {
  return { kind: "finding", decision: finding.floor, finding };
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

/** The strictest verdict of the segment's alternatives. */
function evaluateSegment(
  segment: Segment,
  index: number,
  findings: readonly Finding[],
  policy: Policy,
  context: Context,
): Verdict {
  const all = segmentAlternatives(segment).map((alternative) => segmentReasons(alternative, findings, policy, context));
  const decision = strictest(all.map((reasons) => reasons[0].decision));
  const because = all.find((reasons) => reasons[0].decision === decision) as Reasons;
  return { segment, index, decision, because };
}

function segmentReasons(segment: Segment, findings: readonly Finding[], policy: Policy, context: Context): Reasons {
  const views = new SegmentViews(segment);
  const vote = voteOf(
    policy,
    (index) => rulesFor(index, views),
    (rule) => matchSegment(rule, views),
  );
  const reasons: Reason[] = segment.transparent
    ? vote.reasons.filter((reason) => !("rule" in reason && reason.rule.catchAll))
    : [...vote.reasons, ...vote.reasons.flatMap((reason) => escapeReasons(reason, segment))];
  if (segment.transparent) reasons.push({ kind: "transparent", decision: "allow" });
  else if (!vote.decided) reasons.push(undecided(segment, policy));
  reasons.push(...findings.filter((finding) => !isSpelled(finding, reasons, views)).map(findingReason));
  for (const more of [ownVerbProtection(segment, context), unseenWrites(segment, vote, policy)])
    if (more !== undefined) reasons.push(more);
  return strictestFirst(reasons);
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

function protectedEffect(
  effect: Effect,
  { path, access }: Effect,
  segment: Segment | undefined,
  context: Context,
): EffectVerdict[] {
  // `cp x d` may write `d/x`, if `d` is a directory: of what is there that can be known.
  const below = access === "write" && effect.path !== path && isBelow(effect.path, path);
  if (below && context.isDirectory !== undefined && context.isDirectory(String(path)) !== true) return [];
  const reason = protectionOf(effect, segment, context);
  return reason === undefined ? [] : [{ effect, tool: "file_write", decision: reason.decision, because: [reason] }];
}

function isBelow(path: Effect["path"], folder: Effect["path"]): boolean {
  return typeof path === "string" && typeof folder === "string" && isInside(path, folder);
}

function judgeEffect(effect: Effect, segments: readonly Segment[], policy: Policy, context: Context): EffectVerdict[] {
  const segment = segments[effect.segment];
  const all = effectAlternatives(effect).map((alternative) => [
    ...evaluateEffect(alternative, segment, policy, context),
    ...protectedEffect(alternative, effect, segment, context),
  ]);
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
