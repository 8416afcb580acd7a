import { yesOrNo } from "./answer.ts";
import { eventOf } from "./event.ts";
import type { Hook, HookEvent, HookInput } from "./hook.ts";
import { expectName, optionalText, tableAt, tableOf, textAt } from "./payload.ts";

/** Amazon Q: `preToolUse`; only the exit status counts, and standard error goes to the model. */
export const amazonQ: Hook = {
  host: "amazon-q",
  decode: decodeAmazonQ,
  ...yesOrNo("deny"),
};

function decodeAmazonQ({ payload }: HookInput): HookEvent {
  const table = tableOf(payload);
  expectName(table, "hook_event_name", ["preToolUse"]);
  return eventOf(
    { tool: textAt(table, "tool_name"), input: tableAt(table, "tool_input") },
    {
      cwd: optionalText(table, "cwd"),
      session: optionalText(table, "session_id"),
      asks: false,
      replaces: false,
    },
  );
}
