import type { Check, LintFinding, LintRule } from "./check.ts";
import { ruleText } from "./shown.ts";

/** Patterns that no single command can match as they are written. */
export const patternText: Check = ({ rules }) =>
  rules.filter(({ rule }) => rule.tool === "bash").flatMap((linted) => faultOf(linted) ?? []);

function faultOf(linted: LintRule): LintFinding | undefined {
  return operatorIn(linted) ?? foreignSyntax(linted) ?? quotes(linted) ?? blanks(linted);
}

const OPERATOR = /(?:^|\s)(?:&&|\|\|?|;|&)(?:\s|$)|;\s|\$\(/;

function operatorIn({ rule, spanOf }: LintRule): LintFinding | undefined {
  const found = OPERATOR.exec(rule.pattern)?.[0].trim();
  if (found === undefined) return undefined;
  return {
    code: "never-matches",
    span: spanOf("pattern"),
    message: `${ruleText(rule)} holds \`${found}\`: commands are judged one by one, and none contains an operator`,
    help: "write a rule for each command, or for the one that must not run",
  };
}

function foreignSyntax({ rule, spanOf }: LintRule): LintFinding | undefined {
  const { pattern } = rule;
  const prefix = /^([^*?]*[^*?\s:]):\*$/.exec(pattern)?.[1];
  const narrow = prefix === undefined ? undefined : `${prefix} *`;
  if (narrow !== undefined) {
    return {
      code: "foreign-syntax",
      span: spanOf("pattern"),
      message: `${ruleText(rule)} ends in \`:*\`, which is no prefix here`,
      // No mend by itself: an allow would grow, and a deny of `npm run deploy:*` means `deploy:prod` as it stands.
      help: `write \`${narrow}\``,
    };
  }
  if (!/^\^| \.\*$|\\[bdsw]|\([^)]*\|[^)]*\)|^[A-Z]\w*\(.*\)$|^\/.*\/$/.test(pattern)) return undefined;
  return {
    code: "foreign-syntax",
    span: spanOf("pattern"),
    message: `${ruleText(rule)} reads like a regular expression; only \`*\` and \`?\` are more than themselves`,
    help: "write the words with `*` for what varies, one rule for each alternative",
  };
}

function quotes({ rule, spanOf }: LintRule): LintFinding | undefined {
  const quote = /["'`]|\\[\s"'$*?]/.exec(rule.pattern)?.[0];
  if (quote === undefined) return undefined;
  return {
    code: "quoted-pattern",
    span: spanOf("pattern"),
    message: `${ruleText(rule)} holds \`${quote}\`: quotes are removed before words are compared`,
    help: "write the words as the program gets them",
  };
}

function blanks({ rule, spanOf, table }: LintRule): LintFinding | undefined {
  const { pattern } = rule;
  const mended = pattern.trim().replace(/\s+/g, " ");
  if (mended === pattern || mended === "") return undefined;
  return {
    code: "stray-blank",
    span: spanOf("pattern"),
    message: `${ruleText(rule)} has a blank that no command has: words are joined by one`,
    help: `write \`${mended}\``,
    // As it stands the rule matches nothing: an allow that begins to is for its author to write.
    ...(table === undefined || rule.decision === "allow"
      ? {}
      : { fix: { span: spanOf("pattern"), text: JSON.stringify(mended) } }),
  };
}
