import { escapeLines, escapeText, shorten } from "../text/index.ts";
import type { DenialKind, Result, ResultReason } from "./result.ts";

/** One thing that keeps a text from running. */
export interface Refusal {
  readonly span: readonly [number, number] | undefined;
  readonly decision: "ask" | "deny";
  readonly reason: ResultReason;
  /** What it is about, for texts whose span says too little: the path of an effect, the inner command. */
  readonly subject: string;
}

/** Everything that keeps a judged text from running, the strictest and then the first in the text in front. */
export function refusalsOf(result: Result): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const add = (span: Refusal["span"], subject: string, because: readonly ResultReason[]) => {
    const [reason] = because;
    if (reason !== undefined && reason.decision !== "allow")
      refusals.push({ span: reason.span ?? span, decision: reason.decision, reason, subject });
  };
  for (const reason of result.because) add(undefined, "", [reason]);
  for (const segment of result.segments) add(segment.span, segment.text, segment.because);
  for (const effect of result.effects) add(effect.span, `${effect.tool} ${effect.path}`, effect.because);
  const rank = (refusal: Refusal) => (refusal.decision === "deny" ? 0 : 1);
  // What would only have been asked about is no news once something is denied.
  const deciding = refusals.some(({ decision }) => decision === "deny")
    ? refusals.filter(({ decision }) => decision === "deny")
    : refusals;
  return deciding.sort((a, b) => rank(a) - rank(b) || (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0));
}

const HEADS: Readonly<Record<DenialKind, string>> = {
  rule: "denied, nothing was run",
  finding: "denied, nothing was run",
  default: "denied, nothing was run",
  "ask-unavailable": "needs approval and nobody can give it, nothing was run",
  "ask-timeout": "nobody answered in time, nothing was run",
  rejected: "rejected by a person, nothing was run; do not try it again",
  corrected: "rejected by a person with a correction, nothing was run",
  cascade: "rejected together with another request of this session, nothing was run",
  cancelled: "cancelled before it was decided, nothing was run",
  failed: "failed, nothing was run",
};

const MOST_REFUSALS = 3;

/** The text of a denial: short, what was refused first, the same for every agent. `rules` as a policy file has them. */
export function denialText(result: Result, kind: DenialKind, feedback?: string, rules: readonly string[] = []): string {
  const refusals = refusalsOf(result);
  const shownRefusals = refusals.slice(0, MOST_REFUSALS);
  const lines = [`guarded-sh: ${HEADS[kind]}`];
  for (const refusal of shownRefusals) lines.push(...refusalLines(result.command, refusal));
  if (refusals.length > shownRefusals.length) lines.push(`  and ${refusals.length - shownRefusals.length} more`);
  if (feedback !== undefined) lines.push(`correction: ${escapeLines(feedback)}`);
  lines.push(...adviceLines(shownRefusals, kind, rules));
  return lines.join("\n");
}

const WIDTH = 96;

/** The line of the command with carets under the part, and the reason beside or below them. */
function refusalLines(command: string, { span, reason, subject }: Refusal): string[] {
  if (span === undefined) return [`  ${escapeText(shorten(command, WIDTH - 2))}`, `  ${escapeText(reason.message)}`];
  const start = command.lastIndexOf("\n", span[0] - 1) + 1;
  const lineEnd = command.indexOf("\n", span[0]);
  const end = lineEnd < 0 ? command.length : lineEnd;
  const from = Math.max(start, Math.min(span[0] - 40, end - WIDTH));
  const before = (from > start ? "…" : "") + escapeText(command.slice(from, span[0]));
  const marked = escapeText(command.slice(span[0], Math.min(Math.max(span[1], span[0] + 1), end)));
  const after = escapeText(command.slice(Math.min(span[1], end), end));
  const line = shorten(`${before}${marked}${after}`, WIDTH);
  const carets = "^".repeat(Math.max(1, Math.min(marked.length, WIDTH - before.length)));
  const inner = isShown(command.slice(span[0], span[1]), subject)
    ? ""
    : `in it \`${escapeText(shorten(subject, 60))}\`: `;
  const why = `${inner}${escapeText(reason.message)}`;
  const under = `  ${" ".repeat(before.length)}${carets}`;
  return under.length + why.length < 100 ? [`  ${line}`, `${under} ${why}`] : [`  ${line}`, under, `  ${why}`];
}

function isShown(text: string, subject: string): boolean {
  return subject === "" || text === subject;
}

function adviceLines(refusals: readonly Refusal[], kind: DenialKind, rules: readonly string[]): string[] {
  const reasons = [...new Set(refusals.flatMap(({ reason }) => reason.reason ?? []))];
  const suggests = [...new Set(refusals.flatMap(({ reason }) => reason.suggest ?? []))];
  const lines = reasons.map((reason) => `reason: ${escapeText(reason)}`);
  if (suggests.length > 0) lines.push(...suggests.map((suggest) => `do instead: ${escapeText(suggest)}`));
  else if (rules.length > 0) {
    lines.push(
      `do instead: ask the user to run it, or to add ${rules.length === 1 ? "a rule" : "rules"} to the policy`,
    );
    lines.push(...rules.slice(0, MOST_REFUSALS).map((rule) => `add a rule: ${escapeText(shorten(rule, 200))}`));
  } else if (kind === "ask-unavailable") {
    const open = refusals.find(({ reason }) => reason.kind === "default");
    const what = open === undefined || open.subject === "" ? "this" : `\`${escapeText(shorten(open.subject, 60))}\``;
    lines.push(`do instead: ask the user to add a rule that allows ${what}, or to run it`);
  }
  return lines;
}
