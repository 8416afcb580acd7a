import { statSync } from "node:fs";
import { type Checked, check, checkRequest, type Guard, guardAt } from "../guard.ts";
import { type Case, type ExampleSetting, matchesExample, type Reason, type Rule, rulesOf } from "../policy/index.ts";
import { isPreset, placeOf, shownPath } from "./place.ts";

export type Outcome = "pass" | "fail" | "error" | "skipped";

/** What became of one case or of one example of a rule. */
export interface CaseResult {
  /** `file:line`. */
  readonly source: string;
  readonly command: string;
  readonly outcome: Outcome;
  /** Why it did not pass, a line each. */
  readonly why: readonly string[];
}

/** Which rules were reached, by their ids. */
export type Reached = Set<string>;

/** Judges one case. A case that cannot be judged is an error, one that is known to fail is skipped. */
export function runCase(guard: Guard, wanted: Case, reached: Reached): CaseResult {
  const done = (outcome: Outcome, why: readonly string[] = []): CaseResult => ({
    source: placeOf(wanted.origin),
    command: wanted.command,
    outcome,
    why,
  });
  try {
    const fault = faultOf(guard, wanted);
    if (fault !== undefined) return done("error", [fault]);
    const why = judge(wanted.cwd === undefined ? guard : guardAt(guard, wanted.cwd), wanted, reached);
    if (wanted.todo !== undefined) return done("skipped", [why.length === 0 ? "it passes now" : wanted.todo || "todo"]);
    return done(why.length === 0 ? "pass" : "fail", why);
  } catch (error) {
    return done("error", [error instanceof Error ? error.message : String(error)]);
  }
}

function faultOf({ loaded, surroundings }: Guard, { cwd, rule }: Case): string | undefined {
  if (cwd !== undefined && !isDirectory(guardPath(surroundings.cwd, cwd))) return `\`${cwd}\` is not a directory`;
  const known = rule === undefined || /^[a-z]+(-[a-z]+)+$/.test(rule);
  if (known || rulesOf(loaded.policy).some((entry) => namesRule(rule, entry.rule))) return undefined;
  return `\`${rule}\` is no rule of this policy`;
}

function guardPath(cwd: string, path: string): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function judge(guard: Guard, wanted: Case, reached: Reached): string[] {
  if (wanted.tool !== "bash") {
    const { decision, because } = checkRequest(guard, wanted.tool, wanted.command);
    note(because, reached);
    return [...decisionFault(guard, wanted, decision, because), ...ruleFault(guard, wanted, decision, because)];
  }
  const checked = check(guard, wanted.command);
  const reasons = reasonsOf(checked);
  note(reasons, reached);
  const { decision } = checked.evaluation;
  return [
    ...decisionFault(guard, wanted, decision, reasons),
    ...ruleFault(guard, wanted, decision, reasons),
    ...segmentFault(wanted, checked),
  ];
}

function reasonsOf({ evaluation }: Checked): readonly Reason[] {
  return [...evaluation.verdicts, ...evaluation.effects, evaluation].flatMap(({ because }) => [...because]);
}

function note(reasons: readonly Reason[], reached: Reached): void {
  for (const reason of reasons) if ("rule" in reason) reached.add(reason.rule.id);
}

function decisionFault(guard: Guard, wanted: Case, decision: string, reasons: readonly Reason[]): string[] {
  const { decisions, rule } = wanted;
  if (decisions.some((word) => word === decision)) return [];
  const by = rule === undefined ? `, decided by ${decidedBy(guard, decision, reasons)}` : "";
  return [`${decision}, expected ${decisions.join(" or ")}${by}`];
}

function ruleFault(guard: Guard, { rule }: Case, decision: string, reasons: readonly Reason[]): string[] {
  if (rule === undefined) return [];
  const deciding = reasons.filter((reason) => reason.decision === decision);
  if (deciding.some((reason) => namesReason(rule, reason))) return [];
  return [`expected ${rule}, decided by ${decidedBy(guard, decision, reasons)}`];
}

function decidedBy({ surroundings: { cwd, home } }: Guard, decision: string, reasons: readonly Reason[]): string {
  const deciding = reasons.filter((reason) => reason.decision === decision);
  return [...new Set(deciding.map((reason) => nameOf(reason, (place) => shownPath(place, cwd, home))))].join(", ");
}

function namesReason(name: string, reason: Reason): boolean {
  if ("rule" in reason) return namesRule(name, reason.rule);
  return reason.kind === "finding" ? reason.finding.code === name : reason.kind === name;
}

function namesRule(name: string | undefined, rule: Rule): boolean {
  if (name === undefined) return false;
  const place = placeOf(rule.origin);
  return rule.pattern === name || place === name || place.endsWith(`/${name}`);
}

function nameOf(reason: Reason, shown: (place: string) => string): string {
  if ("rule" in reason) return `\`${reason.rule.pattern}\` (${shown(placeOf(reason.rule.origin))})`;
  if (reason.kind === "default") return "the default";
  return reason.kind === "finding" ? reason.finding.code : reason.kind;
}

function segmentFault({ segments }: Case, { result }: Checked): string[] {
  if (segments === undefined) return [];
  const found = result.segments.map(({ argv }) => argv.join(" ")).filter((text) => text !== "");
  if (JSON.stringify(found) === JSON.stringify(segments)) return [];
  return [`segments ${JSON.stringify(found)}, expected ${JSON.stringify(segments)}`];
}

/** Judges the examples of every rule that is not a preset's, against the rule alone, and as a text for coverage. */
export function runExamples(guard: Guard, reached: Reached): readonly CaseResult[] {
  const { cwd, home, env, entries } = guard.surroundings;
  const setting: ExampleSetting = { cwd, home, env, entries };
  return rulesOf(guard.loaded.policy)
    .filter(({ document }) => !isPreset(document))
    .flatMap(({ rule }) => [
      ...rule.match.map((example) => runExample(guard, rule, example, true, setting, reached)),
      ...rule.notMatch.map((example) => runExample(guard, rule, example, false, setting, reached)),
    ]);
}

function runExample(
  guard: Guard,
  rule: Rule,
  { text, span }: Rule["match"][number],
  wanted: boolean,
  setting: ExampleSetting,
  reached: Reached,
): CaseResult {
  if (rule.command !== undefined) note(reasonsOf(check(guard, text)), reached);
  else
    note(checkRequest(guard, rule.toolPattern.pattern.includes("*") ? "file_read" : rule.tool, text).because, reached);
  const right = matchesExample(rule, text, setting) === wanted;
  const says = wanted ? `\`${rule.pattern}\` does not match it` : `\`${rule.pattern}\` matches it`;
  const source = placeOf({ source: rule.origin.source, span });
  return { source, command: text, outcome: right ? "pass" : "fail", why: right ? [] : [says] };
}
