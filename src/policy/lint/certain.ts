import type { Check } from "./check.ts";
import { ruleText } from "./shown.ts";

/** `certain` is about what a rule only may match, and there an allow never speaks. */
export const idleCertain: Check = ({ rules }) =>
  rules
    .filter(({ rule }) => rule.decision === "allow" && rule.certain === true)
    .map(({ rule, spanOf }) => ({
      code: "idle-certain",
      span: spanOf("certain"),
      message: `\`certain\` does nothing for ${ruleText(rule)}: an allow never covers what it only may match`,
      help: "take it out",
    }));
