import type { Readable, Writable } from "node:stream";
import type { Asker, AskRequest, PendingRequest, Reply } from "../ask/index.ts";
import { check, checkWithGrants, decide, type Guard, type RunOptions, run } from "../guard.ts";
import { DiagnosticError, errorText } from "../text/index.ts";
import { lineReader } from "./serve-lines.ts";
import { lineWriter } from "./serve-output.ts";
import {
  type CallId,
  type CheckParams,
  type DecideParams,
  PROTOCOL_VERSION,
  parseCall,
  type ReplyParams,
  type RunParams,
  type ServeCall,
  ServeError,
} from "./serve-protocol.ts";

/** What a server works with. */
export interface ServeSetting {
  /** A guard for a directory; opened for each call, so that a policy that was changed counts at once. */
  readonly open: (cwd: string | undefined) => Guard;
  /** Waits for replies; they come by `permission.reply`, from any client or process. */
  readonly asker: Asker;
  readonly pending: (session: string | undefined) => readonly PendingRequest[];
  readonly reply: (params: ReplyParams) => Promise<void>;
  /** ms that a request waits, when the call does not say. */
  readonly askTimeoutMs?: number;
}

/** One connection. */
export interface ServeStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** The end of the input is not the end of the client: it still reads what its calls come to. */
  readonly reads?: true;
}

export interface Server {
  /**
   * Serves one client until it goes away; then its own calls are cancelled, and nobody else's. Gives what kept its answers from being
   * written, if something did.
   */
  readonly serve: (streams: ServeStreams) => Promise<Error | undefined>;
}

/** Calls that one client may have at the same time. */
const MOST_CALLS = 64;

interface Client {
  readonly send: (message: unknown) => void;
  readonly sendOutput: (call: CallId, text: string) => void;
  readonly calls: Map<CallId, RunningCall>;
  /** Nothing more comes from it. */
  readonly left: AbortSignal;
}

interface RunningCall {
  readonly abort: AbortController;
  /** It waits for somebody's answer. */
  asking: boolean;
}

/** A server for any number of clients. Questions and their answers are told to all of them. */
export function createServer(setting: ServeSetting): Server {
  const clients = new Set<Client>();
  const tell = (event: string, params: unknown) => {
    for (const { send } of clients) send({ event, params });
  };
  return {
    async serve({ input, output, reads }) {
      const writer = lineWriter(output);
      const leaving = new AbortController();
      const { send, sendOutput } = writer;
      const client: Client = { send, sendOutput, calls: new Map(), left: leaving.signal };
      const session: Session = { client, setting, tell };
      clients.add(client);
      // Nobody reads the answers: what else is asked would be done for nothing.
      output.once("error", () => input.destroy());
      client.send({ event: "ready", params: { protocol: PROTOCOL_VERSION } });
      const running = new Set<Promise<void>>();
      try {
        for await (const line of lineReader(input, writer)) {
          const call = answerLine(line, session);
          running.add(call);
          call.finally(() => running.delete(call));
        }
        // Whoever has nothing more to say cannot answer a question either; what runs comes to its end.
        leaving.abort();
        for (const { abort, asking } of client.calls.values()) if (asking) abort.abort();
        if (reads && !writer.closed()) await Promise.all(running);
      } finally {
        clients.delete(client);
        for (const { abort } of client.calls.values()) abort.abort();
        await Promise.all(running);
        await writer.end();
      }
      return writer.failure();
    },
  };
}

interface Session {
  readonly client: Client;
  readonly setting: ServeSetting;
  readonly tell: (event: string, params: unknown) => void;
}

/** Answers one line. Never throws: whatever goes wrong is an error that names the call. */
async function answerLine(line: string, session: Session): Promise<void> {
  const { client } = session;
  let id: CallId | null = null;
  try {
    if (line.length === 0) throw new ServeError("too-long", "the line is too long");
    const call = parseCall(line, (given) => {
      id = given;
    });
    client.send({ id, result: await answerCall(call, session) });
  } catch (error) {
    client.send({ id, error: errorOf(error) });
  }
}

