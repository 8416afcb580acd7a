import { escapeText, isInside, shorten } from "../text/index.ts";
import type { Result, ResultEffect, ResultReason, ResultSegment } from "./result.ts";

/** How words are coloured; `plain` leaves them as they are. */
export interface Paint {
  readonly allow: (text: string) => string;
  readonly ask: (text: string) => string;
  readonly deny: (text: string) => string;
  readonly dim: (text: string) => string;
}

export const plain: Paint = { allow: String, ask: String, deny: String, dim: String };

const WIDTH = 100;

/** A judged text as a tree for people: the decision, then every segment with its reason, the ones inside it below it. */
export function renderTree(
  result: Result,
  paint: Paint,
  nearMisses: ReadonlyMap<number, readonly string[]> = new Map(),
): string {
  const lines = [`${paint[result.decision](result.decision)}  ${escapeText(shorten(result.command, WIDTH - 8))}`];
  for (const reason of result.because)
    lines.push(`  ${paint.dim("·")} ${paint[reason.decision](reason.decision)}  ${clip(reason.message, 12)}`);
  const roots = result.segments.flatMap((segment, index) => (segment.parent === null ? [index] : []));
  roots.forEach((index, i) => {
    lines.push(...branch(result, index, "", i === roots.length - 1, paint, nearMisses));
  });
  if (result.off) lines.push(paint.dim("there is no policy: everything runs. `guarded-sh init` writes one"));
  for (const name of result.untrusted ?? [])
    lines.push(paint.dim(`${name} is not trusted: its allow rules do not count. \`guarded-sh trust\` records it`));
  return lines.join("\n");
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
    ...effects.map((effect) => effectLine(effect, result.cwd, paint, inner)),
  ];
  for (const miss of segment.decision === "allow" ? [] : (misses.get(index) ?? []))
    notes.push(`${inner}${paint.dim(`   near: ${clip(miss, inner.length + 9)}`)}`);
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

/** The reasons that decided; others of the same strictness are listed too, laxer ones only say that they were there. */
function reasonLines(segment: ResultSegment, paint: Paint, margin: string): string[] {
  const deciding = segment.because.filter((reason) => reason.decision === segment.decision);
  return deciding.map((reason) => `${margin}   ${paint.dim(clip(reasonText(reason, segment), margin.length + 3))}`);
}

function reasonText(reason: ResultReason, segment: ResultSegment): string {
  const prefix =
    reason.kind === "default" && segment.prefix !== "" ? ` (prefix \`${escapeText(segment.prefix)}\`)` : "";
  const code = reason.code === undefined ? "" : `${reason.code}: `;
  return `${code}${reason.message}${prefix}`;
}

function effectLine(effect: ResultEffect, cwd: string, paint: Paint, margin: string): string {
  const decision = effect.decision ?? "allow";
  const why = effect.because[0]?.message ?? "";
  return `${margin}   ${paint[decision](decision)} ${clip(`${effect.tool} ${pathFrom(cwd, effect.path)}: ${why}`, margin.length + 10)}`;
}

/** A path below the directory, as it is named there. */
export function pathFrom(cwd: string, path: string): string {
  return path !== cwd && isInside(path, cwd) ? path.slice(cwd.endsWith("/") ? cwd.length : cwd.length + 1) : path;
}

function clip(text: string, taken: number): string {
  return shorten(escapeText(text), Math.max(30, WIDTH - taken));
}
