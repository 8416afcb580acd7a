import { answer, fitting, NO, refusalText } from "./answer.ts";
import { eventOf, rewritten } from "./event.ts";
import { type Hook, type HookEvent, type HookInput, PayloadError } from "./hook.ts";
import { firstText, tableAt, tableOf, textAt } from "./payload.ts";

/** Grok Build: camelCase fields; it cannot ask, and an allow does not lift its own rules. */
export const grok: Hook = {
  host: "grok",
  decode: decodeGrok,
  encode: (event, verdict) => {
    switch (verdict.kind) {
      case "allow": {
        const input = rewritten(event, verdict.command);
        const more = input === undefined ? {} : { hookSpecificOutput: { updatedInput: input } };
        return answer(0, { decision: "allow", ...more });
      }
      case "ask":
      case "deny":
        return answer(NO, { decision: "deny", reason: fitting(verdict.reason) }, fitting(verdict.reason));
      case "pass":
        return answer(0, { decision: "allow" }, verdict.reason);
    }
  },
  refuse: (message) => answer(NO, { decision: "deny", reason: refusalText(message) }, refusalText(message)),
};

const EVENTS = ["PreToolUse", "preToolUse", "pre_tool_use"];

function decodeGrok({ payload }: HookInput): HookEvent {
  const table = tableOf(payload);
  const name = firstText(table, ["hookEventName", "hook_event_name"]);
  if (name !== undefined && !EVENTS.includes(name))
    throw new PayloadError(`\`${name}\` is not an event before a tool call`);
  const root = firstText(table, ["workspaceRoot"]);
  return eventOf(
    { tool: textAt(table, "toolName"), input: tableAt(table, "toolInput") },
    {
      cwd: firstText(table, ["cwd"]) ?? root,
      root,
      session: firstText(table, ["sessionId"]),
      asks: false,
      replaces: true,
    },
  );
}
