import { applyGrants, exactText } from "../ask/apply-grants.ts";
import { grantRule } from "../ask/grant-rules.ts";
import type { LogEntry } from "../ask/log.ts";
import { prefixPattern, runsOthers } from "../ask/prefix.ts";
import { type Checked, check, type Guard, guardAt } from "../guard.ts";
import type { Decision, Verdict } from "../policy/index.ts";

/** A rule that the log speaks for. */
export interface SuggestedRule {
  readonly tool: string;
  readonly pattern: string;
  readonly action: Decision;
  /** How often a person said so. */
  readonly times: number;
  /** Commands that it was said of, each once. */
  readonly examples: readonly string[];
  readonly reason?: string;
}

/** One command that was asked about and is still asked about. */
interface Case {
  readonly text: string;
  /** The widest pattern that may be stored for it; undefined: only the text itself. */
  readonly widest: string | undefined;
  readonly checked: Checked;
  readonly index: number;
  readonly approved: boolean;
  readonly feedback: string | undefined;
}

const APPROVED = new Set(["once", "always"]);
const REFUSED = new Set(["rejected", "corrected"]);

/**
 * The narrowest rules for what people have answered the same way at least `least` times: the text itself, or the words that all have
 * in common, never less than what names the action. Nothing is proposed for programs that run others, for what some rule already
 * decides, or that would let through what was ever refused.
 */
export function suggestRules(guard: Guard, entries: readonly LogEntry[], least: number): readonly SuggestedRule[] {
  const cases = entries.flatMap((entry) => casesOf(guard, entry));
  const groups = new Map<string, Case[]>();
  for (const one of cases) {
    const key = one.widest ?? `=${one.text}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => [...allowsFor(group, least), ...deniesFor(group, least)]);
}

/** Logged texts are cut there: what is not whole cannot be judged. */
const LONGEST_TEXT = 4096;

function casesOf(guard: Guard, { tool, text, cwd, outcome, feedback }: LogEntry): readonly Case[] {
  const approved = APPROVED.has(outcome);
  if (tool !== "bash" || text.length >= LONGEST_TEXT || !(approved || REFUSED.has(outcome))) return [];
  const checked = check(guardAt(guard, cwd), text);
  return checked.evaluation.verdicts.flatMap((verdict) => {
    const exact = exactText(verdict.segment);
    if (!isOpen(verdict) || exact === undefined || /[*?]/.test(exact) || runsOthers(verdict.segment)) return [];
    const widest = prefixPattern(verdict.segment);
    return [{ text: exact, widest, checked, index: verdict.index, approved, feedback }];
  });
}

/** Only a default asks about it: where a rule asks, somebody wants to be asked. */
function isOpen({ decision, because }: Verdict): boolean {
  return decision === "ask" && because.every(({ kind, decision: each }) => kind === "default" || each === "allow");
}

function allowsFor(group: readonly Case[], least: number): readonly SuggestedRule[] {
  const approved = group.filter((one) => one.approved);
  const refused = group.filter((one) => !one.approved);
  const texts = [...new Set(approved.map(({ text }) => text))];
  if (approved.length < least) return [];
  const common = texts.length > 1 ? commonPattern(texts, approved[0]?.widest) : undefined;
  const patterns = common === undefined ? texts : [common];
  return patterns.flatMap((pattern) => {
    const meant = common === undefined ? approved.filter(({ text }) => text === pattern) : approved;
    if (meant.length < least || refused.some((one) => lets(pattern, one)) || !meant.every((one) => lets(pattern, one)))
      return [];
    return [
      {
        tool: "bash",
        pattern,
        action: "allow" as const,
        times: meant.length,
        examples: [...new Set(meant.map(({ text }) => text))],
      },
    ];
  });
}

/** The words that all texts begin with, and anything behind them; undefined when they do not even share the action. */
function commonPattern(texts: readonly string[], widest: string | undefined): string | undefined {
  if (widest === undefined) return undefined;
  const rows = texts.map((text) => text.split(" "));
  const [first = []] = rows;
  const differing = first.findIndex((word, i) => rows.some((row) => row[i] !== word));
  const shared = first.slice(0, differing < 0 ? first.length : differing);
  const action = widest.replace(/ \*$/, "").split(" ");
  // Options in front of the verb (`git -C a log`): only the action itself is common.
  return action.every((word, i) => shared[i] === word) ? `${shared.join(" ")} *` : widest;
}

/** Whether a rule with that pattern would let a command pass that is asked about now. */
function lets(
  pattern: string,
  { checked: { segmentation, evaluation }, index, text }: Case & { readonly checked: Checked },
): boolean {
  const context = { cwd: "/", home: "/", projectRoot: "/", env: new Map<string, string>() };
  const rule = grantRule(
    { tool: "bash", pattern, exact: pattern === text },
    { home: "/", env: context.env, windows: false },
  );
  const { verdicts } = applyGrants({ segmentation, evaluation, context }, [rule]).evaluation;
  return verdicts[index]?.decision === "allow";
}

/** What was refused each time, with the reason that was given last. */
function deniesFor(group: readonly Case[], least: number): readonly SuggestedRule[] {
  const texts = [...new Set(group.map(({ text }) => text))];
  return texts.flatMap((text) => {
    const same = group.filter((one) => one.text === text);
    if (same.length < least || same.some(({ approved }) => approved)) return [];
    const feedback = same.findLast((one) => one.feedback !== undefined)?.feedback;
    const reason = feedback === undefined ? {} : { reason: feedback };
    return [{ tool: "bash", pattern: text, action: "deny" as const, times: same.length, examples: [text], ...reason }];
  });
}
