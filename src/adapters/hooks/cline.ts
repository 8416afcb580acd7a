import { answer, fitting, refusalText } from "./answer.ts";
import { eventOf, rewritten } from "./event.ts";
import { type Hook, type HookEvent, type HookInput, PayloadError } from "./hook.ts";
import { fieldOf, firstOf, firstText, isTable, optionalText, type Table, tableAt, tableOf, textAt } from "./payload.ts";
import type { HostCall } from "./requests.ts";

/**
 * Cline: only the JSON counts, an exit status other than 0 is a broken hook and the tool runs. `review` is known to the
 * version that sends `tool_call`; the other would take it for an allow.
 */
export const cline: Hook = {
  host: "cline",
  decode: decodeCline,
  encode: (event, verdict) => {
    switch (verdict.kind) {
      case "allow": {
        const input = rewritten(event, verdict.command);
        return answer(0, { cancel: false, ...(input === undefined ? {} : { overrideInput: input }) });
      }
      case "ask":
        return answer(0, { review: true, errorMessage: fitting(verdict.reason) }, fitting(verdict.reason));
      case "deny":
        return answer(0, { cancel: true, errorMessage: fitting(verdict.reason) }, fitting(verdict.reason));
      case "pass":
        return answer(0, { cancel: false }, verdict.reason);
    }
  },
  refuse: (message) => answer(0, { cancel: true, errorMessage: refusalText(message) }, refusalText(message)),
};

function decodeCline({ payload }: HookInput): HookEvent {
  const table = tableOf(payload);
  const name = firstText(table, ["hookName", "hook_event_name"]);
  if (name !== undefined && name !== "PreToolUse" && name !== "tool_call")
    throw new PayloadError(`\`${name}\` is not an event before a tool call`);
  const root = firstOf(table, "workspaceRoots");
  const sends = fieldOf(table, "tool_call") !== undefined;
  return eventOf(sends ? newCall(table) : oldCall(tableAt(table, "preToolUse")), {
    cwd: optionalText(table, "cwd") ?? root,
    root,
    session: optionalText(table, "taskId"),
    asks: sends,
    replaces: sends,
  });
}

function newCall(table: Table): HostCall {
  const call = tableAt(table, "tool_call");
  const tool = firstText(call, ["name", "toolName", "tool_name"]);
  if (tool === undefined) throw new PayloadError("`tool_call.name` is missing");
  return { tool, input: tableAt(call, "input") };
}

/** Parameters may arrive under an MCP tool that names the real one. */
function oldCall(call: Table): HostCall {
  const tool = textAt(call, "toolName");
  const input = tableOf(fieldOf(call, "parameters"), "`parameters`");
  const server = optionalText(input, "server_name");
  if (tool !== "use_mcp_tool" || server === undefined) return { tool, input };
  return { tool, input: argumentsOf(input), mcp: { server, tool: textAt(input, "tool_name") } };
}

function argumentsOf(input: Table): Table {
  const value = fieldOf(input, "arguments");
  if (isTable(value)) return value;
  return typeof value === "string" ? tableOf(JSON.parse(value) as unknown, "`arguments`") : input;
}
