import { amazonQ } from "./amazon-q.ts";
import { amp } from "./amp.ts";
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
import type { Hook } from "./hook.ts";
import { iflow } from "./iflow.ts";
import { qwen } from "./qwen.ts";

export { refuseEverywhere } from "./auto.ts";
export * from "./hook.ts";
export { type HookSetting, MOST_PAYLOAD, refuse, runHook } from "./run-hook.ts";

/** Every host whose hook is spoken, in the order of the documentation. */
export const HOOKS: readonly Hook[] = [
  claudeCode,
  codex,
  gemini,
  qwen,
  cursor,
  copilot,
  cline,
  grok,
  goose,
  factory,
  crush,
  amp,
  amazonQ,
  iflow,
];
