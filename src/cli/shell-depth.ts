import type { Terminal } from "./command.ts";

/** How often guarded-sh may be started inside itself. */
export const DEEPEST = 8;

/** How often it was, by `GUARDED_SH_DEPTH`; a text that judges itself as its own shell would go on for ever. */
export function depthOf({ env }: Pick<Terminal, "env">): number {
  const text = env.GUARDED_SH_DEPTH || "0";
  // Whoever writes something else there wants no limit.
  return /^\d{1,3}$/.test(text) ? Number(text) : DEEPEST;
}
