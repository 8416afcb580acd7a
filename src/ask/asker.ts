import type { Evaluation } from "../policy/index.ts";
import type { Segmentation } from "../segment/index.ts";

declare const requestId: unique symbol;
export type RequestId = string & { readonly [requestId]: true };

/** What an *always* would store: a pattern for a tool. `exact`: it covers this text alone. */
export interface Proposal {
  readonly tool: string;
  readonly pattern: string;
  readonly exact: boolean;
}

/** The question put to a person: one command line with everything in it that needs an approval. */
export interface AskRequest {
  readonly id: RequestId;
  readonly session: string;
  readonly tool: string;
  /** The command line, or the subject of another tool's call. */
  readonly text: string;
  readonly cwd: string;
  readonly segmentation: Segmentation | undefined;
  readonly evaluation: Evaluation | undefined;
  /** Why it is asked, one line each. */
  readonly reasons: readonly string[];
  readonly proposals: readonly Proposal[];
}

export type Reply =
  | { readonly kind: "once" }
  | { readonly kind: "always"; readonly proposals: readonly Proposal[]; readonly scope: "session" | "project" }
  | { readonly kind: "reject"; readonly feedback?: string }
  /** Rejected together with another request of the session. */
  | { readonly kind: "cascade" }
  /** Nobody can be asked. */
  | { readonly kind: "unavailable"; readonly why: string }
  | { readonly kind: "timeout"; readonly afterMs: number }
  | { readonly kind: "cancelled" };

/** Whoever can answer. Never throws for an expected end; an abort is the reply `cancelled`. */
export interface Asker {
  ask(request: AskRequest, signal: AbortSignal): Promise<Reply>;
}

/** Nobody: the answer is there at once. */
export const neverAsker: Asker = {
  ask: async () => ({ kind: "unavailable", why: "nobody can be asked here" }),
};
