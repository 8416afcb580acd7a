/** What a policy says of a request; the order is the strictness. */
export const DECISIONS = ["allow", "ask", "deny"] as const;
export type Decision = (typeof DECISIONS)[number];

/** Whether a text is one of the three decisions. */
export function isDecision(text: unknown): text is Decision {
  return text === "allow" || text === "ask" || text === "deny";
}

/** The stricter of two decisions. */
export function stricter(a: Decision, b: Decision): Decision {
  if (a === "deny" || b === "deny") return "deny";
  return a === "ask" || b === "ask" ? "ask" : "allow";
}

/** The strictest of all; `allow` for none, so a caller must know that none is fine. */
export function strictest(decisions: Iterable<Decision>): Decision {
  let result: Decision = "allow";
  for (const decision of decisions) result = stricter(result, decision);
  return result;
}
