import type { Decision } from "./decision.ts";
import type { Reason } from "./reason.ts";
import type { Document, Policy, Rule } from "./rule.ts";
import { isBuried } from "./rule-cover.ts";
import type { RuleIndex } from "./rule-index.ts";
import type { Certainty } from "./wildcard.ts";

/** What the documents say of one request. */
export interface Vote {
  readonly reasons: readonly Reason[];
  /** A rule that counts certainly matches: no default is needed. */
  readonly decided: boolean;
}

/** Positions of the rules that can match at all. */
type Select = (index: RuleIndex) => readonly number[];
type Match = (rule: Rule) => Certainty;

/**
 * Asks every document. Inside one the order decides: a rule that possibly matches adds its decision to the candidates and the
 * walk goes on, the first one that certainly matches ends it.
 */
export function voteOf(policy: Policy, select: Select, match: Match): Vote {
  const reasons: Reason[] = [];
  let decided = false;
  for (const document of policy.documents) {
    if (document.off) continue;
    const vote = voteOfDocument(document, select, match, document.trusted);
    reasons.push(...vote.reasons);
    decided ||= vote.decided;
  }
  return { reasons, decided };
}

function voteOfDocument(document: Document, select: Select, match: Match, trusted: boolean): Vote {
  const reasons: Reason[] = [];
  const { rules } = document;
  const selected = select(document.index);
  const forwards = document.order === "first-match";
  for (let i = 0; i < selected.length; i++) {
    const rule = rules[selected[forwards ? i : selected.length - 1 - i] as number] as Rule;
    const certainty = match(rule);
    if (certainty === "no") continue;
    if (certainty === "possibly") {
      // An allow that may not match is no permission.
      if (rule.decision !== "allow" && rule.certain !== true) reasons.push(possible(rule, rule.decision));
      continue;
    }
    // INVARIANT: an untrusted document only tightens; its allow ends its own walk and gives nothing.
    if (!forwards) reasons.push(...buriedDenies(rules, selected.slice(0, selected.length - 1 - i), rule, match));
    if (rule.decision === "allow" && !trusted) return { reasons, decided: false };
    reasons.push({ kind: "rule", decision: rule.decision, rule });
    return { reasons, decided: true };
  }
  let decided = false;
  for (const base of document.bases) {
    const vote = voteOfDocument(base, select, match, trusted);
    reasons.push(...vote.reasons);
    decided ||= vote.decided;
  }
  return { reasons, decided };
}

/**
 * In a document whose last match decides, a deny in front of an allow that takes all of it could never count. Whoever wrote
 * `git push *` → deny and then `git *` → allow means the deny all the same; only `*` is meant to undo what was said before.
 */
function buriedDenies(rules: readonly Rule[], before: readonly number[], by: Rule, match: Match): Reason[] {
  if (by.decision !== "allow" || by.catchAll) return [];
  return before.flatMap((index): Reason[] => {
    const rule = rules[index] as Rule;
    const certainty = rule.decision === "deny" ? match(rule) : "no";
    if (certainty === "no" || !isBuried(rule, by)) return [];
    return [certainty === "certainly" ? { kind: "buried-deny", decision: "deny", rule, by } : possible(rule, "deny")];
  });
}

function possible(rule: Rule, decision: "ask" | "deny"): Reason {
  return { kind: decision === "deny" ? "possible-deny" : "possible-ask", decision: "ask", rule };
}

/** Whether no document says anything at all: everything runs. */
export function isOff(policy: Policy): boolean {
  return policy.documents.every((document) => document.off);
}

/** The innermost default that counts. Without one the answer is to ask: a document was there, and it gave no leave. */
export function defaultOf(policy: Policy): Reason & { readonly kind: "default" } {
  const document = policy.documents.findLast(
    (candidate) => !candidate.off && candidate.trusted && candidate.otherwise !== undefined,
  );
  const decision: Decision = document?.otherwise ?? "ask";
  return { kind: "default", decision, document: document?.name ?? "built-in" };
}
