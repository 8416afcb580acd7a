import { posix } from "node:path";
import {
  type Context,
  type EffectVerdict,
  isPathTool,
  type Policy,
  type Reason,
  type RequestVerdict,
  rulesOf,
  type Verdict,
} from "../policy/index.ts";
import { compileWildcard, matchesWildcard } from "../policy/wildcard.ts";
import { shownValue } from "../segment/index.ts";
import { isInside } from "../text/index.ts";
import { applyGrants, applyGrantsToCall, exactText, type JudgedText } from "./apply-grants.ts";
import type { AskPart, Proposal, Storing } from "./asker.ts";
import { type GrantRule, type GrantSetting, grantRule } from "./grant-rules.ts";
import { prefixPattern, readsCode, runsOthers, shownProgram } from "./prefix.ts";

/** What is asked about: a judged command line, or a judged call of another tool. */
export type Asked =
  | ({ readonly kind: "text"; readonly policy: Policy } & JudgedText)
  | { readonly kind: "call"; readonly policy: Policy; readonly verdict: RequestVerdict; readonly context: Context };

/** Everything that needs an approval, each with what an *always* could store for it. */
export function partsOf(asked: Asked, explain: (reason: Reason) => string): readonly AskPart[] {
  if (asked.kind === "call") return [callPart(asked, explain)];
  const { verdicts, effects, because } = asked.evaluation;
  const parts: (AskPart | undefined)[] = [
    ...because.filter(({ decision }) => decision === "ask").map((reason) => wholePart(asked, explain(reason))),
    ...verdicts.map((verdict) => (verdict.decision === "ask" ? segmentPart(asked, verdict, explain) : undefined)),
    ...effects.map((verdict) => (verdict.decision === "ask" ? effectPart(asked, verdict, explain) : undefined)),
  ];
  return parts.filter((part) => part !== undefined).sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

/** One proposal a part, the widest of each; none at all when storing them would not let this very request pass. */
export function proposalsOf(asked: Asked, parts: readonly AskPart[]): readonly Proposal[] {
  const first = parts.flatMap(({ proposals }) => proposals.slice(0, 1));
  const chosen = first.filter((one, i) => first.findIndex((other) => isSame(one, other)) === i);
  return chosen.length > 0 && passes(asked, chosen) ? chosen : [];
}

function isSame(a: Proposal, b: Proposal): boolean {
  return a.tool === b.tool && a.pattern === b.pattern && a.exact === b.exact;
}

/** What can be stored for a request, tried on the request itself. */
export function storingFor(asked: Asked, parts: readonly AskPart[]): Storing {
  return {
    whyNot: (proposals) => whyNotStored(asked, proposals),
    complete: (patterns) => completed(asked, parts, patterns),
  };
}

function completed(asked: Asked, parts: readonly AskPart[], patterns: readonly string[]): readonly Proposal[] | string {
  const given = patterns.map((pattern) => givenProposal(asked, parts, pattern));
  const wide = given.map((one) => whyTooWide(asked, one)).find((why) => why !== undefined);
  if (wide !== undefined) return wide;
  const left = given.length === 0 ? parts : partsLeft(asked, given);
  if (typeof left === "string") return left;
  const others = left.flatMap(({ proposals }) => proposals.slice(0, 1));
  const all = [...given, ...others].filter((one, i, list) => list.findIndex((other) => isSame(one, other)) === i);
  return all.length === 0
    ? "nothing can be stored that would let this pass: reply `once`"
    : (whyNotStored(asked, all) ?? all);
}

/** A pattern that answers nothing of the request was meant for something else. */
function partsLeft(asked: Asked, given: readonly Proposal[]): readonly AskPart[] | string {
  const grants = trial(asked, given);
  const granted =
    asked.kind === "text" ? applyGrants(asked, grants) : applyGrantsToCall(asked.verdict, grants, asked.context);
  const idle = grants.find((grant) => !granted.used.includes(grant));
  if (idle !== undefined) return `\`${idle.rule.pattern}\` does not match anything that is asked here`;
  return asked.kind === "text" && "evaluation" in granted
    ? partsOf({ ...asked, evaluation: granted.evaluation }, () => "")
    : [];
}

function givenProposal(asked: Asked, parts: readonly AskPart[], pattern: string): Proposal {
  const known = parts.flatMap(({ proposals }) => proposals).find((proposal) => proposal.pattern === pattern);
  const tool = asked.kind === "text" ? "bash" : asked.verdict.request.tool;
  return known ?? { tool, pattern, exact: false };
}

/** Why proposals, as a person has chosen or edited them, cannot be stored; undefined when they can. */
export function whyNotStored(asked: Asked, proposals: readonly Proposal[]): string | undefined {
  if (proposals.length === 0) return "nothing to store: choose a pattern";
  for (const proposal of proposals) {
    const why = whyTooWide(asked, proposal);
    if (why !== undefined) return why;
  }
  if (passes(asked, proposals)) return undefined;
  return "with this stored, the same request would still be asked: the pattern does not cover all of it";
}

const LONGEST_PATTERN = 8192;

function whyTooWide(asked: Asked, { tool, pattern, exact }: Proposal): string | undefined {
  if (pattern.trim() === "" || pattern.includes("\0")) return "an empty pattern matches nothing";
  if (pattern.length > LONGEST_PATTERN) return `a pattern has at most ${LONGEST_PATTERN} characters`;
  if (tool === "" || /[*?]/.test(tool)) return "a grant is for one tool, named in full";
  if (exact) return undefined;
  if (!/[\p{L}\p{N}]/u.test(pattern))
    return `\`${pattern}\` would allow everything: that is for the policy file to say`;
  if (tool !== "bash") return undefined;
  const [program = ""] = pattern.split(" ");
  if (/[*?]/.test(program)) return `\`${pattern}\` does not name a program`;
  return asked.kind === "text" && /[*?]/.test(pattern) && isRunner(asked, program)
    ? `\`${program}\` runs whatever its words say: only the exact text can be stored`
    : undefined;
}

function isRunner({ evaluation }: Asked & { kind: "text" }, program: string): boolean {
  return evaluation.verdicts.some(({ segment }) => shownProgram(segment) === program && runsOthers(segment));
}

/** Tries a save: whether nothing would be left to ask. */
function passes(asked: Asked, proposals: readonly Proposal[]): boolean {
  const grants = trial(asked, proposals);
  if (asked.kind === "call")
    return applyGrantsToCall(asked.verdict, grants, asked.context).verdict.decision === "allow";
  return applyGrants(asked, grants).evaluation.decision === "allow";
}

function trial({ context }: Asked, proposals: readonly Proposal[]): readonly GrantRule[] {
  return proposals.map((proposal) => grantRule(proposal, settingOf(context)));
}

/** What patterns are read with, in a world. */
export function settingOf({ home, env, windows }: Context): GrantSetting {
  return { home, env, windows: windows ?? false };
}

function wholePart(asked: Asked & { kind: "text" }, reason: string): AskPart {
  return { tool: "bash", subject: asked.segmentation.source.text, span: undefined, reason, proposals: [] };
}

function segmentPart(
  asked: Asked & { kind: "text" },
  { segment, index, because }: Verdict,
  explain: (reason: Reason) => string,
): AskPart {
  const prefix = prefixPattern(segment);
  const exact = readsCode(segment) ? undefined : exactText(segment);
  const candidates = [
    ...(prefix === undefined ? [] : [{ tool: "bash", pattern: prefix, exact: false }]),
    ...(exact === undefined ? [] : [{ tool: "bash", pattern: exact, exact: true }]),
  ];
  // A part inside another may be allowed only through it, so the part's own verdict is what is looked at.
  const proposals = candidates.filter(
    (one) => applyGrants(asked, trial(asked, [one])).evaluation.verdicts[index]?.decision === "allow",
  );
  return {
    tool: "bash",
    subject: segment.text,
    span: segment.span,
    reason: explain(openReason(because)),
    proposals: proposals.map((one) => withExceptions(one, asked.policy)),
  };
}

/** What a person should know first: a fact about the text rather than that no rule speaks about it. */
function openReason(because: readonly [Reason, ...Reason[]]): Reason {
  return because.find(({ kind, decision }) => decision === "ask" && kind !== "default") ?? because[0];
}

function withExceptions(proposal: Proposal, policy: Policy): Proposal {
  if (proposal.exact) return proposal;
  const wildcard = compileWildcard(proposal.pattern);
  const inside = rulesOf(policy)
    .filter(({ rule }) => rule.decision === "deny" && rule.command !== undefined && !rule.catchAll)
    .filter(({ rule }) => matchesWildcard(wildcard, rule.pattern))
    .map(({ rule }) => [rule.pattern, ...rule.flags].join(" "));
  return inside.length === 0 ? proposal : { ...proposal, except: [...new Set(inside)].slice(0, MOST_EXCEPTIONS) };
}

const MOST_EXCEPTIONS = 5;

function effectPart(
  asked: Asked & { kind: "text" },
  verdict: EffectVerdict,
  explain: (reason: Reason) => string,
): AskPart {
  const { effect, tool, because } = verdict;
  const { path } = effect;
  const candidates: Proposal[] =
    typeof path === "string" && isPlainPath(path) ? [{ tool, pattern: path, exact: true }] : [];
  const place = asked.evaluation.effects.indexOf(verdict);
  const proposals = candidates.filter(
    (one) => applyGrants(asked, trial(asked, [one])).evaluation.effects[place]?.decision === "allow",
  );
  return { tool, subject: shownValue(path), span: effect.span, reason: explain(openReason(because)), proposals };
}

/** Read as a pattern it means itself. */
function isPlainPath(path: string): boolean {
  return !/[*?[\]{}()!+@|\\]/.test(path);
}

function callPart(asked: Asked & { kind: "call" }, explain: (reason: Reason) => string): AskPart {
  const { request, because } = asked.verdict;
  const { tool, subject } = request;
  const patterns = isPathTool(tool) ? pathPatterns(subject, asked.context) : [{ pattern: subject, exact: true }];
  const proposals = patterns.map((one) => ({ tool, ...one })).filter((one) => passes(asked, [one]));
  return { tool, subject, span: undefined, reason: explain(because[0]), proposals };
}

/** The file as the project names it, and everything in its folder. */
function pathPatterns(
  subject: string,
  { cwd, projectRoot, home }: Context,
): readonly { pattern: string; exact: boolean }[] {
  const expanded = subject === "~" || subject.startsWith("~/") ? home + subject.slice(1) : subject;
  const absolute = posix.resolve(cwd, expanded);
  if (!isPlainPath(absolute)) return [];
  const relative = isInside(absolute, projectRoot) ? posix.relative(projectRoot, absolute) : "";
  // Without a slash the pattern would be a name at any depth.
  const file = relative.includes("/") ? relative : absolute;
  const folder = posix.dirname(relative);
  const wider = relative.includes("/") ? [{ pattern: `${folder}/**`, exact: false }] : [];
  return [{ pattern: file, exact: true }, ...wider];
}
