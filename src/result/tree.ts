import type { Decision } from "../policy/index.ts";
import { escapeText, isInside, shorten, WIDTH, wrapFrom } from "../text/index.ts";
import type { Result, ResultEffect, ResultReason, ResultSegment } from "./result.ts";

/** How words are coloured; `plain` leaves them as they are. */
export interface Paint {
  readonly allow: (text: string) => string;
  readonly ask: (text: string) => string;
  readonly deny: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** Columns of what a text names before it is cut; what is said of it is never cut. */
const LONGEST_SUBJECT = 80;

export const plain: Paint = { allow: String, ask: String, deny: String, dim: String };

/** A judged text as a tree for people: the decision, then every segment with its reason, the ones inside it below it. */
export function renderTree(
  result: Result,
  paint: Paint,
  nearMisses: ReadonlyMap<number, readonly string[]> = new Map(),
): string {
  const lines = [`${paint[result.decision](result.decision)}  ${shorten(escapeText(result.command), WIDTH - 8)}`];
  for (const { decision, message } of result.because.filter(({ kind }) => kind !== "off"))
    lines.push(...wholeLines(decision, message, paint));
  const roots = result.segments.flatMap((segment, index) => (segment.parent === null ? [index] : []));
  roots.forEach((index, i) => {
    lines.push(...branch(result, index, "", i === roots.length - 1, paint, nearMisses));
  });
  if (result.off) lines.push(paint.dim("there is no policy: everything runs. `guarded-sh init` writes one"));
  for (const name of result.untrusted ?? []) lines.push(...untrustedLines(pathFrom(result.cwd, name), paint));
  return lines.join("\n");
}

/** A reason that is about the whole text. */
function wholeLines(decision: Decision, message: string, paint: Paint): readonly string[] {
  const lines = wrapFrom(4, `${decision}  ${escapeText(message)}`);
  return lines.map((line, i) =>
    i === 0 ? `  ${paint.dim("·")} ${paint[decision](decision)}${line.slice(decision.length)}` : `    ${line}`,
  );
}

function untrustedLines(name: string, paint: Paint): readonly string[] {
  const says = `${escapeText(name)} is not trusted: its allow rules do not count. \`guarded-sh trust\` records it`;
  return wrapFrom(0, says).map(paint.dim);
}

function branch(
  result: Result,
  index: number,
  margin: string,
  last: boolean,
  paint: Paint,
  misses: ReadonlyMap<number, readonly string[]>,
): string[] {
  const segment = result.segments[index];
  if (segment === undefined) return [];
  const inner = margin + (last ? "   " : "│  ");
  const children = result.segments.flatMap((child, i) => (child.parent === index ? [i] : []));
  const effects = result.effects.filter((effect) => effect.segment === index && effect.decision !== null);
  const notes = [
    ...reasonLines(segment, paint, inner),
    ...effects.flatMap((effect) => effectLines(effect, result.cwd, paint, inner)),
  ];
  for (const miss of segment.decision === "allow" ? [] : (misses.get(index) ?? []))
    notes.push(...noteLines(`near: ${miss}`, paint, inner));
  const lines = [`${margin}${last ? "└─ " : "├─ "}${headLine(segment, margin.length, paint)}`, ...notes];
  children.forEach((child, i) => {
    lines.push(...branch(result, child, inner, i === children.length - 1, paint, misses));
  });
  return lines;
}

function headLine(segment: ResultSegment, margin: number, paint: Paint): string {
  const via = segment.via.at(-1);
  const place = via === undefined || via === ";" ? "" : `${paint.dim(via)} `;
  const origin = segment.origin === "text" || segment.origin === "wrapper" ? "" : paint.dim(` (${segment.origin})`);
  const text = escapeText(segment.text);
  const room =
    WIDTH -
    margin -
    3 -
    6 -
    (via === undefined || via === ";" ? 0 : via.length + 1) -
    (origin === "" ? 0 : segment.origin.length + 3);
  return `${paint[segment.decision](segment.decision.padEnd(5))} ${place}${shorten(text, Math.max(20, room))}${origin}`;
}

/** The reasons that decided, others of the same strictness too. That there is no policy is said once, at the end. */
function reasonLines(segment: ResultSegment, paint: Paint, margin: string): string[] {
  const deciding = segment.because.filter(({ kind, decision }) => decision === segment.decision && kind !== "off");
  return deciding.flatMap((reason) => noteLines(reasonText(reason, segment), paint, margin));
}

/** A sentence below a segment, whole on as many lines as it takes: what is left out of it is what somebody looks for. */
function noteLines(text: string, paint: Paint, margin: string): readonly string[] {
  return wrapFrom(margin.length + 3, escapeText(text)).map((line) => `${margin}   ${paint.dim(line)}`);
}

function reasonText(reason: ResultReason, segment: ResultSegment): string {
  const prefix =
    reason.kind === "default" && segment.prefix !== ""
      ? ` (prefix \`${shorten(segment.prefix, LONGEST_SUBJECT)}\`)`
      : "";
  const code = reason.code === undefined ? "" : `${reason.code}: `;
  return `${code}${reason.message}${prefix}`;
}

function effectLines(effect: ResultEffect, cwd: string, paint: Paint, margin: string): readonly string[] {
  const decision = effect.decision ?? "allow";
  const why = effect.because[0]?.message ?? "";
  const lines = wrapFrom(margin.length + 3, escapeText(`${decision} ${effectText(effect, cwd)}: ${why}`));
  return lines.map((line, i) =>
    i === 0 ? `${margin}   ${paint[decision](decision)}${line.slice(decision.length)}` : `${margin}   ${line}`,
  );
}

/** The tool and the path, one that came out of a text no longer than a line. */
export function effectText({ tool, path }: ResultEffect, cwd: string): string {
  return `${tool} ${shorten(pathFrom(cwd, path), LONGEST_SUBJECT)}`;
}

/** A path below the directory, as it is named there. */
export function pathFrom(cwd: string, path: string): string {
  return path !== cwd && isInside(path, cwd) ? path.slice(cwd.endsWith("/") ? cwd.length : cwd.length + 1) : path;
}
