import { yesOrNo } from "./answer.ts";
import { eventOf } from "./event.ts";
import { type Hook, type HookEvent, type HookInput, PayloadError } from "./hook.ts";
import { expectName, optionalText, type Table, tableAt, tableOf, textAt } from "./payload.ts";
import { type HostCall, requestsOf } from "./requests.ts";

/** iFlow: the call stands in the environment, in newer versions on standard input too; only the exit status counts. */
export const iflow: Hook = {
  host: "iflow",
  decode: decodeIflow,
  ...yesOrNo("deny"),
};

function decodeIflow({ payload, env }: HookInput): HookEvent {
  const told = callFromEnvironment(env);
  const table = payload === undefined ? undefined : tableOf(payload);
  const sent = table === undefined ? undefined : callFromPayload(table);
  if (told !== undefined && sent !== undefined && !isSameCall(told, sent))
    throw new PayloadError("standard input and the environment name different calls");
  const call = sent ?? told;
  if (call === undefined) throw new PayloadError("there is no call, neither on standard input nor in the environment");
  return eventOf(call, {
    cwd: table === undefined ? undefined : optionalText(table, "cwd"),
    session: table === undefined ? env.IFLOW_SESSION_ID : optionalText(table, "session_id"),
    asks: false,
    replaces: false,
  });
}

function isSameCall(a: HostCall, b: HostCall): boolean {
  return JSON.stringify(requestsOf(a)) === JSON.stringify(requestsOf(b));
}

function callFromPayload(table: Table): HostCall {
  expectName(table, "hook_event_name", ["PreToolUse"]);
  return { tool: textAt(table, "tool_name"), input: tableAt(table, "tool_input") };
}

function callFromEnvironment({ IFLOW_TOOL_NAME: tool, IFLOW_TOOL_ARGS: text }: HookInput["env"]): HostCall | undefined {
  if (tool === undefined && text === undefined) return undefined;
  if (tool === undefined || text === undefined)
    throw new PayloadError("`IFLOW_TOOL_NAME` or `IFLOW_TOOL_ARGS` is missing");
  try {
    return { tool, input: tableOf(JSON.parse(text) as unknown, "`IFLOW_TOOL_ARGS`") };
  } catch (error) {
    throw error instanceof PayloadError ? error : new PayloadError("`IFLOW_TOOL_ARGS` is not JSON");
  }
}
