/** What a hook process is given: the JSON on standard input and the environment. */
export interface HookInput {
  /** Undefined when standard input was empty. */
  readonly payload: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One thing that a tool call would do. A call that names several files is several. */
export interface HookRequest {
  /** `bash` for a command line, else the tool in the words of policies: `file_write`, `webfetch`, `server.tool`. */
  readonly tool: string;
  /** Other names that rules may use for the same tool: the host's own. */
  readonly names: readonly string[];
  /** The command line, path, URL or text. */
  readonly subject: string;
}

/** Where the command stands in a tool's input, so that another can be put in its place. */
export interface Replaceable {
  readonly input: Readonly<Record<string, unknown>>;
  readonly field: string;
  /** The host's own time limit of this call, in ms. */
  readonly timeoutMs: number | undefined;
}

/** A tool call that a host is about to make, in words that no host owns. */
export interface HookEvent {
  readonly requests: readonly [HookRequest, ...HookRequest[]];
  /** The directory that the host says it is in; used only if there is such a directory. */
  readonly cwd: string | undefined;
  /** Where the host's project begins: the policy is looked up from here too. */
  readonly root: string | undefined;
  /** Where this one command runs, relative to `cwd`. */
  readonly workdir: string | undefined;
  readonly session: string | undefined;
  /** The host can put the question to a person itself. */
  readonly asks: boolean;
  readonly replaceable: Replaceable | undefined;
  /** The host's name of the event, where its answers differ between events. */
  readonly name: string;
}

/** What guarded-sh says to a tool call. */
export type HookVerdict =
  | { readonly kind: "allow"; readonly reason: string; readonly command?: string }
  | { readonly kind: "ask"; readonly reason: string }
  | { readonly kind: "deny"; readonly reason: string }
  /** No policy, or not a tool that is judged here: the host goes on as if there were no hook. */
  | { readonly kind: "pass"; readonly reason?: string };

/** What a hook process leaves behind. `stdout` is never empty. */
export interface HookAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The protocol of one host as pure functions. Whatever `decode` throws is answered with `refuse`. */
export interface Hook {
  readonly host: string;
  decode(input: HookInput): HookEvent;
  encode(event: HookEvent, verdict: HookVerdict): HookAnswer;
  /** The host's *no* for what could not be judged. */
  refuse(message: string): HookAnswer;
}

/** The payload is not what the host's protocol says. */
export class PayloadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PayloadError";
  }
}
