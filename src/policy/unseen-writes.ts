import type { Segment } from "../segment/segment.ts";
import type { Doing } from "../segment/spec.ts";
import type { Reason } from "./reason.ts";
import type { Policy, Rule } from "./rule.ts";
import { type Vote, voteOf } from "./vote.ts";

const RUNS_CODE: ReadonlySet<Doing> = new Set<Doing>(["runs", "obeys"]);

/**
 * Where a policy forbids every write, a program that runs code (`python3 x.py`, `make`) may write all the same, and nobody has
 * seen what. An allow that names the program has been thought about; `*` and a default have not.
 */
export function unseenWrites({ reading }: Segment, vote: Vote, policy: Policy): Reason | undefined {
  if (!reading?.does.some((doing) => RUNS_CODE.has(doing))) return undefined;
  const named = vote.reasons.some((reason) => reason.kind === "rule" && !reason.rule.catchAll);
  const rule = named ? undefined : forbidding(policy);
  return rule && { kind: "unseen-writes", decision: "ask", rule };
}

const known = new WeakMap<Policy, Rule | undefined>();

/** The rule that denies every write that no other rule speaks about. */
function forbidding(policy: Policy): Rule | undefined {
  if (!known.has(policy)) known.set(policy, findForbidding(policy));
  return known.get(policy);
}

function findForbidding(policy: Policy): Rule | undefined {
  const { reasons } = voteOf(
    policy,
    (index) => index.effects,
    (rule) => (rule.effects.file_write && rule.catchAll && !rule.everyTool ? "certainly" : "no"),
  );
  const found = reasons.find((reason) => reason.kind === "rule" && reason.decision === "deny");
  return found !== undefined && "rule" in found ? found.rule : undefined;
}
