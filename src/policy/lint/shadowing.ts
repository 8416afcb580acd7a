import { DECISIONS } from "../decision.ts";
import type { Rule } from "../rule.ts";
import type { Check, LintFinding, LintRule } from "./check.ts";
import { coversRule } from "./rule-cover.ts";
import { placeText, ruleText } from "./shown.ts";

/** Rules that are never reached, because one in front of them takes all that they would match. */
export const shadowing: Check = ({ rules }) =>
  rules.flatMap((narrow, i) => {
    const wide = rules
      .slice(0, i)
      .find(({ rule }) => rule.decision !== narrow.rule.decision && coversRule(rule, narrow.rule));
    return wide === undefined ? [] : [findingOf(narrow, wide.rule)];
  });

function findingOf(narrow: LintRule, wide: Rule): LintFinding {
  const { rule } = narrow;
  const span = narrow.spanOf("pattern");
  const by = `${ruleText(wide)} (${placeText(wide)})`;
  const laxer = DECISIONS.indexOf(wide.decision) < DECISIONS.indexOf(rule.decision);
  if (laxer) {
    return {
      code: "shadowed-rule",
      span,
      message: `${ruleText(rule)} is never reached: ${by} takes all of it first`,
      help: "move it in front of that rule",
    };
  }
  if (wide.catchAll) {
    return {
      code: "unreachable-rule",
      span,
      message: `${ruleText(rule)} is never reached: ${by} takes everything`,
      help: "move it in front of that rule, or take it out",
    };
  }
  return {
    code: rule.decision === "allow" ? "pointless-allow" : "unreachable-rule",
    span,
    message: `${ruleText(rule)} never decides: ${by} takes all of it first`,
    help: "move it in front of that rule if it is meant as an exception, or take it out",
  };
}
