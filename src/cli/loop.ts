import type { Terminal } from "./command.ts";
import type { ShellCall } from "./shell-call.ts";

export async function runLoop(_call: Extract<ShellCall, { kind: "input" }>, _terminal: Terminal): Promise<number> {
  return 0;
}
