import type { Checked, Guard } from "../guard.ts";
import { nearMisses } from "../policy/index.ts";
import {
  effectText,
  type Paint,
  pathFrom,
  type Result,
  type ResultEffect,
  type ResultReason,
} from "../result/index.ts";
import { escapeText, wrapFrom } from "../text/index.ts";
import { headOf } from "./arity-explain.ts";
import { placeOf, shownPath } from "./place.ts";
import { type SegmentTrace, traceSegment } from "./segment-trace.ts";
import { labelled, labelledLines, traceLines } from "./trace-text.ts";

/** One segment of a judged text: how it was read, and the rules that nearly spoke about it. */
export interface ExplainedSegment extends SegmentTrace {
  readonly near: readonly NearRule[];
}

export interface NearRule {
  readonly pattern: string;
  readonly action: string;
  readonly source: string;
  /** Why it did not match, as a part of a sentence. */
  readonly why: string;
}

/** What stands behind each verdict of a judged text, a row for each segment. */
export function explain(guard: Guard, { segmentation, evaluation }: Checked): readonly ExplainedSegment[] {
  const { cwd, home } = guard.surroundings;
  return segmentation.segments.map((segment, i) => {
    const spoken = new Set(
      (evaluation.verdicts[i]?.because ?? []).flatMap((reason) => ("rule" in reason ? [reason.rule.id] : [])),
    );
    const near = nearMisses(segment, guard.loaded.policy)
      .filter(({ rule }) => !spoken.has(rule.id))
      .map(({ rule, why }) => ({
        pattern: rule.pattern,
        action: rule.decision,
        source: shownPath(placeOf(rule.origin), cwd, home),
        why,
      }));
    return { ...traceSegment(guard, segment), near };
  });
}

/** The trace for people, in the order of the stages: the words, the rules, the files, the findings, the decision. */
export function renderExplanation(result: Result, explained: readonly ExplainedSegment[], paint: Paint): string {
  const blocks = explained.map((trace, i) => segmentBlock(result, trace, i, explained.length, paint).join("\n"));
  return [...blocks, closing(result, paint).join("\n")].join("\n\n");
}

function segmentBlock(result: Result, trace: ExplainedSegment, i: number, count: number, paint: Paint): string[] {
  const segment = result.segments[i];
  const effects = result.effects.filter((effect) => effect.segment === i);
  return [
    headOf(trace, i, count),
    ...traceLines(trace, paint),
    ...saying(segment?.because ?? []).map((reason) => reasonLine(reason, paint)),
    ...trace.near.map(({ pattern, action, source, why }) =>
      labelled("near", `\`${pattern}\` → ${action} (${source}): ${why}`, paint),
    ),
    ...effects.map((effect) => effectLine(effect, result.cwd, paint)),
    ...(segment === undefined
      ? []
      : [`  ${paint.dim("verdict".padEnd(11))}${paint[segment.decision](segment.decision)}`]),
  ];
}

/** That there is no policy is said once, at the end. */
function saying(because: readonly ResultReason[]): readonly ResultReason[] {
  return because.filter(({ kind }) => kind !== "off");
}

function reasonLine({ kind, pattern, code, message, decision }: ResultReason, paint: Paint): string {
  const label = kind === "finding" ? "finding" : pattern === undefined ? "because" : "rule";
  const text = `${code === undefined ? "" : `${code}: `}${message}`;
  return labelledLines(label, decision.padEnd(6), text, paint, paint[decision]);
}

function effectLine(effect: ResultEffect, cwd: string, paint: Paint): string {
  const { decision, because } = effect;
  const why = because[0] === undefined ? "no rule speaks about it, and none has to" : because[0].message;
  const colour = decision === null ? paint.dim : paint[decision];
  return labelledLines("effect", (decision ?? "").padEnd(6), `${effectText(effect, cwd)}: ${why}`, paint, colour);
}

function closing(result: Result, paint: Paint): string[] {
  const told = new Set(result.because.map(({ code, message }) => `${code} ${message}`));
  const whole = result.findings.filter(
    ({ segment, code, message }) => segment === null && !told.has(`${code} ${message}`),
  );
  return [
    ...whole.map(({ code, message }) => labelled("finding", `${code}: ${message}`, paint)),
    ...saying(result.because).map((reason) => reasonLine(reason, paint)),
    ...(result.off ? ["there is no policy: everything runs. `guarded-sh init` writes one"] : []),
    ...(result.untrusted ?? []).flatMap((name) =>
      wrapFrom(
        0,
        `${escapeText(pathFrom(result.cwd, name))} is not trusted: its allow rules do not count. \`guarded-sh trust\` records it`,
      ),
    ),
    `decision ${paint[result.decision](result.decision)}: the strictest of ${result.segments.length === 1 ? "the segment" : `${result.segments.length} segments`}, the files and the findings`,
  ];
}
