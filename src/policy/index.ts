export { CASE_FIELDS, type Case, parseCases } from "./cases.ts";
export * from "./context.ts";
export * from "./decision.ts";
export * from "./evaluate.ts";
export { checkExamples, type ExampleSetting, matchesExample } from "./examples.ts";
export { type NearMiss, nearMisses } from "./explain.ts";
export { sha256 } from "./hash.ts";
export { parseInline } from "./inline.ts";
export * from "./load.ts";
export { parseOpenCode } from "./opencode.ts";
export { ownPlaces } from "./own-places.ts";
export type * from "./parsed.ts";
export type { OwnPlaces } from "./protection.ts";
export * from "./reason.ts";
export { readRegularFile } from "./regular-file.ts";
export * from "./request.ts";
export {
  type Document,
  type Layer,
  makeDocument,
  makeRule,
  type PatternSetting,
  type Policy,
  type Rule,
  type RuleOrigin,
  type RuleText,
  rulesOf,
} from "./rule.ts";
export { bothEvaluations, bothRequests, parseSkill } from "./skill.ts";
export { parseToml, RULE_FIELDS } from "./toml.ts";
export { isPathTool, toolNames } from "./tool.ts";
export * from "./trust.ts";
export { defaultOf, isOff } from "./vote.ts";
export { type Certainty, compileWildcard, isCatchAll, matchesWildcard, type Wildcard } from "./wildcard.ts";
