import { matchesWildcard, type Wildcard } from "./wildcard.ts";

/** Names of one and the same thing: a rule for any of them covers all. */
const FAMILIES: readonly (readonly string[])[] = [
  ["file_write", "edit", "write", "multiedit", "apply_patch"],
  ["file_read", "read"],
  ["webfetch", "web_fetch", "fetch"],
];

/** The tools whose subject is a path. */
const PATH_TOOLS = new Set([...(FAMILIES[0] ?? []), ...(FAMILIES[1] ?? []), "external_directory"]);

/** The tool itself and its other names. */
export function toolNames(tool: string): readonly string[] {
  return FAMILIES.find((family) => family.includes(tool)) ?? [tool];
}

/** Whether the subject of a tool is a path. */
export function isPathTool(tool: string): boolean {
  return PATH_TOOLS.has(tool);
}

/** The tools that a command line's effects are requests for. */
export const EFFECT_TOOLS = ["file_read", "file_write", "external_directory", "webfetch"] as const;
export type EffectTool = (typeof EFFECT_TOOLS)[number];

/** Whether a tool pattern names a tool, by any of the tool's names. */
export function namesTool(pattern: Wildcard, tool: string): boolean {
  return toolNames(tool).some((name) => matchesWildcard(pattern, name));
}
