import type { Decision, ReasonKind } from "../policy/index.ts";
import type { FindingCode, Origin } from "../segment/index.ts";

/**
 * The JSON of guarded-sh: one shape for every way out. `result.schema.json` describes the same. Fields are only added;
 * another version number means that something was taken away or changed its meaning.
 */
export interface Result {
  readonly version: 1;
  /** What became of the text. `checked`: it was only judged. */
  readonly kind: "checked" | "ran" | "denied" | "rejected" | "failed";
  readonly is_error: boolean;
  readonly command: string;
  readonly cwd: string;
  readonly decision: Decision;
  readonly segments: readonly ResultSegment[];
  readonly effects: readonly ResultEffect[];
  readonly findings: readonly ResultFinding[];
  /** Reasons that are about the text as a whole. */
  readonly because: readonly ResultReason[];
  /** Who answered what was asked, when it was asked and may run. */
  readonly approved_by?: "grant" | "person";
  readonly denial?: ResultDenial;
  readonly execution?: ResultExecution;
  /** Rules of documents that nobody has trusted yet; their allow did not count. */
  readonly untrusted?: readonly string[];
  /** The permission layer is off: there is no policy. */
  readonly off?: true;
}

export interface ResultSegment {
  readonly text: string;
  /** UTF-16 offsets into `command`, the end excluded. */
  readonly span: readonly [number, number];
  readonly argv: readonly string[];
  /** What each word evaluates to: a string, or its parts with the holes in between. */
  readonly words: readonly (string | readonly (string | ResultHole)[])[];
  readonly prefix: string;
  readonly via: readonly string[];
  readonly origin: Origin;
  readonly parent: number | null;
  readonly decision: Decision;
  readonly because: readonly ResultReason[];
}

export interface ResultHole {
  readonly hole: string;
  readonly cause: string;
}

export interface ResultReason {
  readonly kind: ReasonKind;
  readonly decision: Decision;
  /** One line for people. */
  readonly message: string;
  readonly tool?: string;
  readonly pattern?: string;
  readonly action?: Decision;
  /** `file:line` of the rule. */
  readonly source?: string;
  readonly reason?: string;
  readonly suggest?: string;
  readonly code?: FindingCode;
  /** Where in the command, when the reason is about a part of it. */
  readonly span?: readonly [number, number];
}

export interface ResultEffect {
  readonly tool: string;
  readonly access: string;
  readonly path: string;
  /** Where it may be as well, when an earlier `cd` may have failed. */
  readonly or?: readonly string[];
  readonly text: string;
  readonly span: readonly [number, number];
  readonly segment: number;
  /** null: no rule speaks about it, and none has to. */
  readonly decision: Decision | null;
  readonly because: readonly ResultReason[];
}

export interface ResultFinding {
  readonly code: FindingCode;
  readonly floor: "ask" | "deny";
  readonly message: string;
  readonly span: readonly [number, number];
  readonly segment: number | null;
}

/** Why nothing ran. */
export const DENIAL_KINDS = [
  "rule", // a rule denies it
  "finding", // it cannot be known what would run
  "default", // no rule allows it
  "ask-unavailable", // it needs an approval, and nobody can be asked
  "ask-timeout", // nobody answered in time
  "rejected", // a person said no
  "corrected", // a person said no, and what to do instead
  "cascade", // another request of the session was rejected
  "cancelled", // the caller gave up
  "failed", // guarded-sh could not decide
] as const;
export type DenialKind = (typeof DENIAL_KINDS)[number];

export interface ResultDenial {
  readonly kind: DenialKind;
  /** For whoever reads it next, often a model: what was refused, why, what to do instead. */
  readonly message: string;
  readonly feedback?: string;
  /** Nothing of the text was run. */
  readonly ran: false;
}

export interface ResultExecution {
  readonly exit:
    | { readonly kind: "exited"; readonly code: number }
    | { readonly kind: "signaled"; readonly signal: string }
    | { readonly kind: "timed-out"; readonly after_ms: number }
    | { readonly kind: "cancelled"; readonly by: string };
  readonly output: string;
  readonly truncated: {
    readonly omitted_bytes: number;
    readonly file: string | null;
    readonly complete: boolean;
  } | null;
  readonly duration_ms: number;
  readonly cwd: string;
  readonly cwd_known: boolean;
  readonly background: readonly { readonly pid: number; readonly command: string }[];
  /** The line on which the command waited for input. */
  readonly waiting: string | null;
  readonly exports?: Readonly<Record<string, string>>;
  /** What the boundary of `[scope]` kept from it, when it failed; as far as its output tells. */
  readonly scope?: readonly { readonly access: "write" | "read" | "network"; readonly path: string | null }[];
}
