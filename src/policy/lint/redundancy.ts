import { segmentsOf } from "../../segment/index.ts";
import { absolutePath } from "../../text/index.ts";
import { matchSegment } from "../match.ts";
import type { Rule } from "../rule.ts";
import { SegmentViews } from "../views.ts";
import type { Check, Linted, LintFinding, LintRule } from "./check.ts";
import { coversRule, mayOverlap } from "../rule-cover.ts";
import { placeText, ruleText } from "./shown.ts";

/** Rules that decide nothing another one would not decide the same way. */
export const redundancy: Check = (linted) => linted.rules.flatMap((_, i) => redundantAt(linted, i) ?? []);

function redundantAt({ rules, setting }: Linted, i: number): LintFinding | undefined {
  const own = rules[i] as LintRule;
  const { rule } = own;
  const before = rules.slice(0, i).find((other) => sameDecision(other.rule, rule) && coversRule(other.rule, rule));
  if (before !== undefined) return findingOf(own, before.rule, "in front of it", true);
  const meant = rules
    .slice(0, i)
    .find(
      (other) =>
        sameDecision(other.rule, rule) && rule.decision !== "allow" && coversByMeaning(other.rule, rule, setting),
    );
  if (meant !== undefined) return findingOf(own, meant.rule, "in front of it, which sees every spelling,", false);
  const after = rules.slice(i + 1).findIndex((other) => saysTheSame(other.rule, rule) && coversRule(other.rule, rule));
  if (after < 0) return undefined;
  // Between them another decision may take a part: then this one is its exception.
  const between = rules.slice(i + 1, i + 1 + after);
  if (between.some((other) => other.rule.decision !== rule.decision && mayOverlap(other.rule, rule))) return undefined;
  return findingOf(own, (rules[i + 1 + after] as LintRule).rule, "behind it", true);
}

function sameDecision(a: Rule, b: Rule): boolean {
  // An allow that spells a program's path lets pass what one that does not spell it only asks about.
  return a.decision === b.decision && (a.decision !== "allow" || spellsPath(a) || !spellsPath(b));
}

function spellsPath({ command }: Rule): boolean {
  return command?.words[command.assignments]?.includes("/") ?? false;
}

/** What a refused caller is told is a difference of its own. */
function saysTheSame(a: Rule, b: Rule): boolean {
  return sameDecision(a, b) && (b.reason ?? a.reason) === a.reason && (b.suggest ?? a.suggest) === a.suggest;
}

/** A reason, a suggestion or examples are worth keeping, so such a rule is not taken out by itself. */
function findingOf({ rule, table, spanOf }: LintRule, other: Rule, where: string, certain: boolean): LintFinding {
  const plain =
    rule.reason === undefined && rule.suggest === undefined && rule.match.length + rule.notMatch.length === 0;
  const text = table === undefined ? "#" : rule.origin.source.text.slice(table.start, table.end);
  // A comment in it is worth keeping as well.
  const fix = certain && plain && table !== undefined && !text.includes("#") ? { fix: { span: table, text: "" } } : {};
  return {
    code: "redundant-rule",
    span: spanOf("pattern"),
    message: `${ruleText(rule)} is not needed: ${ruleText(other)} ${where} (${placeText(other)}) takes all of it`,
    help: "take it out",
    relies: other,
    ...fix,
  };
}

/** Whether a deny or ask matches the other's pattern read as a command line, its stars being words nobody knows. */
function coversByMeaning(wide: Rule, narrow: Rule, { cwd, home }: Linted["setting"]): boolean {
  if (wide.command?.meaning === undefined || narrow.command === undefined) return false;
  if (!coversNarrowing(wide, narrow) || !/^[\w./=@:*? -]+$/.test(narrow.pattern)) return false;
  const text = narrow.pattern.replace(/[*?]+/g, '"$_hole"');
  const surroundings = { cwd: absolutePath(cwd), home: absolutePath(home), env: new Map<string, string>() };
  const { segments } = segmentsOf({ name: "pattern", text }, surroundings);
  const [segment] = segments;
  return (
    segments.length === 1 && segment !== undefined && matchSegment(wide, new SegmentViews(segment)) === "certainly"
  );
}

function coversNarrowing(wide: Rule, narrow: Rule): boolean {
  return (
    wide.tool === narrow.tool && wide.does.length === 0 && wide.flags.length === 0 && wide.certain === narrow.certain
  );
}