async function answerCall(call: ServeCall, session: Session): Promise<unknown> {
  const { setting, client } = session;
  switch (call.method) {
    case "check":
      return checkCall(call.params, setting);
    case "run":
      return whileRunning(call.id, client, (own) => runCall(call.id, call.params, own, session));
    case "decide":
      return whileRunning(call.id, client, (own) => decideCall(call.params, own, session));
    case "permission.list":
      return { requests: setting.pending(call.params.session) };
    case "permission.reply":
      await setting.reply(call.params);
      return {};
    case "cancel": {
      const found = client.calls.get(call.params.call);
      found?.abort.abort();
      return { cancelled: found !== undefined };
    }
  }
}

async function checkCall({ command, cwd, session }: CheckParams, { open }: ServeSetting): Promise<unknown> {
  const guard = open(cwd);
  return (await checkWithGrants(guard, check(guard, command), session)).result;
}

async function whileRunning<T>(id: CallId, { calls }: Client, work: (own: RunningCall) => Promise<T>): Promise<T> {
  if (calls.has(id)) throw new ServeError("bad-request", "a call with this id is still running");
  if (calls.size >= MOST_CALLS)
    throw new ServeError("too-many-calls", `a client has at most ${MOST_CALLS} calls at once`);
  const own: RunningCall = { abort: new AbortController(), asking: false };
  calls.set(id, own);
  try {
    return await work(own);
  } finally {
    calls.delete(id);
  }
}

async function runCall(id: CallId, params: RunParams, own: RunningCall, session: Session): Promise<unknown> {
  const { command, cwd, stdin, timeout_ms, max_output_bytes, stream } = params;
  return run(session.setting.open(cwd), command, {
    ...askOptions(params, own, session),
    ...(stdin === undefined ? {} : { stdin }),
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
    ...(max_output_bytes === undefined ? {} : { maxOutputBytes: max_output_bytes }),
    ...(stream === false ? {} : { onOutput: (text: string) => session.client.sendOutput(id, text) }),
  });
}

async function decideCall(params: DecideParams, own: RunningCall, session: Session): Promise<unknown> {
  const denial = await decide(session.setting.open(params.cwd), params, askOptions(params, own, session));
  return denial === undefined ? { allowed: true } : { allowed: false, denial };
}

function askOptions(
  { session, ask_timeout_ms }: Pick<RunParams, "session" | "ask_timeout_ms">,
  own: RunningCall,
  { setting: { asker, askTimeoutMs }, client, tell }: Session,
): RunOptions {
  const timeout = ask_timeout_ms ?? askTimeoutMs;
  return {
    asker,
    signal: own.abort.signal,
    ...(session === undefined ? {} : { session }),
    ...(timeout === undefined ? {} : { askTimeoutMs: timeout }),
    onAsked(request: AskRequest) {
      own.asking = true;
      tell("permission.asked", request);
      if (client.left.aborted) own.abort.abort();
    },
    onReplied({ id, session }: AskRequest, answer: Reply | { readonly kind: "granted" }) {
      own.asking = false;
      tell("permission.replied", { id, session, reply: answer.kind, ...feedbackOf(answer) });
    },
  };
}

function feedbackOf(answer: Reply | { readonly kind: "granted" }): { readonly feedback?: string } {
  return answer.kind === "reject" && answer.feedback !== undefined ? { feedback: answer.feedback } : {};
}

function errorOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof ServeError) return { code: error.code, message: error.message };
  if (error instanceof DiagnosticError) return { code: "policy-error", message: error.message };
  const message = errorText(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "request-gone") return { code, message };
  if (code.startsWith("store-")) return { code: "store-error", message };
  return { code: "failed", message };
}
