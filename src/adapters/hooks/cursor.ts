import { answer, fitting, NO, refusalText } from "./answer.ts";
import { eventOf, rewritten } from "./event.ts";
import type { Hook, HookAnswer, HookEvent, HookInput } from "./hook.ts";
import { embedded, expectName, firstOf, firstText, optionalText, type Table, tableOf, textAt } from "./payload.ts";
import type { HostCall } from "./requests.ts";

const EVENTS = ["beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "preToolUse"];

/** Cursor: one event a kind of tool, a `permission` at the top; `preToolUse` cannot ask. */
export const cursor: Hook = {
  host: "cursor",
  decode: decodeCursor,
  encode: (event, verdict) => {
    switch (verdict.kind) {
      case "allow": {
        const input = rewritten(event, verdict.command);
        return answer(0, { permission: "allow", ...(input === undefined ? {} : { updated_input: input }) });
      }
      case "ask":
        return permission("ask", 0, fitting(verdict.reason));
      case "deny":
        return permission("deny", NO, fitting(verdict.reason));
      case "pass":
        // An answer without a permission counts as a broken hook here.
        return answer(0, { permission: "allow" }, verdict.reason);
    }
  },
  refuse: (message) => permission("deny", NO, refusalText(message)),
};

function permission(decision: "ask" | "deny", status: number, reason: string): HookAnswer {
  const [first = ""] = reason.split("\n", 1);
  return answer(status, { permission: decision, user_message: first, agent_message: reason }, reason);
}

function decodeCursor({ payload, env }: HookInput): HookEvent {
  const table = tableOf(payload);
  const name = expectName(table, "hook_event_name", EVENTS);
  const cwd = firstText(table, ["cwd"]) ?? firstOf(table, "workspace_roots");
  return eventOf(callOf(name, table), {
    cwd,
    root: firstOf(table, "workspace_roots") ?? env.CURSOR_PROJECT_DIR,
    session: optionalText(table, "conversation_id"),
    asks: name !== "preToolUse" && name !== "beforeReadFile",
    replaces: name === "preToolUse",
    name,
  });
}

function callOf(name: string, table: Table): HostCall {
  switch (name) {
    case "beforeShellExecution":
      return { tool: "Shell", input: { command: textAt(table, "command") } };
    case "beforeReadFile":
      return { tool: "Read", input: { file_path: textAt(table, "file_path") } };
    default:
      return { tool: textAt(table, "tool_name"), input: embedded(table, "tool_input") };
  }
}
