import { segmentsOf } from "../../segment/index.ts";
import { absolutePath } from "../../text/index.ts";
import { type ExampleSetting, exampleHome, matchesExample } from "../examples.ts";
import { matchSegment } from "../match.ts";
import type { Rule } from "../rule.ts";
import { SegmentViews } from "../views.ts";
import type { Check, LintFinding } from "./check.ts";
import { placeText, ruleText } from "./shown.ts";

/** What can ask when nobody can answer: under `--approver none` each of them is a denial with a question's name. */
export const unanswerable: Check = ({ document, rules, unattended }) => {
  if (!unattended) return [];
  const found: LintFinding[] = rules
    .filter(({ rule }) => rule.decision === "ask")
    .map(({ rule, spanOf }) => ({
      code: "ask-unanswerable",
      span: spanOf("action"),
      message: `${ruleText(rule)}: nobody can answer under \`--approver none\``,
      help: "decide it: allow or deny",
    }));
  if (document.off || (document.otherwise ?? "ask") !== "ask" || document.bases.length > 0) return found;
  const message = "what no rule speaks about is asked, and nobody can answer under `--approver none`";
  return [
    ...found,
    { code: "ask-unanswerable", span: document.origin.span, message, help: 'write default_action = "deny"' },
  ];
};

/** An example that shows what a rule decides, and that a rule in front of it decides otherwise. */
export const examplesReached: Check = ({ rules, setting }) =>
  rules.flatMap(({ rule }, i) =>
    rule.match.flatMap(({ text, span }) => {
      const matches = matcherOf(rule, text, setting);
      const first = rules.slice(0, i).find((other) => other.rule.tool === rule.tool && matches(other.rule));
      if (first === undefined || first.rule.decision === rule.decision) return [];
      return [
        {
          code: "example-not-reached" as const,
          span,
          message: `\`${text}\` never gets to ${ruleText(rule)}: ${ruleText(first.rule)} (${placeText(first.rule)}) decides it`,
          help: "move this rule in front of that one, or take the example out",
        },
      ];
    }),
  );

/** Whether another rule matches the very part of an example that this rule matches. */
function matcherOf(rule: Rule, text: string, setting: ExampleSetting): (other: Rule) => boolean {
  if (rule.command === undefined) return (other) => matchesExample(other, text, setting);
  const matched = (other: Rule) =>
    viewsOf(text, setting, exampleHome(other, setting)).map((view) => matchSegment(other, view) === "certainly");
  const meant = matched(rule);
  if (!meant.includes(true)) return () => false;
  return (other) => matched(other).every((matches, i) => matches || meant[i] !== true);
}

/** The segments of an example, as a home makes them. */
function viewsOf(text: string, setting: ExampleSetting, home: string): readonly SegmentViews[] {
  const surroundings = { ...setting, cwd: absolutePath(setting.cwd), home: absolutePath(home) };
  return segmentsOf({ name: "example", text }, surroundings).segments.map((segment) => new SegmentViews(segment));
}

/** Rules whose meaning nobody has written down. */
export const withoutExamples: Check = ({ rules }) =>
  rules
    .filter(({ rule, table }) => rule.match.length === 0 && table !== undefined && !rule.catchAll)
    .map(({ rule, spanOf }) => ({
      code: "no-examples",
      span: spanOf("pattern"),
      message: `${ruleText(rule)} has no example`,
      help: 'add match = ["…"]: it is tested whenever the policy loads',
    }));

/** What a failed `guarded-sh policy import … > guarded-sh.toml` leaves behind. */
export const guardsNothing: Check = ({ document }) => {
  if (!document.off) return [];
  const span = { start: 0, end: 1 };
  const help = 'write [permissions] with default_action = "ask"';
  return [{ code: "guards-nothing", span, message: "the file has no `[permissions]`: it guards nothing", help }];
};
