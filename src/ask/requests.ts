import { type AskRequest, cleanFeedback, type Reply, type RequestId } from "./asker.ts";
import { change, rowsOf, type Store, transaction } from "./database.ts";
import { addGrants } from "./grants.ts";
import { isAlive, type Owner } from "./owner.ts";

/** A question that waits for its answer, and the process that waits. */
export interface PendingRequest extends AskRequest {
  readonly owner: Owner;
}

/** The request that an answer is for is not there any more, or was answered before. */
export class RequestGoneError extends Error {
  readonly code = "request-gone";

  constructor(id: string) {
    super(
      `request-gone: \`${id}\` is not pending: it was answered, its time ran out, or the process that asked has ended`,
    );
    this.name = "RequestGoneError";
  }
}

/** What a waiting process finds when it looks after its request. */
export type RequestState =
  | { readonly kind: "pending"; readonly recheck: number; readonly turn: boolean }
  | { readonly kind: "answered"; readonly reply: Reply }
  | { readonly kind: "gone" };

/** Puts a question where every process of the user sees it. `screen`: it waits until those before it are off that screen. */
export function addRequest(store: Store, request: AskRequest, owner: Owner, screen: string | undefined): void {
  const sql = `INSERT INTO request (id, session, project, question, pid, started, host, screen, created_at, seen_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const { id, session, project, createdAt } = request;
  const { pid, started, host } = owner;
  const question = JSON.stringify(request);
  change(store, sql, id, session, project, question, pid, started, host, screen ?? null, createdAt, Date.now());
}

/** Looks after a request of this process. */
export function stateOf(store: Store, id: RequestId): RequestState {
  const [row] = rowsOf(store, "SELECT * FROM request WHERE id = ?", id) as readonly RequestRow[];
  if (row === undefined) return { kind: "gone" };
  if (row.reply !== null) return { kind: "answered", reply: JSON.parse(row.reply) as Reply };
  return { kind: "pending", recheck: row.recheck, turn: isFirst(store, row) };
}

/** One screen shows one request at a time; a process that died in front of others is no reason to wait. */
function isFirst(store: Store, { screen, number }: RequestRow): boolean {
  if (screen === null) return true;
  const sql = "SELECT * FROM request WHERE screen = ? AND number < ? AND reply IS NULL";
  return (rowsOf(store, sql, screen, number) as readonly RequestRow[]).every((row) => !lives(row));
}

/** Says that the process that waits is still there. */
export function noteLife(store: Store, id: RequestId): void {
  change(store, "UPDATE request SET seen_at = ? WHERE id = ?", Date.now(), id);
}

/** Questions that wait now, oldest first, of one session or of all. What a dead process left is removed. */
export function pendingRequests(store: Store, session?: string): readonly PendingRequest[] {
  removeGhosts(store);
  const open = "SELECT * FROM request WHERE reply IS NULL";
  const rows =
    session === undefined
      ? rowsOf(store, `${open} ORDER BY number`)
      : rowsOf(store, `${open} AND session = ? ORDER BY number`, session);
  return (rows as readonly RequestRow[]).map(({ question, pid, started, host }) => ({
    ...(JSON.parse(question) as AskRequest),
    owner: { pid, started, host },
  }));
}

/** The pending request with this id, or with the only id that begins so. Throws a `RequestGoneError`. */
export function findPending(store: Store, id: string): PendingRequest {
  const found = pendingRequests(store).filter(
    (request) => request.id === id || (id.length >= 4 && request.id.startsWith(id)),
  );
  const [request] = found;
  if (request === undefined || found.length > 1) throw new RequestGoneError(id);
  return request;
}

/**
 * Answers another process's request: grants are stored, the others of the session rejected or looked at again, all in one
 * transaction, so that a process that dies on the way changes nothing. Throws a `RequestGoneError`.
 */
export function answerRequest(store: Store, id: string, reply: Reply): void {
  transaction(store, () => {
    const row = openRow(store, id);
    if (row === undefined || !lives(row)) throw new RequestGoneError(id);
    takeEffect(store, row, reply);
    change(store, "UPDATE request SET reply = ? WHERE id = ?", JSON.stringify(withCleanFeedback(reply)), id);
  });
}

/** The end of a request of this process: the reply takes effect, unless another came first, which is then given back. */
export function closeRequest(store: Store, id: RequestId, reply: Reply): Reply {
  return transaction(store, () => {
    const state = stateOf(store, id);
    const row = state.kind === "pending" ? openRow(store, id) : undefined;
    if (row !== undefined) takeEffect(store, row, reply);
    change(store, "DELETE FROM request WHERE id = ?", id);
    return state.kind === "answered" ? state.reply : withCleanFeedback(reply);
  });
}

function openRow(store: Store, id: string): RequestRow | undefined {
  return (rowsOf(store, "SELECT * FROM request WHERE id = ? AND reply IS NULL", id) as readonly RequestRow[])[0];
}

function takeEffect(store: Store, { id, session, project }: RequestRow, reply: Reply): void {
  if (reply.kind === "always") {
    addGrants(store, { project, session, request: id, scope: reply.scope }, reply.proposals, new Date());
    // Each waiting process knows its own policy: it looks again by itself.
    change(store, "UPDATE request SET recheck = recheck + 1 WHERE session = ? AND id <> ?", session, id);
  } else if (reply.kind === "reject") {
    const sql = "UPDATE request SET reply = ? WHERE session = ? AND id <> ? AND reply IS NULL";
    change(store, sql, JSON.stringify({ kind: "cascade" } satisfies Reply), session, id);
  }
}

function withCleanFeedback(reply: Reply): Reply {
  if (reply.kind !== "reject") return reply;
  const feedback = cleanFeedback(reply.feedback);
  return feedback === undefined ? { kind: "reject" } : { kind: "reject", feedback };
}

function removeGhosts(store: Store): void {
  const dead = (rowsOf(store, "SELECT * FROM request") as readonly RequestRow[]).filter((row) => !lives(row));
  for (const { id } of dead) change(store, "DELETE FROM request WHERE id = ?", id);
}

function lives({ pid, started, host, seen_at }: RequestRow): boolean {
  return isAlive({ pid, started, host }, seen_at, Date.now());
}

interface RequestRow {
  readonly number: number;
  readonly id: string;
  readonly session: string;
  readonly project: string;
  readonly question: string;
  readonly pid: number;
  readonly started: string;
  readonly host: string;
  readonly screen: string | null;
  readonly reply: string | null;
  readonly recheck: number;
  readonly seen_at: number;
}
