import type { Effect, Segment } from "../segment/segment.ts";
import { isInside } from "../text/index.ts";
import { effectAlternatives } from "./choices.ts";
import type { Context } from "./context.ts";
import { strictest } from "./decision.ts";
import { evaluateEffect } from "./evaluate-effect.ts";
import type { SegmentJudge } from "./evaluate-segment.ts";
import { protectionOf } from "./protection.ts";
import type { EffectVerdict } from "./reason.ts";
import type { Policy } from "./rule.ts";

/** Judges the uses of files by a policy; uses that are alike, by segments that are, are judged once. */
export class EffectJudge {
  readonly #policy: Policy;
  readonly #context: Context;
  readonly #segments: SegmentJudge;
  readonly #known = new Map<string, readonly Judged[]>();

  constructor(policy: Policy, context: Context, segments: SegmentJudge) {
    this.#policy = policy;
    this.#context = context;
    this.#segments = segments;
  }

  /** One verdict for each tool that the use is a request for, the strictest of its paths. */
  verdictsOf(effect: Effect, segment: Segment | undefined): readonly EffectVerdict[] {
    const key = this.#keyOf(effect, segment);
    const judged = this.#known.get(key) ?? judge(effect, segment, this.#policy, this.#context);
    this.#known.set(key, judged);
    if (judged.length === 0) return NONE;
    const alternatives = effectAlternatives(effect);
    return judged.map(({ alternative, ...verdict }) => ({ ...verdict, effect: alternatives[alternative] ?? effect }));
  }

  /** All of it that decides; where it stands in the text does not. */
  #keyOf({ tool, access, path, otherPaths, from, operator }: Effect, segment: Segment | undefined): string {
    const kind = segment === undefined ? undefined : this.#segments.kindOf(segment);
    return JSON.stringify([kind, tool, access, path, otherPaths, from, operator]);
  }
}

const NONE: readonly EffectVerdict[] = [];

/** A verdict, and which of the effect's alternatives it is about. */
interface Judged extends Omit<EffectVerdict, "effect"> {
  readonly alternative: number;
}

function judge(effect: Effect, segment: Segment | undefined, policy: Policy, context: Context): readonly Judged[] {
  const requests = new Map<string, Judged>();
  effectAlternatives(effect).forEach((each, alternative) => {
    const verdicts = [
      ...evaluateEffect(each, segment, policy, context),
      ...protectedEffect(each, effect, segment, context),
    ];
    for (const { tool, decision, because } of verdicts) {
      const known = requests.get(tool)?.decision;
      const stricter = known !== decision && (known === undefined || strictest([known, decision]) === decision);
      if (stricter) requests.set(tool, { tool, decision, because, alternative });
    }
  });
  return [...requests.values()];
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
