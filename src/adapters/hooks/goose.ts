import { yesOrNo } from "./answer.ts";
import { eventOf } from "./event.ts";
import type { Hook, HookEvent, HookInput } from "./hook.ts";
import { expectName, firstText, optionalText, tableAt, tableOf, textAt } from "./payload.ts";

/** Goose: `event` names the event; it can neither ask nor take another input. */
export const goose: Hook = {
  host: "goose",
  decode: decodeGoose,
  ...yesOrNo("block"),
};

function decodeGoose({ payload }: HookInput): HookEvent {
  const table = tableOf(payload);
  expectName(table, "event", ["PreToolUse"]);
  const cwd = firstText(table, ["working_dir", "cwd"]);
  return eventOf(
    { tool: textAt(table, "tool_name"), input: tableAt(table, "tool_input") },
    { cwd, session: optionalText(table, "session_id"), asks: false, replaces: false },
  );
}
