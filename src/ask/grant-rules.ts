import { makeRule, type PatternSetting, type Rule } from "../policy/rule.ts";
import type { Proposal } from "./asker.ts";

/** A grant as an allow rule, and which grant it is; `id` undefined: it is only tried. */
export interface GrantRule {
  readonly id: number | undefined;
  readonly exact: boolean;
  readonly rule: Rule;
}

/** What patterns of grants are read with. */
export type GrantSetting = Omit<PatternSetting, "patterns">;

const NOWHERE = { start: 0, end: 0 };

/** Reads a grant or proposal as an allow rule, so that it is matched exactly as one of a policy. */
export function grantRule(grant: Proposal & { readonly id?: number }, setting: GrantSetting): GrantRule {
  const { tool, pattern, exact, id } = grant;
  const name = id === undefined ? "the grant" : `grant ${id}`;
  const rule = makeRule(
    {
      tool,
      pattern,
      decision: "allow",
      flags: [],
      reason: undefined,
      suggest: undefined,
      match: [],
      notMatch: [],
      does: [],
      origin: { source: { name, text: "" }, span: NOWHERE },
    },
    name,
    { ...setting, patterns: "paths" },
  );
  return { id, exact, rule };
}
