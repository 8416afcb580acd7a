export { arityFolder, describedNames, type EntryLayer, entryLayers, findEntry } from "./dictionary.ts";
export { FINDINGS, type Finding, type FindingCode } from "./finding.ts";
export { readInvocation } from "./read.ts";
export type * from "./reading.ts";
export type * from "./segment.ts";
export { segmentsOf } from "./segments-of.ts";
export * from "./spec.ts";
export * from "./value.ts";
