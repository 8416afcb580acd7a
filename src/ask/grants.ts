import type { Proposal, Scope } from "./asker.ts";
import { change, rowsOf, type Store } from "./database.ts";

/** A remembered *always*. It answers an ask, never a deny. */
export interface Grant {
  readonly id: number;
  readonly project: string;
  readonly tool: string;
  readonly pattern: string;
  /** The pattern is a text, not a wildcard. */
  readonly exact: boolean;
  readonly decision: "allow";
  readonly scope: Scope;
  /** The session it was given in; it reaches no other when the scope is `session`. */
  readonly session: string;
  /** The request it was given for. */
  readonly request: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** Days after which what was granted for a session is forgotten. */
const SESSION_DAYS = 30;

/** The grants that count for a session of a project, oldest first. */
export function grantsFor(store: Store, project: string, session: string): readonly Grant[] {
  const sql = `SELECT * FROM "grant" WHERE project = ? AND (scope = 'project' OR session = ?) ORDER BY id`;
  return rowsOf(store, sql, project, session).map(grantOf);
}

/** All grants of a project, or of every project. */
export function listGrants(store: Store, project: string | undefined): readonly Grant[] {
  const rows =
    project === undefined
      ? rowsOf(store, `SELECT * FROM "grant" ORDER BY project, id`)
      : rowsOf(store, `SELECT * FROM "grant" WHERE project = ? ORDER BY id`, project);
  return rows.map(grantOf);
}

/** Where a grant comes from. */
export interface GrantOrigin {
  readonly project: string;
  readonly session: string;
  readonly request: string;
  readonly scope: Scope;
}

/** Stores what a person granted; what is there already stays as it is. Inside a transaction of the caller. */
export function addGrants(store: Store, origin: GrantOrigin, proposals: readonly Proposal[], now: Date): void {
  const sql = `INSERT OR IGNORE INTO "grant"
    (project, tool, pattern, exact, decision, scope, session, request, created_at) VALUES (?, ?, ?, ?, 'allow', ?, ?, ?, ?)`;
  const { project, scope, session, request } = origin;
  for (const { tool, pattern, exact } of proposals)
    change(store, sql, project, tool, pattern, exact ? 1 : 0, scope, session, request, now.toISOString());
  const oldest = new Date(now.getTime() - SESSION_DAYS * 86_400_000).toISOString();
  change(store, `DELETE FROM "grant" WHERE scope = 'session' AND coalesce(last_used_at, created_at) < ?`, oldest);
}

/** Notes that grants have answered a question. */
export function touchGrants(store: Store, ids: readonly number[], now: Date): void {
  for (const id of ids) change(store, `UPDATE "grant" SET last_used_at = ? WHERE id = ?`, now.toISOString(), id);
}

/** Forgets one grant; false when there is none of that number. */
export function revokeGrant(store: Store, id: number): boolean {
  return change(store, `DELETE FROM "grant" WHERE id = ?`, id) > 0;
}

/** Forgets the grants of a project, or of every project; gives how many there were. */
export function clearGrants(store: Store, project: string | undefined): number {
  return project === undefined
    ? change(store, `DELETE FROM "grant"`)
    : change(store, `DELETE FROM "grant" WHERE project = ?`, project);
}

interface GrantRow {
  readonly id: number;
  readonly project: string;
  readonly tool: string;
  readonly pattern: string;
  readonly exact: number;
  readonly scope: Scope;
  readonly session: string;
  readonly request: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

function grantOf(row: unknown): Grant {
  const { id, project, tool, pattern, exact, scope, session, request, created_at, last_used_at } = row as GrantRow;
  const times = { createdAt: created_at, lastUsedAt: last_used_at };
  return { id, project, tool, pattern, exact: exact === 1, decision: "allow", scope, session, request, ...times };
}
