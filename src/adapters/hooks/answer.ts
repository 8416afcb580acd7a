import { shorten } from "../../text/index.ts";
import type { Hook, HookAnswer, HookVerdict } from "./hook.ts";

/** The most characters of an answer: hosts cut or refuse longer ones. */
export const MOST_CHARACTERS = 10_000;
const MOST_REASON = 4_000;

/** A reason short enough that its JSON stays within what hosts take; its first line says it all. */
export function fitting(reason: string): string {
  let width = MOST_REASON;
  let text = shorten(reason, width);
  // One character may become six in JSON.
  while (JSON.stringify(text).length > MOST_REASON) {
    width = Math.floor(width * 0.8);
    text = shorten(reason, width);
  }
  return text;
}

/** The refusal of a payload that could not be judged. */
export function refusalText(message: string): string {
  const [first = ""] = message.split("\n", 1);
  const head = `guarded-sh: failed, nothing was run: ${first.replace(/^guarded-sh: failed, nothing was run:? ?/, "")}`;
  return fitting(`${head}${message.slice(first.length)}`);
}

/** JSON and the exit status that says the same, with the reason on standard error as well. */
export function answer(status: number, json: object, reason = ""): HookAnswer {
  return { status, stdout: JSON.stringify(json), stderr: reason === "" ? "" : `${reason}\n` };
}

/** What hosts take as *no* by the exit status alone. */
export const NO = 2;

/** The answers of hosts that can only go on or not: an ask is a no there, and so is a payload that was not understood. */
export function yesOrNo(no: "deny" | "block"): Pick<Hook, "encode" | "refuse"> {
  const refusal = (reason: string) => answer(NO, { decision: no, reason }, reason);
  return {
    encode: (_event, verdict) => {
      switch (verdict.kind) {
        case "allow":
          return answer(0, { decision: "allow" });
        case "ask":
        case "deny":
          return refusal(fitting(verdict.reason));
        case "pass":
          return answer(0, { decision: "allow" }, verdict.reason);
      }
    },
    refuse: (message) => refusal(refusalText(message)),
  };
}

type Wording = "hookEventName" | "none";

/** The answer of Claude Code and of the hosts that took it over. */
export function permissionAnswer(verdict: HookVerdict, rewritten: object | undefined, wording: Wording): HookAnswer {
  const event = wording === "hookEventName" ? { hookEventName: "PreToolUse" } : {};
  const output = (permissionDecision: string, reason: string, more: object = {}) => ({
    hookSpecificOutput: { ...event, permissionDecision, permissionDecisionReason: reason, ...more },
  });
  switch (verdict.kind) {
    case "allow":
      return answer(0, output("allow", verdict.reason, rewritten === undefined ? {} : { updatedInput: rewritten }));
    case "ask":
      return answer(0, output("ask", fitting(verdict.reason)), fitting(verdict.reason));
    case "deny":
      return answer(NO, output("deny", fitting(verdict.reason)), fitting(verdict.reason));
    case "pass":
      return answer(0, verdict.reason === undefined ? {} : { systemMessage: verdict.reason }, verdict.reason);
  }
}
