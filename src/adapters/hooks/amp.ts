import { answer, fitting, NO, refusalText } from "./answer.ts";
import { eventOf } from "./event.ts";
import { type Hook, type HookEvent, type HookInput, PayloadError } from "./hook.ts";
import { tableOf } from "./payload.ts";

const ASK = 1;

/** Amp's `delegate`: the arguments alone on standard input, the tool's name in the environment, the answer in the status. */
export const amp: Hook = {
  host: "amp",
  decode: decodeAmp,
  encode: (_event, verdict) => {
    switch (verdict.kind) {
      case "allow":
        return answer(0, { decision: "allow" });
      case "ask":
        return answer(ASK, { decision: "ask", reason: fitting(verdict.reason) }, fitting(verdict.reason));
      case "deny":
        return answer(NO, { decision: "deny", reason: fitting(verdict.reason) }, fitting(verdict.reason));
      case "pass":
        return answer(0, { decision: "allow" }, verdict.reason);
    }
  },
  refuse: (message) => answer(NO, { decision: "deny", reason: refusalText(message) }, refusalText(message)),
};

function decodeAmp({ payload, env }: HookInput): HookEvent {
  const tool = env.AGENT_TOOL_NAME;
  if (tool === undefined || tool === "") throw new PayloadError("`AGENT_TOOL_NAME` is missing in the environment");
  const call = { tool, input: tableOf(payload) };
  return eventOf(call, { session: env.AMP_THREAD_ID, asks: true, replaces: false });
}
