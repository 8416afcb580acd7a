export * from "./adapters/index.ts";
export {
  type Asker,
  type AskPart,
  type AskRequest,
  type Grant,
  neverAsker,
  type PendingRequest,
  type Proposal,
  queueAsker,
  type Reply,
  type RequestId,
  type Scope,
  type Storing,
} from "./ask/index.ts";
export {
  type Checked,
  check,
  checkRequest,
  checkWithGrants,
  DEFAULT_TIMEOUT_MS,
  decide,
  type Guard,
  type GuardOptions,
  guardAt,
  nearMissesOf,
  openGuard,
  proposalsFor,
  type RunOptions,
  run,
  runTransparently,
} from "./guard.ts";
export * from "./policy/index.ts";
export * from "./result/index.ts";
export type { Effect, Finding, Segment, Segmentation, Value } from "./segment/index.ts";
export { createSession, type Session, type SessionOptions } from "./session.ts";
export { type Diagnostic, DiagnosticError, renderDiagnostic, type Source, type Span } from "./text/index.ts";
