export * from "./adapters/index.ts";
export { type Asker, type AskRequest, neverAsker, type Proposal, type Reply, type RequestId } from "./ask/index.ts";
export {
  type Checked,
  check,
  checkRequest,
  DEFAULT_TIMEOUT_MS,
  type Guard,
  type GuardOptions,
  guardAt,
  nearMissesOf,
  openGuard,
  type RunOptions,
  run,
  runTransparently,
} from "./guard.ts";
export * from "./policy/index.ts";
export * from "./result/index.ts";
export type { Effect, Finding, Segment, Segmentation, Value } from "./segment/index.ts";
export { type Diagnostic, DiagnosticError, renderDiagnostic, type Source, type Span } from "./text/index.ts";
