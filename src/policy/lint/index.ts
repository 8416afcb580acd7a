export type { Edit, LintFinding } from "./check.ts";
export * from "./codes.ts";
export { covers, overlaps } from "../containment.ts";
export { type LintOptions, lintDocument, mended } from "./lint.ts";
