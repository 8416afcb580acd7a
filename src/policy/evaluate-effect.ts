import { posix } from "node:path";
import type { Effect, Segment } from "../segment/segment.ts";
import { shownValue, type Value, valueFrom } from "../segment/value.ts";
import { isInside } from "../text/index.ts";
import type { Context } from "./context.ts";
import { effectRulesFor } from "./effect-index.ts";
import { matchRedirect } from "./match.ts";
import { bestOf } from "./meaning.ts";
import { matchPath, PathSubject } from "./path-match.ts";
import { type EffectVerdict, type Reason, strictestFirst } from "./reason.ts";
import type { Document, Policy, Rule } from "./rule.ts";
import { subjectWord } from "./subject.ts";
import { SegmentViews } from "./views.ts";
import { defaultOf, type Vote, voteOf } from "./vote.ts";
import { matchWords } from "./wildcard.ts";

/** Judges the use of a file, and its place when it lies outside the project. Empty when no rule speaks about it. */
export function evaluateEffect(
  effect: Effect,
  segment: Segment | undefined,
  policy: Policy,
  context: Context,
): EffectVerdict[] {
  if (effect.access === "net") return verdictOf(effect, "webfetch", tightening(webVote(effect, policy)));
  const place = verdictOf(effect, "external_directory", tightening(placeVote(effect, policy, context)));
  const subject = new PathSubject(effect.path, effect.access, context);
  const vote = voteOf(
    policy,
    (index) => effectRulesFor(index.byTool(effect.tool), subject),
    (rule) => matchPath(rule, subject),
  );
  if (effect.from === "operand" || effect.tool === "file_read") {
    return [...verdictOf(effect, effect.tool, tightening(vote)), ...place];
  }
  return [...verdictOf(effect, effect.tool, redirectReasons(effect, vote, segment, policy, context)), ...place];
}

function verdictOf(effect: Effect, tool: string, reasons: readonly Reason[]): EffectVerdict[] {
  if (reasons.length === 0) return [];
  const because = strictestFirst(reasons);
  return [{ effect, tool, decision: because[0].decision, because }];
}

/**
 * Operands and what is read only tighten: an explicit rule can refuse them, no default applies, and a rule for every tool
 * and every text says nothing about them in particular.
 */
function tightening({ reasons }: Vote): Reason[] {
  return reasons.filter((reason) => {
    if (reason.decision === "allow") return false;
    return !("rule" in reason) || !(reason.rule.everyTool && reason.rule.catchAll);
  });
}

/** A redirect that writes is a request of its own: a rule for the file, a bash rule that spells the redirect, the default. */
function redirectReasons(
  effect: Effect,
  vote: Vote,
  segment: Segment | undefined,
  policy: Policy,
  context: Context,
): Reason[] {
  if (vote.decided) return [...vote.reasons];
  const views = segment === undefined ? undefined : new SegmentViews(segment);
  const covered =
    views &&
    voteOf(
      policy,
      (index) => index.redirects,
      (rule) => matchRedirect(rule, effect, views, context),
    );
  if (covered?.decided) return [...vote.reasons, ...covered.reasons];
  return [...vote.reasons, ...(covered?.reasons ?? []), defaultOf(policy)];
}

function webVote(effect: Effect, policy: Policy): Vote {
  const words = [subjectWord(effect.path)];
  return voteOf(
    policy,
    (index) => index.byTool("webfetch").all,
    (rule) => matchWords(rule.text, words),
  );
}

/** Outside the project, or perhaps outside: asked in documents that name `external_directory`. */
function placeVote(effect: Effect, policy: Policy, context: Context): Vote {
  const { path } = effect;
  if (typeof path === "string" ? isInside(path, context.projectRoot) : staysInside(path, context)) {
    return { reasons: [], decided: false };
  }
  const outside = placePolicy(policy);
  if (outside.documents.length === 0) return { reasons: [], decided: false };
  const certain = typeof path === "string";
  const places = placesOf(path).map((place) => new PathSubject(place, effect.access, context));
  const vote = (rule: Rule) => {
    const match = bestOf(places.map((place) => matchPath(rule, place)));
    return certain || match === "no" ? match : "possibly";
  };
  return voteOf(outside, (index) => index.byTool("external_directory").all, vote);
}

const placePolicies = new WeakMap<Policy, Policy>();

/** The documents that name places; a policy stays as it is, and is asked for every file. */
function placePolicy(policy: Policy): Policy {
  const known = placePolicies.get(policy) ?? { documents: policy.documents.filter(namesPlaces) };
  placePolicies.set(policy, known);
  return known;
}

function namesPlaces(document: Document): boolean {
  const named = document.index.effects.some((position) => {
    const rule = document.rules[position];
    return rule?.effects.external_directory === true && !rule.everyTool;
  });
  return !document.off && (named || document.bases.some(namesPlaces));
}

function staysInside(path: Exclude<Value, string>, { projectRoot }: Context): boolean {
  const [first, ...others] = path.pieces;
  if (typeof first !== "string" || !first.startsWith(`${projectRoot}/`)) return false;
  return others.every((piece) => typeof piece === "string" || piece.cause === "path" || piece.cause === "arithmetic");
}

/** The path itself, everything in it, and everything in its directory: `/tmp/*` means all three. */
function placesOf(path: Value): Value[] {
  if (typeof path !== "string") return [path, valueFrom([...path.pieces, "/*"], path.splits)];
  return [path, posix.join(path, "*"), posix.join(posix.dirname(path), "*")];
}

/** How an effect's path is shown to people. */
export function shownPath(effect: Effect): string {
  return shownValue(effect.path);
}
