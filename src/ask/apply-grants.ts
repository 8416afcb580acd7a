import { effectAlternatives } from "../policy/choices.ts";
import {
  type Context,
  type Document,
  type EffectVerdict,
  type Evaluation,
  evaluate,
  evaluateRequest,
  type Reason,
  type RequestVerdict,
  strictest,
  type Verdict,
} from "../policy/index.ts";
import { matchRedirect } from "../policy/match.ts";
import { matchPath, PathSubject } from "../policy/path-match.ts";
import { makeDocument } from "../policy/rule.ts";
import { staticText, subjectWord } from "../policy/subject.ts";
import { isPathTool, namesTool } from "../policy/tool.ts";
import { SegmentViews } from "../policy/views.ts";
import { matchWords } from "../policy/wildcard.ts";
import type { Effect, Segment, Segmentation } from "../segment/index.ts";
import type { GrantRule } from "./grant-rules.ts";

/** A judged command line, and the world it was judged in. */
export interface JudgedText {
  readonly segmentation: Segmentation;
  readonly evaluation: Evaluation;
  readonly context: Context;
}

/** The evaluation with its asks answered by grants where they certainly cover what is asked, and the rules that did. */
export interface Granted {
  readonly evaluation: Evaluation;
  readonly used: readonly GrantRule[];
}

/**
 * Answers asks by grants. INVARIANT: a deny, a possible deny and a finding that no allow rule could lift stay what they are: the
 * grants are evaluated as a policy of their own, whose allows are capped by findings and escapes as those of any policy.
 */
export function applyGrants({ segmentation, evaluation, context }: JudgedText, grants: readonly GrantRule[]): Granted {
  if (grants.length === 0) return { evaluation, used: [] };
  const own = evaluate(segmentation, { documents: [documentOf(grants)] }, context);
  const used = new Set<GrantRule>();
  const verdicts = evaluation.verdicts.map((verdict, i) => {
    const found = verdictAnswer(verdict, own.verdicts[i], grants, segmentation.segments);
    if (found === undefined) return verdict;
    used.add(found.grant);
    return { ...verdict, decision: "allow" as const, because: [found.reason, ...verdict.because] as const };
  });
  const effects = evaluation.effects.map((verdict) => {
    const found = effectAnswer(verdict, segmentation, grants, context);
    if (found === undefined) return verdict;
    used.add(found);
    const reason: Reason = { kind: "rule", decision: "allow", rule: found.rule };
    return { ...verdict, decision: "allow" as const, because: [reason, ...verdict.because] as const };
  });
  const decision = strictest([...verdicts, ...effects, ...evaluation.because].map((part) => part.decision));
  return { evaluation: { ...evaluation, decision, verdicts, effects }, used: [...used] };
}

/** The same for a call of another tool. */
export function applyGrantsToCall(
  verdict: RequestVerdict,
  grants: readonly GrantRule[],
  context: Context,
): { readonly verdict: RequestVerdict; readonly used: readonly GrantRule[] } {
  if (verdict.decision !== "ask" || mayBeDenied(verdict.because)) return { verdict, used: [] };
  const { tool, subject } = verdict.request;
  const fitting = grants.filter(({ exact, rule }) => !exact || isPathTool(tool) || rule.pattern === subject);
  const [reason] = evaluateRequest(verdict.request, { documents: [documentOf(fitting)] }, context).because;
  const grant = reason.kind === "rule" ? fitting.find(({ rule }) => rule === reason.rule) : undefined;
  if (grant === undefined) return { verdict, used: [] };
  return { verdict: { ...verdict, decision: "allow", because: [reason, ...verdict.because] }, used: [grant] };
}

function documentOf(grants: readonly GrantRule[]): Document {
  const source = { name: "grants", text: "" };
  return makeDocument({
    name: "grants",
    order: "first-match",
    // An exact one says nothing of other texts, so it must not stand before a wider one that would.
    rules: [...grants.filter(({ exact }) => !exact), ...grants.filter(({ exact }) => exact)].map(({ rule }) => rule),
    otherwise: "ask",
    layer: "inline",
    trusted: true,
    patterns: "paths",
    off: false,
    bases: [],
    origin: { source, span: { start: 0, end: 0 } },
  });
}

interface Answer {
  readonly grant: GrantRule;
  readonly reason: Reason;
}

function verdictAnswer(
  verdict: Verdict,
  own: Verdict | undefined,
  grants: readonly GrantRule[],
  segments: readonly Segment[],
): Answer | undefined {
  if (verdict.decision !== "ask" || mayBeDenied(verdict.because) || own?.decision !== "allow") return undefined;
  const reason = own.because.find(({ kind }) => kind === "rule" || kind === "covered");
  if (reason === undefined || !("rule" in reason)) return undefined;
  const grant = grants.find(({ rule }) => rule === reason.rule);
  if (grant === undefined) return undefined;
  const matched = reason.kind === "covered" ? segments[reason.parent] : verdict.segment;
  if (grant.exact && exactText(matched) !== grant.rule.pattern) return undefined;
  return { grant, reason };
}

/** The text that an exact grant of a segment is: its assignments and words joined by blanks; undefined when a part is not known. */
export function exactText(segment: Segment | undefined): string | undefined {
  if (segment === undefined || segment.words.length === 0) return undefined;
  const words = staticText(segment.words.map(subjectWord));
  const assigned = segment.assignments.map(({ name, value }) =>
    typeof value === "string" ? `${name}=${value}` : undefined,
  );
  if (words === undefined || assigned.includes(undefined)) return undefined;
  return [...assigned, words].join(" ");
}

function mayBeDenied(because: readonly Reason[]): boolean {
  return because.some(({ kind }) => kind === "possible-deny" || kind === "protection");
}

/** The first of the grants that together cover every path the effect can have. */
function effectAnswer(
  verdict: EffectVerdict,
  { effects, segments }: Segmentation,
  grants: readonly GrantRule[],
  context: Context,
): GrantRule | undefined {
  if (verdict.decision !== "ask" || mayBeDenied(verdict.because)) return undefined;
  const all = effects.filter((effect) => isSameUse(effect, verdict.effect)).flatMap(effectAlternatives);
  const found = [verdict.effect, ...all].map((effect) =>
    grants.find((grant) => coversEffect(grant, effect, verdict.tool, segments[effect.segment], context)),
  );
  return found.every((grant) => grant !== undefined) ? found[0] : undefined;
}

function isSameUse(a: Effect, b: Effect): boolean {
  const samePlace = a.segment === b.segment && a.span.start === b.span.start && a.span.end === b.span.end;
  return samePlace && a.access === b.access && a.text === b.text;
}

function coversEffect(
  { rule, exact }: GrantRule,
  effect: Effect,
  tool: string,
  segment: Segment | undefined,
  context: Context,
): boolean {
  if (rule.tool === "bash") {
    if (exact || segment === undefined || effect.from !== "redirect" || tool !== effect.tool) return false;
    return matchRedirect(rule, effect, new SegmentViews(segment), context) === "certainly";
  }
  if (!namesTool(rule.toolPattern, tool)) return false;
  if (exact && typeof effect.path !== "string") return false;
  if (tool === "webfetch") return matchWords(rule.text, [subjectWord(effect.path)]) === "certainly";
  return matchPath(rule, new PathSubject(effect.path, effect.access, context)) === "certainly";
}
