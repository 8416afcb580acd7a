import { permissionAnswer } from "./answer.ts";
import { decodeSnakeCase, refusePermission } from "./claude-code.ts";
import { rewritten } from "./event.ts";
import type { Hook } from "./hook.ts";

/** Codex: Claude Code's format; `ask` is not honoured, and an unknown field makes the answer void. */
export const codex: Hook = {
  host: "codex",
  decode: (input) => decodeSnakeCase(input, { asks: false }),
  encode: (event, verdict) =>
    permissionAnswer(
      verdict,
      rewritten(event, verdict.kind === "allow" ? verdict.command : undefined),
      "hookEventName",
    ),
  refuse: refusePermission,
};
