import { check, type Guard, openGuard, parseInline } from "../../src/index.ts";

/** `bash: victim *`: a tool and a pattern that are denied. */
type Denied = `${string}: ${string}`;

export const VICTIM: Denied = "bash: victim *";
export const SECRET: Denied = "file_read: **/.env";
export const KEPT: Denied = "file_write: **/keep.txt";

/** A guard that allows everything but this. */
export function guardAgainst(denied: readonly Denied[], cwd = "/"): Guard {
  const rules = denied.map((rule) => {
    const [tool, pattern] = rule.split(": ");
    return { tool, pattern, action: "deny" };
  });
  const setting = { home: "/home/ada", env: new Map<string, string>(), windows: false };
  return openGuard({ cwd, policy: parseInline({ default_action: "allow", rules }, setting) });
}

/** What it decides of a text. */
export function deciding(guard: Guard): (text: string) => string {
  return (text) => check(guard, text).result.decision;
}
