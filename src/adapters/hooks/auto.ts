import { amazonQ } from "./amazon-q.ts";
import { amp } from "./amp.ts";
import { answer, NO, refusalText } from "./answer.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { crush } from "./crush.ts";
import { cursor } from "./cursor.ts";
import { factory } from "./factory.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { grok } from "./grok.ts";
import { type Hook, type HookAnswer, type HookInput, PayloadError } from "./hook.ts";
import { iflow } from "./iflow.ts";
import { fieldOf, tableOf } from "./payload.ts";
import { qwen } from "./qwen.ts";

/** The host that a call comes from, by what only it sends. Throws a `PayloadError` when nothing fits. */
export function recognize(input: HookInput): Hook {
  const { env } = input;
  if (env.IFLOW_TOOL_NAME !== undefined) return iflow;
  if (env.AGENT_TOOL_NAME !== undefined) return amp;
  const table = tableOf(input.payload);
  const has = (name: string) => fieldOf(table, name) !== undefined;
  const event = fieldOf(table, "hook_event_name");
  if (has("preToolUse") || has("tool_call") || has("clineVersion")) return cline;
  if (has("toolInput")) return grok;
  if (has("toolName")) return copilot;
  if (has("event")) return has("tool_call_id") || has("working_dir") ? goose : crush;
  if (event === "BeforeTool") return gemini;
  if (isCursor(event, has)) return cursor;
  if (event === "preToolUse") return amazonQ;
  if (event === "PreToolUse") return claudeLike(fieldOf(table, "tool_name"), table, has);
  throw new PayloadError("the payload is of no host that is known here: name the agent");
}

type Has = (name: string) => boolean;

function isCursor(event: unknown, has: Has): boolean {
  if (event === "beforeShellExecution" || event === "beforeMCPExecution" || event === "beforeReadFile") return true;
  return has("cursor_version") || (event === "preToolUse" && has("conversation_id"));
}

function claudeLike(tool: unknown, table: Readonly<Record<string, unknown>>, has: Has): Hook {
  if (has("turn_id")) return codex;
  const mode = fieldOf(table, "permission_mode");
  if (tool === "Execute" || mode === "off" || mode === "spec" || (typeof mode === "string" && /^auto-/.test(mode)))
    return factory;
  // Claude Code's own tools begin with a capital letter.
  return typeof tool === "string" && /^[a-z_]+$/.test(tool) && !tool.startsWith("mcp__") ? qwen : claudeCode;
}

/** The *no* of every host at once, for a payload whose host is not known. */
export function refuseEverywhere(message: string): HookAnswer {
  const reason = refusalText(message);
  return answer(
    NO,
    {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
      permission: "deny",
      cancel: true,
      errorMessage: reason,
      decision: "deny",
      permissionDecision: "deny",
      reason,
    },
    reason,
  );
}
