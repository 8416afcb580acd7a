import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { start } from "./cli.ts";
import { type Host, startHost } from "./host.ts";
import { grantsIn, makePlace, type Place, pendingIn, tomlOf, until } from "./place.ts";

// The call chains of a permission module, with real processes: each host is one, each reply comes from another.
let place: Place;
let hosts: Host[];
beforeEach(() => {
  hosts = [];
});
afterEach(async () => {
  await Promise.all(hosts.map((host) => host.end()));
  place.remove();
});

function home(rules: readonly string[], otherwise = "ask"): void {
  place = makePlace({ "home/.config/guarded-sh/policy.toml": tomlOf(rules, otherwise) });
}

function host(): Host {
  const started = startHost(place);
  hosts.push(started);
  return started;
}

async function reply(subject: string, ...words: readonly string[]): Promise<void> {
  const found = await until(() => pendingIn(place).find(({ text }) => text === subject), `a request for ${subject}`);
  const { code, stderr } = await start(place, ["requests", "reply", found.id, ...words]).done;
  expect(stderr).toBe("");
  expect(code).toBe(0);
}

const SESSION = "sess-abc";
const decide = (one: Host, tool: string, subject: string, session = SESSION) =>
  one.call("decide", { tool, subject, session }).then(({ result }) => result);
const kindOf = (result: Readonly<Record<string, unknown>> | undefined) =>
  result?.allowed === true ? "allowed" : (result?.denial as { kind: string } | undefined)?.kind;

describe("call chains", () => {
  test("1: a file edit is asked, always is stored, the same edit passes, in a later process too", async () => {
    home(["allow read: *", "deny edit: .env"]);
    const first = host();
    const asked = decide(first, "edit", "src/app.ts");
    expect((await first.event("permission.asked")).params).toMatchObject({
      session: SESSION,
      tool: "edit",
      text: "src/app.ts",
      proposals: [{ tool: "edit", pattern: "src/app.ts", exact: true }],
    });
    await reply("src/app.ts", "always", "--scope", "project");
    expect(kindOf(await asked)).toBe("allowed");
    expect((await first.event("permission.replied")).params).toMatchObject({ reply: "always" });
    expect(grantsIn(place)).toMatchObject([
      { tool: "edit", pattern: "src/app.ts", scope: "project", project: place.project },
    ]);
    expect(kindOf(await decide(host(), "edit", "src/app.ts", "another"))).toBe("allowed");
  });

  test("2: a command that a rule denies is refused at once, with the rule, and nobody is asked", async () => {
    home(["deny rm -rf *"], "allow");
    const one = host();
    const { result } = await one.call("run", { command: "rm -rf /nowhere", session: SESSION });
    expect(result).toMatchObject({
      kind: "denied",
      is_error: true,
      denial: { kind: "rule", ran: false },
      segments: [{ because: [{ kind: "rule", pattern: "rm -rf *", action: "deny" }] }],
    });
    expect(one.messages.some(({ event }) => event === "permission.asked")).toBe(false);
  });

  test("3: a tool of an MCP server once approved is asked again", async () => {
    home([]);
    const one = host();
    for (const number of [1, 2]) {
      const asked = decide(one, "github.create_issue", "create issue with title x");
      await one.event("permission.asked", number);
      await reply("create issue with title x", "once");
      expect(kindOf(await asked)).toBe("allowed");
    }
    expect(grantsIn(place)).toEqual([]);
  });

  test("4: reject takes every pending request of the session with it, and none of another", async () => {
    home([]);
    const [one, two, three, other] = [host(), host(), host(), host()];
    const all = [
      decide(one, "edit", "src/a.ts"),
      decide(two, "edit", "src/b.ts"),
      three.call("run", { command: "npm test", session: SESSION }).then(({ result }) => result),
    ];
    const elsewhere = decide(other, "edit", "src/d.ts", "sess-other");
    await until(() => pendingIn(place).length === 4, "four requests");
    await reply("src/a.ts", "reject", "--feedback", "edit the tests first");
    const results = await Promise.all(all);
    expect(results.map(kindOf)).toEqual(["corrected", "cascade", "cascade"]);
    expect(results[0]?.denial).toMatchObject({ feedback: "edit the tests first" });
    expect(pendingIn(place).map(({ text }) => text)).toEqual(["src/d.ts"]);
    await reply("src/d.ts", "reject");
    expect(kindOf(await elsewhere)).toBe("rejected");
  });

  test("5: always for one file leaves the others waiting; for a folder it releases them, in this session only", async () => {
    home([]);
    const [one, two, three, other] = [host(), host(), host(), host()];
    const [a, b, c] = [
      decide(one, "edit", "src/a.ts"),
      decide(two, "edit", "src/b.ts"),
      decide(three, "edit", "src/c.ts"),
    ];
    const elsewhere = decide(other, "edit", "src/d.ts", "sess-other");
    await until(() => pendingIn(place).length === 4, "four requests");
    await reply("src/a.ts", "always");
    expect(kindOf(await a)).toBe("allowed");
    expect(pendingIn(place)).toHaveLength(3);
    await reply("src/b.ts", "always", "--pattern", "src/**");
    expect((await Promise.all([b, c])).map(kindOf)).toEqual(["allowed", "allowed"]);
    expect(pendingIn(place).map(({ text }) => text)).toEqual(["src/d.ts"]);
    await reply("src/d.ts", "once");
    expect(kindOf(await elsewhere)).toBe("allowed");
  });

  test("6: the same call for the third time in a row is asked as doom_loop, until always", async () => {
    home([], "allow");
    const one = host();
    const call = () => decide(one, "edit", "src/a.ts");
    expect([kindOf(await call()), kindOf(await call())]).toEqual(["allowed", "allowed"]);
    const third = call();
    expect((await one.event("permission.asked")).params).toMatchObject({
      tool: "doom_loop",
      text: "edit",
      reasons: [expect.stringContaining("third time in a row")],
    });
    await reply("edit", "always");
    expect(kindOf(await third)).toBe("allowed");
    expect([kindOf(await call()), kindOf(await call())]).toEqual(["allowed", "allowed"]);
    expect(grantsIn(place)).toMatchObject([{ tool: "doom_loop", pattern: "edit" }]);
  });

  test("a file that is denied stays denied after always on another file, however wide", async () => {
    home(["deny edit: SECRET.md", "ask edit: *"]);
    const one = host();
    const asked = decide(one, "edit", "docs/guide.md");
    await reply("docs/guide.md", "always", "--scope", "project", "--pattern", "**/*.md");
    expect(kindOf(await asked)).toBe("allowed");
    expect(kindOf(await decide(one, "edit", "README.md"))).toBe("allowed");
    expect(kindOf(await decide(one, "edit", "SECRET.md"))).toBe("rule");
  });
});
