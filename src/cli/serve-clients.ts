import { chmodSync, lstatSync, rmSync } from "node:fs";
import { connect, createServer as createSocketServer, type Socket } from "node:net";
import { resolve } from "node:path";
import { createServer, type Server } from "../adapters/serve.ts";
import { type ReplyParams, replyOf, ServeError } from "../adapters/serve-protocol.ts";
import { queueAsker } from "../ask/asker.ts";
import { openExistingStore } from "../ask/database.ts";
import { answerRequest, findPending, pendingRequests } from "../ask/requests.ts";
import { endOnSignals, stateFolderFor } from "../guard.ts";
import { storingFor, withStore } from "./answer-requests.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { openFor } from "./open.ts";
import { isReaderGone, READER_GONE, unwrittenText } from "./own-process.ts";

/** Serves standard input and output, or a socket until a signal comes. */
export async function runServe(verb: Verb, parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.operands.length > 0) throw new UsageError("`serve` takes no operands", verb);
  // A policy that does not load is told now, not to the first client.
  openFor(verb, parsed, terminal);
  const server = serverFor(verb, parsed, terminal);
  const path = parsed.text("socket");
  if (path !== undefined) return serveSocket(resolve(terminal.cwd, path), server, terminal);
  const failure = await server.serve({
    input: terminal.stdin as Socket,
    output: terminal.stdout as Socket,
    reads: true,
  });
  if (failure === undefined) return EXIT.ok;
  if (isReaderGone(failure)) return READER_GONE;
  throw new Error(unwrittenText(failure), { cause: failure });
}

function serverFor(verb: Verb, parsed: Parsed, terminal: Terminal): Server {
  const timeout = Number(parsed.text("ask-timeout") ?? 300);
  if (!Number.isFinite(timeout) || timeout <= 0) throw new UsageError("--ask-timeout wants a number above 0", verb);
  return createServer({
    open: (cwd) => openFor(verb, cwd === undefined ? parsed : withDirectory(parsed, cwd), terminal),
    asker: queueAsker(),
    pending: (session) => withStore(terminal, (store) => pendingRequests(store, session)) ?? [],
    reply: (params) => reply(params, terminal),
    askTimeoutMs: timeout * 1000,
  });
}

function withDirectory(parsed: Parsed, cwd: string): Parsed {
  return { ...parsed, text: (name) => (name === "cwd" ? cwd : parsed.text(name)) };
}

async function reply(params: ReplyParams, terminal: Terminal): Promise<void> {
  const store = openExistingStore(stateFolderFor(terminal.env));
  if (store === undefined) throw new ServeError("request-gone", "nothing waits for approval");
  const request = findPending(store, params.request);
  const storing = params.reply === "always" ? await storingFor(request, terminal) : undefined;
  const answer = replyOf(params, () => {
    const proposals = storing?.complete(params.patterns ?? []) ?? [];
    if (typeof proposals === "string") throw new ServeError("not-storable", proposals);
    return { kind: "always", proposals, scope: params.scope ?? "session" };
  });
  answerRequest(store, request.id, answer);
}

async function serveSocket(path: string, server: Server, { stderr }: Terminal): Promise<number> {
  await removeStale(path);
  const sockets = new Set<Socket>();
  const listener = createSocketServer((socket) => {
    sockets.add(socket);
    void server.serve({ input: socket, output: socket }).finally(() => sockets.delete(socket));
  });
  const ending = endOnSignals();
  try {
    await listen(listener, path);
    stderr.write(`guarded-sh: listening on ${path}\n`);
    await new Promise<void>((done) => ending.signal.addEventListener("abort", () => done(), { once: true }));
  } finally {
    ending.uninstall();
    for (const socket of sockets) socket.destroy();
    listener.close();
  }
  return EXIT.ok;
}

function listen(listener: ReturnType<typeof createSocketServer>, path: string): Promise<void> {
  // The socket must never exist with a mode that lets others in, not even between its making and a chmod.
  const before = process.umask(0o177);
  return new Promise<void>((done, fail) => {
    listener.once("error", fail);
    listener.listen(path, () => {
      chmodSync(path, 0o600);
      done();
    });
  }).finally(() => process.umask(before));
}

/** A socket that nobody listens on any more is left from a server that was killed. */
async function removeStale(path: string): Promise<void> {
  try {
    if (!lstatSync(path).isSocket()) throw new Error(`${path} exists and is no socket`);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  if (await answers(path)) throw new Error(`${path} is in use by another server`);
  rmSync(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path, () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });
}
