import type { Reply, Scope } from "../ask/index.ts";

/** The version of the protocol; `serve.schema.json` describes the same. Fields and methods are only added. */
export const PROTOCOL_VERSION = 1;

export type CallId = string | number;

/** One line of a client. */
export type ServeCall =
  | { readonly id: CallId; readonly method: "check"; readonly params: CheckParams }
  | { readonly id: CallId; readonly method: "run"; readonly params: RunParams }
  | { readonly id: CallId; readonly method: "decide"; readonly params: DecideParams }
  | { readonly id: CallId; readonly method: "permission.list"; readonly params: { readonly session?: string } }
  | { readonly id: CallId; readonly method: "permission.reply"; readonly params: ReplyParams }
  | { readonly id: CallId; readonly method: "cancel"; readonly params: { readonly call: CallId } };

export interface CheckParams {
  readonly command: string;
  readonly cwd?: string;
  /** Grants of the session and its project answer what is asked. */
  readonly session?: string;
}

export interface RunParams extends CheckParams {
  readonly timeout_ms?: number;
  readonly ask_timeout_ms?: number;
  readonly max_output_bytes?: number;
  readonly stdin?: string;
  /** Send `output` events while it runs. */
  readonly stream?: boolean;
}

export interface DecideParams {
  readonly tool: string;
  readonly subject: string;
  readonly cwd?: string;
  readonly session?: string;
  readonly ask_timeout_ms?: number;
}

export interface ReplyParams {
  /** Id of the request. */
  readonly request: string;
  readonly reply: "once" | "always" | "reject";
  readonly scope?: Scope;
  /** Instead of what is proposed. */
  readonly patterns?: readonly string[];
  readonly feedback?: string;
}

export type ServeErrorCode =
  | "bad-request" // not JSON, no such method, or a parameter of another type
  | "too-long" // a line is longer than the limit; the connection is closed
  | "too-many-calls" // more calls at once than a client may have
  | "policy-error" // a policy file does not load: nothing is judged, nothing runs
  | "request-gone" // the request is not pending any more
  | "not-storable" // an *always* that would not hold
  | "store-error" // the database cannot be used
  | "failed"; // guarded-sh itself failed

/** An answer that is an error: what went wrong, for programs and for people. */
export class ServeError extends Error {
  readonly code: ServeErrorCode;

  constructor(code: ServeErrorCode, message: string) {
    super(message);
    this.name = "ServeError";
    this.code = code;
  }
}

/** What a reply means to a request, `always` with the proposals that were chosen. */
export function replyOf({ reply, feedback }: ReplyParams, always: () => Reply): Reply {
  switch (reply) {
    case "once":
      return { kind: "once" };
    case "always":
      return always();
    case "reject":
      return feedback === undefined ? { kind: "reject" } : { kind: "reject", feedback };
  }
}

/** Reads one line. Throws a `ServeError`; `id` is told first, so that the error can be sent to whoever called. */
export function parseCall(line: string, onId: (id: CallId) => void): ServeCall {
  const call = objectOf(parseJson(line), "a request");
  const { id, method } = call;
  if (typeof id !== "string" && typeof id !== "number") throw bad("`id` is a string or a number");
  onId(id);
  const params = call.params === undefined ? {} : objectOf(call.params, "`params`");
  return readMethod(id, method, params);
}

function readMethod(id: CallId, method: unknown, params: Fields): ServeCall {
  switch (method) {
    case "check":
      return { id, method, params: { ...checkParams(params) } };
    case "run":
      return { id, method, params: runParams(params) };
    case "decide":
      return { id, method, params: decideParams(params) };
    case "permission.list":
      return { id, method, params: optional(params, ["session"], "string") };
    case "permission.reply":
      return { id, method, params: replyParams(params) };
    case "cancel":
      return { id, method, params: { call: callId(params.call) } };
    default:
      throw bad(`there is no method ${JSON.stringify(method)}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function checkParams(params: Fields): CheckParams {
  if (typeof params.command === "string" && params.command.trim() === "") throw bad("the command line is empty");
  return { command: text(params, "command"), ...optional(params, ["cwd", "session"], "string") };
}

function runParams(params: Fields): RunParams {
  return {
    ...checkParams(params),
    ...optional(params, ["stdin"], "string"),
    ...optional(params, ["timeout_ms", "ask_timeout_ms", "max_output_bytes"], "number"),
    ...optional(params, ["stream"], "boolean"),
  };
}

function decideParams(params: Fields): DecideParams {
  return {
    tool: text(params, "tool"),
    subject: text(params, "subject"),
    ...optional(params, ["cwd", "session"], "string"),
    ...optional(params, ["ask_timeout_ms"], "number"),
  };
}

function replyParams(params: Fields): ReplyParams {
  const { reply, scope, patterns } = params;
  if (reply !== "once" && reply !== "always" && reply !== "reject") throw bad("`reply` is once, always or reject");
  if (scope !== undefined && scope !== "session" && scope !== "project") throw bad("`scope` is session or project");
  if (patterns !== undefined && !(Array.isArray(patterns) && patterns.every((one) => typeof one === "string")))
    throw bad("`patterns` is a list of strings");
  return {
    request: text(params, "request"),
    reply,
    ...(scope === undefined ? {} : { scope }),
    ...(patterns === undefined ? {} : { patterns: patterns as readonly string[] }),
    ...optional(params, ["feedback"], "string"),
  };
}

function text(params: Fields, name: string): string {
  const value = params[name];
  if (typeof value !== "string" || value === "") throw bad(`\`${name}\` is a string and not empty`);
  return value;
}

function callId(value: unknown): CallId {
  if (typeof value !== "string" && typeof value !== "number") throw bad("`call` is the id of a call");
  return value;
}

type Typed = { readonly string: string; readonly number: number; readonly boolean: boolean };

function optional<Name extends string, Kind extends keyof Typed>(
  params: Fields,
  names: readonly Name[],
  kind: Kind,
): { readonly [name in Name]?: Typed[Kind] } {
  const found: { [name in Name]?: Typed[Kind] } = {};
  for (const name of names) {
    const value = params[name];
    if (value === undefined) continue;
    const right = typeof value === kind && (typeof value !== "number" || (Number.isFinite(value) && value > 0));
    if (!right) throw bad(`\`${name}\` is a ${kind}${kind === "number" ? " above 0" : ""}`);
    found[name] = value as Typed[Kind];
  }
  return found;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw bad("the line is not JSON");
  }
}

function objectOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bad(`${what} is a JSON object`);
  return value as Fields;
}

function bad(message: string): ServeError {
  return new ServeError("bad-request", message);
}
