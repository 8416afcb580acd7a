import { escapeText, positionOf } from "../../text/index.ts";
import type { Rule } from "../rule.ts";

/** A rule in a sentence: `` deny `rm *` ``. */
export function ruleText({ decision, tool, pattern, flags, does }: Rule): string {
  const about = tool === "bash" ? "" : `${tool} `;
  const options = flags.length === 0 ? "" : ` with ${flags.join(" or ")}`;
  const doing = does.length === 0 ? "" : ` that does ${does.join(", ")}`;
  return `${decision} \`${escapeText(about + pattern)}\`${options}${doing}`;
}

/** The line that a rule stands in. */
export function placeText({ origin }: Rule): string {
  return `line ${positionOf(origin.source, origin.span.start).line}`;
}
