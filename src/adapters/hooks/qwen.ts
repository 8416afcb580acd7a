import { permissionAnswer } from "./answer.ts";
import { decodeSnakeCase, refusePermission } from "./claude-code.ts";
import { rewritten } from "./event.ts";
import type { Hook } from "./hook.ts";

/** Qwen Code: Claude Code's format with Gemini's tool names; without a person an `ask` becomes a denial by itself. */
export const qwen: Hook = {
  host: "qwen",
  decode: (input) => decodeSnakeCase(input, { root: "QWEN_PROJECT_DIR", asks: true }),
  encode: (event, verdict) =>
    permissionAnswer(
      verdict,
      rewritten(event, verdict.kind === "allow" ? verdict.command : undefined),
      "hookEventName",
    ),
  refuse: refusePermission,
};
