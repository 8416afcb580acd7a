import { answer, fitting, NO, refusalText } from "./answer.ts";
import { changed, eventOf } from "./event.ts";
import type { Hook, HookEvent, HookInput } from "./hook.ts";
import { expectName, optionalText, tableAt, tableOf, textAt } from "./payload.ts";

/** Crush: `event` names the event, answers carry their version; a changed input is laid over the old one. */
export const crush: Hook = {
  host: "crush",
  decode: decodeCrush,
  encode: (event, verdict) => {
    switch (verdict.kind) {
      case "allow": {
        const input = changed(event, verdict.command);
        return answer(0, { version: 1, decision: "allow", ...(input === undefined ? {} : { updated_input: input }) });
      }
      case "ask":
      case "deny":
        return answer(NO, { version: 1, decision: "deny", reason: fitting(verdict.reason) }, fitting(verdict.reason));
      case "pass":
        return answer(0, { version: 1 }, verdict.reason);
    }
  },
  refuse: (message) => answer(NO, { version: 1, decision: "deny", reason: refusalText(message) }, refusalText(message)),
};

function decodeCrush({ payload, env }: HookInput): HookEvent {
  const table = tableOf(payload);
  expectName(table, "event", ["PreToolUse"]);
  return eventOf(
    { tool: textAt(table, "tool_name"), input: tableAt(table, "tool_input") },
    {
      cwd: optionalText(table, "cwd"),
      root: env.CRUSH_PROJECT_DIR,
      session: optionalText(table, "session_id"),
      asks: false,
      replaces: true,
    },
  );
}
