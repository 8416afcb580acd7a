declare const requestId: unique symbol;
export type RequestId = string & { readonly [requestId]: true };

/** What an *always* would store: a pattern for a tool. */
export interface Proposal {
  readonly tool: string;
  readonly pattern: string;
  /** It covers this very text alone; `*` and `?` in it are characters like any other. */
  readonly exact: boolean;
  /** Denies that lie inside the pattern: they go on to deny, whatever is stored. */
  readonly except?: readonly string[];
}

/** One thing that needs an approval: a segment, the use of a file, or the whole call of another tool. */
export interface AskPart {
  readonly tool: string;
  /** The segment's text, the path, or the subject. */
  readonly subject: string;
  /** Where it stands in the text (UTF-16 offsets, the end excluded); undefined: it is about all of it. */
  readonly span: { readonly start: number; readonly end: number } | undefined;
  /** Why no rule allowed it, one line. */
  readonly reason: string;
  /** The one that is offered first, then others. Empty: nothing can be stored that would let this pass. */
  readonly proposals: readonly Proposal[];
}

/** The question put to a person: one command line with everything in it that needs an approval. Plain data. */
export interface AskRequest {
  readonly id: RequestId;
  readonly session: string;
  /** Grants are kept for it: the root of the repository, or the folder of the policy. */
  readonly project: string;
  readonly tool: string;
  /** The command line, or the subject of another tool's call. */
  readonly text: string;
  readonly cwd: string;
  /** Only what needs an approval, in the order of the text. */
  readonly parts: readonly AskPart[];
  /** Why it is asked, one line each. */
  readonly reasons: readonly string[];
  /** One for each part, its first; empty when an *always* would not silence the question. */
  readonly proposals: readonly Proposal[];
  /** Policy files that were given besides those that are found. */
  readonly policyFiles: readonly string[];
  /** ISO 8601. */
  readonly createdAt: string;
}

/** How the session of a process that was given none begins: nobody else is in it. */
export const OWN_SESSION = "process ";

export const SCOPES = ["session", "project"] as const;
/** How far an *always* reaches: this session, or every session of the project. */
export type Scope = (typeof SCOPES)[number];

export type Reply =
  | { readonly kind: "once" }
  | { readonly kind: "always"; readonly proposals: readonly Proposal[]; readonly scope: Scope }
  | { readonly kind: "reject"; readonly feedback?: string }
  /** Rejected together with another request of the session. */
  | { readonly kind: "cascade" }
  /** Nobody can be asked. */
  | { readonly kind: "unavailable"; readonly why: string }
  | { readonly kind: "timeout"; readonly afterMs: number }
  | { readonly kind: "cancelled" };

/** What can be stored for a request; both try the save on the request itself. */
export interface Storing {
  /** Why these cannot be stored, one line; undefined when they can. */
  readonly whyNot: (proposals: readonly Proposal[]) => string | undefined;
  /** Patterns that a person gave, with the first proposals of the parts that they leave open; or why not, one line. */
  readonly complete: (patterns: readonly string[]) => readonly Proposal[] | string;
}

/** Whoever can answer. Never throws for an expected end; an abort is the reply `cancelled`. */
export interface Asker {
  ask(request: AskRequest, signal: AbortSignal, storing: Storing): Promise<Reply>;
  /** A screen that shows one request at a time: askers of the same one wait for their turn. */
  readonly screen?: string;
}

/** Nobody: the answer is there at once. */
export const neverAsker: Asker = {
  ask: async () => ({ kind: "unavailable", why: "nobody can be asked here" }),
};

/** Another process: the request waits in the database until `guarded-sh requests` or a host answers it. */
export function queueAsker(announce: (request: AskRequest) => void = () => {}): Asker {
  return {
    ask(request, signal) {
      announce(request);
      return new Promise((resolve) => {
        const cancel = () => resolve({ kind: "cancelled" });
        if (signal.aborted) cancel();
        else signal.addEventListener("abort", cancel, { once: true });
      });
    },
  };
}

export const DEFAULT_ASK_TIMEOUT_MS = 300_000;
const MOST_FEEDBACK = 2000;

/** Feedback as it is passed on: without blanks around it, cut to 2,000 characters; undefined when nothing is left. */
export function cleanFeedback(feedback: string | undefined): string | undefined {
  const text =
    feedback?.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ").trim() ?? "";
  if (text === "") return undefined;
  return text.length <= MOST_FEEDBACK ? text : `${text.slice(0, MOST_FEEDBACK - 1)}…`;
}
