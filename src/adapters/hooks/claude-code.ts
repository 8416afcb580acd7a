import { answer, NO, permissionAnswer, refusalText } from "./answer.ts";
import { eventOf, rewritten } from "./event.ts";
import type { Hook, HookAnswer, HookInput } from "./hook.ts";
import { expectName, optionalText, tableAt, tableOf, textAt } from "./payload.ts";

/** Claude Code: `PreToolUse` with snake_case fields. */
export const claudeCode: Hook = {
  host: "claude-code",
  decode: (input) => decodeSnakeCase(input, { root: "CLAUDE_PROJECT_DIR", asks: true }),
  encode: (event, verdict) =>
    permissionAnswer(
      verdict,
      rewritten(event, verdict.kind === "allow" ? verdict.command : undefined),
      "hookEventName",
    ),
  refuse: refusePermission,
};

/** The event of the hosts that took over Claude Code's names. */
export function decodeSnakeCase(
  { payload, env }: HookInput,
  { root, asks }: { readonly root?: string; readonly asks: boolean },
) {
  const table = tableOf(payload);
  expectName(table, "hook_event_name", ["PreToolUse"]);
  const call = { tool: textAt(table, "tool_name"), input: tableAt(table, "tool_input") };
  return eventOf(call, {
    cwd: optionalText(table, "cwd"),
    root: root === undefined ? undefined : env[root],
    session: optionalText(table, "session_id"),
    asks,
    replaces: true,
  });
}

export function refusePermission(message: string): HookAnswer {
  const reason = refusalText(message);
  const output = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason };
  return answer(NO, { hookSpecificOutput: output }, reason);
}
