import { answer, fitting, NO, refusalText } from "./answer.ts";
import { changed, eventOf } from "./event.ts";
import type { Hook, HookInput } from "./hook.ts";
import { expectName, fieldOf, isTable, optionalText, type Table, tableAt, tableOf, textAt } from "./payload.ts";

/** Gemini CLI: `BeforeTool`, a `decision` at the top, a changed input that is laid over the old one. */
export const gemini: Hook = {
  host: "gemini",
  decode: decodeBeforeTool,
  encode: (event, verdict) => {
    switch (verdict.kind) {
      case "allow": {
        const input = changed(event, verdict.command);
        const more =
          input === undefined ? {} : { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: input } };
        return answer(0, { decision: "allow", reason: verdict.reason, ...more });
      }
      case "ask":
        return answer(0, { decision: "ask", reason: fitting(verdict.reason) }, fitting(verdict.reason));
      case "deny":
        return answer(NO, { decision: "deny", reason: fitting(verdict.reason) }, fitting(verdict.reason));
      case "pass":
        return answer(0, verdict.reason === undefined ? {} : { systemMessage: verdict.reason }, verdict.reason);
    }
  },
  refuse: (message) => answer(NO, { decision: "deny", reason: refusalText(message) }, refusalText(message)),
};

function decodeBeforeTool({ payload, env }: HookInput) {
  const table = tableOf(payload);
  expectName(table, "hook_event_name", ["BeforeTool"]);
  const mcp = mcpOf(table);
  const call = { tool: textAt(table, "tool_name"), input: tableAt(table, "tool_input"), ...(mcp ? { mcp } : {}) };
  return eventOf(call, {
    cwd: optionalText(table, "cwd"),
    root: env.GEMINI_PROJECT_DIR,
    session: optionalText(table, "session_id"),
    asks: true,
    replaces: true,
  });
}

function mcpOf(table: Table): { readonly server: string; readonly tool: string } | undefined {
  const context = fieldOf(table, "mcp_context");
  if (!isTable(context)) return undefined;
  const server = optionalText(context, "server_name");
  const tool = optionalText(context, "tool_name");
  return server === undefined || tool === undefined ? undefined : { server, tool };
}
