import { answer, fitting, NO, refusalText } from "./answer.ts";
import { eventOf, rewritten } from "./event.ts";
import { type Hook, type HookInput, PayloadError } from "./hook.ts";
import { embedded, expectName, fieldOf, optionalText, tableOf, textAt } from "./payload.ts";

/** Copilot CLI: camelCase with the arguments as JSON text, or snake_case when the event was configured as `PreToolUse`. */
export const copilot: Hook = {
  host: "copilot",
  decode: decodeCopilot,
  encode: (event, verdict) => {
    const output = (permissionDecision: string, permissionDecisionReason: string, more: object = {}) => ({
      permissionDecision,
      permissionDecisionReason,
      ...more,
    });
    switch (verdict.kind) {
      case "allow": {
        const args = rewritten(event, verdict.command);
        return answer(0, output("allow", verdict.reason, args === undefined ? {} : { modifiedArgs: args }));
      }
      case "ask":
        return answer(0, output("ask", fitting(verdict.reason)), fitting(verdict.reason));
      case "deny":
        return answer(NO, output("deny", fitting(verdict.reason)), fitting(verdict.reason));
      case "pass":
        return answer(0, {}, verdict.reason);
    }
  },
  refuse: (message) => {
    const reason = refusalText(message);
    return answer(NO, { permissionDecision: "deny", permissionDecisionReason: reason }, reason);
  },
};

function decodeCopilot({ payload }: HookInput) {
  const table = tableOf(payload);
  const camel = fieldOf(table, "toolName") !== undefined;
  if (camel && fieldOf(table, "tool_name") !== undefined) throw new PayloadError("the payload names its tool twice");
  if (!camel) expectName(table, "hook_event_name", ["PreToolUse", "preToolUse"]);
  const call = camel
    ? { tool: textAt(table, "toolName"), input: embedded(table, "toolArgs") }
    : { tool: textAt(table, "tool_name"), input: embedded(table, "tool_input") };
  return eventOf(call, {
    cwd: optionalText(table, "cwd"),
    session: optionalText(table, camel ? "sessionId" : "session_id"),
    asks: true,
    replaces: true,
  });
}
