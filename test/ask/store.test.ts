import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AskRequest, Reply, RequestId } from "../../src/ask/asker.ts";
import { databaseFile, openExistingStore, openStore, type Store, transaction } from "../../src/ask/database.ts";
import { addGrants, clearGrants, grantsFor, listGrants, revokeGrant } from "../../src/ask/grants.ts";
import { thisProcess } from "../../src/ask/owner.ts";
import {
  addRequest,
  answerRequest,
  closeRequest,
  findPending,
  pendingRequests,
  RequestGoneError,
  stateOf,
} from "../../src/ask/requests.ts";
import { storeErrorFrom } from "../../src/ask/store-error.ts";
import { errorText } from "../../src/text/index.ts";
import { makePlace, type Place } from "./place.ts";

let place: Place;
let store: Store;
beforeEach(() => {
  place = makePlace();
  store = openStore(place.state);
});
afterEach(() => {
  place.remove();
});

function request(id: string, session = "s1", project = "/p"): AskRequest {
  const part = { tool: "bash", subject: "git push", span: undefined, reason: "no rule", proposals: [] };
  return {
    id: id as RequestId,
    session,
    project,
    tool: "bash",
    text: "git push",
    cwd: "/p",
    parts: [part],
    reasons: ["no rule"],
    proposals: [],
    policyFiles: [],
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

function faultOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

const GIT = { tool: "bash", pattern: "git push *", exact: false };
const now = new Date("2026-01-01T00:00:00.000Z");

describe("the database file", () => {
  test("is for its user alone", () => {
    expect(statSync(place.state).mode & 0o777).toBe(0o700);
    expect(readdirSync(place.state).map((name) => statSync(join(place.state, name)).mode & 0o777)).toEqual(
      expect.arrayContaining([0o600]),
    );
    expect(statSync(databaseFile(place.state)).mode & 0o777).toBe(0o600);
  });

  test("is not made by looking", () => {
    expect(openExistingStore(join(place.home, "elsewhere"))).toBeUndefined();
  });

  test.each([
    ["garbage", "this is no database, whatever its name says. ".repeat(100), "store-corrupt"],
    ["a short text", "x", "store-corrupt"],
  ])("%s is refused, with the mend, and left as it is", (_, text, code) => {
    const folder = join(place.home, "broken");
    mkdirSync(folder);
    writeFileSync(databaseFile(folder), text);
    expect(() => openStore(folder)).toThrow(expect.objectContaining({ code, help: expect.stringContaining("mv ") }));
    expect(readFileSync(databaseFile(folder), "utf8")).toBe(text);
  });

  test("that was cut off is refused and left as it is", () => {
    const folder = join(place.home, "cut");
    const { database } = openStore(folder);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const bytes = readFileSync(databaseFile(folder)).subarray(0, 700);
    writeFileSync(databaseFile(folder), bytes);
    expect(() => openStore(folder)).toThrow(expect.objectContaining({ code: "store-corrupt" }));
    expect(readFileSync(databaseFile(folder))).toEqual(bytes);
  });

  test("of another program is refused and left as it is", () => {
    const folder = join(place.home, "foreign");
    mkdirSync(folder);
    const foreign = new Libsql(databaseFile(folder));
    foreign.exec("CREATE TABLE notes (text)");
    foreign.close();
    expect(() => openStore(folder)).toThrow(expect.objectContaining({ code: "store-foreign" }));
  });

  test("of a newer version is refused", () => {
    const folder = join(place.home, "newer");
    mkdirSync(folder);
    const newer = new Libsql(databaseFile(folder));
    newer.exec("PRAGMA user_version = 99");
    expect(() => openStore(folder)).toThrow(
      expect.objectContaining({ code: "store-newer", help: expect.stringContaining("mv ") }),
    );
  });

  test.each([
    ["a folder in its place", (folder: string) => mkdirSync(databaseFile(folder), { recursive: true })],
    ["a file in place of its folder", (folder: string) => writeFileSync(folder, "")],
    ["a link that goes round", (folder: string) => symlinkSync(folder, folder)],
  ])("%s is said in words, with the path and the mend", (name, make) => {
    const folder = join(place.home, name);
    make(folder);
    const fault = faultOf(() => openStore(folder));
    expect(fault).toMatchObject({ code: "store-unreadable", help: expect.stringContaining(databaseFile(folder)) });
    expect(fault.message).toMatch(/^store-unreadable: \S.* cannot be used: [a-z][a-z ]+$/);
  });

  test("every error of it has a mend", () => {
    const failed = ["SQLITE_BUSY", "SQLITE_CORRUPT", "SQLITE_FULL", "SQLITE_IOERR_READ", "ENOSPC", "EROFS"].map(
      (code) => storeErrorFrom(Object.assign(new Error(`ConnectionFailed("${code}")`), { code }), "/s/guarded-sh.db"),
    );
    for (const error of failed) {
      expect(errorText(error)).toMatch(/^store-[a-z]+: \/s\/guarded-sh\.db .*\nhelp: ./);
      expect(errorText(error)).not.toContain("ConnectionFailed");
    }
  });

  test("that others can write is refused", () => {
    chmodSync(databaseFile(place.state), 0o666);
    expect(() => openStore(place.state)).toThrow(expect.objectContaining({ code: "store-open" }));
  });

  test("that another process holds is an error that names it, after a wait", () => {
    const other = new Libsql(databaseFile(place.state));
    other.exec("BEGIN IMMEDIATE");
    expect(() => transaction(store, () => {})).toThrow(expect.objectContaining({ code: "store-locked" }));
    other.exec("ROLLBACK");
  });
});

describe("grants", () => {
  test("of a session count for it alone, of a project for all its sessions, of another project never", () => {
    addGrants(store, { project: "/p", session: "s1", request: "r", scope: "session" }, [GIT], now);
    addGrants(
      store,
      { project: "/p", session: "s1", request: "r", scope: "project" },
      [{ ...GIT, pattern: "ls *" }],
      now,
    );
    const patterns = (project: string, session: string) =>
      grantsFor(store, project, session).map(({ pattern }) => pattern);
    expect(patterns("/p", "s1")).toEqual(["git push *", "ls *"]);
    expect(patterns("/p", "s2")).toEqual(["ls *"]);
    expect(patterns("/q", "s1")).toEqual([]);
  });

  test("given twice are stored once", () => {
    for (const request of ["r1", "r2"])
      addGrants(store, { project: "/p", session: "s1", request, scope: "project" }, [GIT], now);
    expect(listGrants(store, undefined)).toEqual([
      {
        id: 1,
        project: "/p",
        tool: "bash",
        pattern: "git push *",
        exact: false,
        decision: "allow",
        scope: "project",
        session: "s1",
        request: "r1",
        createdAt: now.toISOString(),
        lastUsedAt: null,
      },
    ]);
  });

  test("are revoked by number and cleared by project", () => {
    for (const project of ["/p", "/q"])
      addGrants(store, { project, session: "s", request: "r", scope: "project" }, [GIT], now);
    expect([revokeGrant(store, 1), revokeGrant(store, 1)]).toEqual([true, false]);
    expect([clearGrants(store, "/p"), clearGrants(store, undefined)]).toEqual([0, 1]);
  });
});

describe("requests", () => {
  const add = (id: string, session?: string) => addRequest(store, request(id, session), thisProcess(), undefined);
  const always: Reply = { kind: "always", proposals: [GIT], scope: "session" };

  test("are found by the beginning of their id, if it says enough", () => {
    add("abcd1111");
    add("abcd2222");
    expect(findPending(store, "abcd1").id).toBe("abcd1111");
    expect(() => findPending(store, "abcd")).toThrow(RequestGoneError);
    expect(() => findPending(store, "abc")).toThrow(RequestGoneError);
  });

  test("once answers one and no other", () => {
    for (const id of ["a", "b"]) add(id);
    answerRequest(store, "a", { kind: "once" });
    expect([stateOf(store, "a" as RequestId).kind, stateOf(store, "b" as RequestId).kind]).toEqual([
      "answered",
      "pending",
    ]);
    expect(listGrants(store, undefined)).toEqual([]);
  });

  test("reject takes every pending one of the session with it, and none of another session", () => {
    add("a");
    add("b");
    add("c", "s2");
    answerRequest(store, "a", { kind: "reject", feedback: "\u001b[2Jno\u202e " });
    expect(closeRequest(store, "a" as RequestId, { kind: "cancelled" })).toEqual({ kind: "reject", feedback: "[2Jno" });
    expect(closeRequest(store, "b" as RequestId, { kind: "cancelled" })).toEqual({ kind: "cascade" });
    expect(pendingRequests(store).map(({ id }) => id)).toEqual(["c"]);
  });

  test("always stores the grant with the answer, and has the session's others look again", () => {
    add("a");
    add("b");
    add("c", "s2");
    answerRequest(store, "a", always);
    expect(listGrants(store, undefined)).toHaveLength(1);
    expect(stateOf(store, "b" as RequestId)).toMatchObject({ kind: "pending", recheck: 1 });
    expect(stateOf(store, "c" as RequestId)).toMatchObject({ kind: "pending", recheck: 0 });
  });

  test("the first answer counts; a later one is told that it is gone", () => {
    add("a");
    answerRequest(store, "a", { kind: "once" });
    expect(() => answerRequest(store, "a", { kind: "reject" })).toThrow(RequestGoneError);
    expect(closeRequest(store, "a" as RequestId, { kind: "reject" })).toEqual({ kind: "once" });
    expect(() => answerRequest(store, "a", { kind: "once" })).toThrow(
      expect.objectContaining({ code: "request-gone" }),
    );
  });

  test("an end that comes too late changes nothing: no grant, no cascade", () => {
    add("a");
    add("b");
    answerRequest(store, "a", { kind: "once" });
    closeRequest(store, "a" as RequestId, { kind: "reject" });
    expect(stateOf(store, "b" as RequestId).kind).toBe("pending");
  });

  test("of a process that is gone, or whose number another process has now, are no more", () => {
    const { host } = thisProcess();
    addRequest(store, request("dead"), { pid: 2 ** 22 - 3, started: "1", host }, undefined);
    addRequest(store, request("reused"), { ...thisProcess(), started: "1" }, undefined);
    add("alive");
    expect(pendingRequests(store).map(({ id }) => id)).toEqual(
      process.platform === "linux" ? ["alive"] : ["reused", "alive"],
    );
    expect(() => answerRequest(store, "dead", always)).toThrow(RequestGoneError);
    expect(listGrants(store, undefined)).toEqual([]);
  });

  test("of one screen come one after the other, and do not wait for the dead", () => {
    const { host } = thisProcess();
    addRequest(store, request("dead"), { pid: 2 ** 22 - 3, started: "1", host }, "tty 1");
    for (const [id, screen] of [
      ["a", "tty 1"],
      ["b", "tty 1"],
      ["c", "tty 2"],
    ] as const)
      addRequest(store, request(id), thisProcess(), screen);
    const turn = (id: string) => stateOf(store, id as RequestId);
    expect(["a", "b", "c"].map(turn)).toMatchObject([{ turn: true }, { turn: false }, { turn: true }]);
    closeRequest(store, "a" as RequestId, { kind: "once" });
    expect(turn("b")).toMatchObject({ turn: true });
  });
});
