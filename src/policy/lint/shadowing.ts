import { allMadeFrom } from "../audit/made-from.ts";
import { DECISIONS } from "../decision.ts";
import { matchesExample } from "../examples.ts";
import type { Rule } from "../rule.ts";
import type { Check, LintFinding, LintRule } from "./check.ts";
import { coversRule, isBuried } from "../rule-cover.ts";
import { placeText, ruleText } from "./shown.ts";

/** Rules that are never reached, because one in front of them takes all that they would match. */
export const shadowing: Check = ({ rules, document }) =>
  rules.flatMap((narrow, i) => {
    const wide = rules
      .slice(0, i)
      .find(({ rule }) => rule.decision !== narrow.rule.decision && coversRule(rule, narrow.rule));
    if (wide === undefined) return [];
    const buried = document.order === "last-match" && isBuried(narrow.rule, wide.rule);
    return [buried ? buriedFinding(narrow, wide.rule) : findingOf(narrow, wide.rule)];
  });

/** It counts, but does not read so. */
function buriedFinding(narrow: LintRule, wide: Rule): LintFinding {
  return {
    code: "shadowed-rule",
    span: narrow.spanOf("pattern"),
    message: `${ruleText(narrow.rule)} stands in front of ${ruleText(wide)} (${placeText(wide)}), which takes all of it`,
    help: "move it behind that rule: here it counts all the same, elsewhere the last match would decide",
  };
}

/**
 * An allow by `does` in front of a rule that names programs: how much it takes is for the dictionary to say, so it is tried with what the
 * rule is about. Examples of the rule's own are a check of their own.
 */
export const shadowingInPart: Check = ({ rules, setting }) =>
  rules.flatMap((narrow, i) => {
    const { rule } = narrow;
    const laxer = rules.slice(0, i).filter((wide) => isLaxer(wide.rule, rule));
    if (rule.match.length > 0 || rule.command === undefined || rule.catchAll) return [];
    const doing = laxer.filter((wide) => wide.rule.does.length > 0 && !coversRule(wide.rule, rule));
    if (doing.length === 0 || laxer.some((wide) => coversRule(wide.rule, rule))) return [];
    for (const text of allMadeFrom(rule, setting)) {
      const first = doing.find((wide) => matchesExample(wide.rule, text, setting));
      if (first !== undefined) return [partFinding(narrow, first.rule, text)];
    }
    return [];
  });

function isLaxer(wide: Rule, rule: Rule): boolean {
  return wide.command !== undefined && DECISIONS.indexOf(wide.decision) < DECISIONS.indexOf(rule.decision);
}

function partFinding({ rule, spanOf }: LintRule, wide: Rule, text: string): LintFinding {
  return {
    code: "shadowed-in-part",
    span: spanOf(rule.does.length > 0 ? "does" : rule.pattern === "*" ? "flags" : "pattern"),
    message: `${ruleText(rule)} is not reached by \`${text}\`: ${ruleText(wide)} (${placeText(wide)}) takes it first`,
    help: "move it in front of that rule; a `match` example says what it has to decide",
  };
}

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
