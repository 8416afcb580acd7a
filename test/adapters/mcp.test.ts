import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMcpServer, type HttpServing, type McpSetting, serveHttp } from "../../src/adapters/mcp/index.ts";
import { neverAsker } from "../../src/ask/index.ts";
import { makeWorld, type World } from "./world.ts";

let world: World;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  world = makeWorld();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  world.remove();
});

const POLICY = `[permissions]
default_action = "deny"
${["ls *", "pwd", "cd *", "echo *", "sleep *", "cat", "exit *"].map((pattern) => rule(pattern, "allow")).join("")}
${rule("git push *", "ask")}`;

function rule(pattern: string, action: string): string {
  return `[[permissions.rule]]\ntool = "bash"\npattern = "${pattern}"\naction = "${action}"\n`;
}

function settingOf(): McpSetting {
  writeFileSync(world.policy, POLICY);
  const guard = { cwd: world.cwd, env: world.env, policyFiles: [world.policy], managedPath: join(world.cwd, "none") };
  return { guard, version: "0.0.0", session: "test", asker: neverAsker };
}

interface Asking {
  readonly answer?: (message: string) => ElicitResult;
}

async function connect({ answer }: Asking = {}): Promise<Client> {
  const client = new Client(
    { name: "test", version: "0" },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(settingOf());
  open.push(client, server);
  await server.connect(far);
  await client.connect(near);
  // Lists the tools, so that the client checks every result against the schema.
  await client.listTools();
  return client;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly result: Record<string, unknown> | undefined;
}

async function call(client: Client, name: string, input: Record<string, unknown>): Promise<Answer> {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: input });
  const [part] = content as readonly { readonly text: string }[];
  return {
    text: part?.text ?? "",
    isError: isError === true,
    result: structuredContent as Record<string, unknown> | undefined,
  };
}

describe("the tools", () => {
  test("are bash and check, with schemas and annotations", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["bash", false],
      ["check", true],
    ]);
    expect(tools[0]?.description?.split("\n")).toHaveLength(3);
    expect(client.getInstructions()).toMatch(/rules/);
  });

  test("bash runs what is allowed and gives the result's schema", async () => {
    const answer = await call(await connect(), "bash", { command: "echo a | cat", description: "d" });
    expect(answer).toMatchObject({
      text: "a",
      isError: false,
      result: { version: 1, kind: "ran", decision: "allow", execution: { exit: { kind: "exited", code: 0 } } },
    });
  });

  test("bash runs nothing of a text with a part that is denied", async () => {
    const answer = await call(await connect(), "bash", { command: "ls && rm -rf x" });
    expect(answer).toMatchObject({
      isError: true,
      result: { kind: "denied", denial: { kind: "default", ran: false } },
    });
    expect(answer.text).toMatch(/^guarded-sh: denied, nothing was run/);
  });

  test("check judges and runs nothing", async () => {
    const answer = await call(await connect(), "check", { command: "ls && rm -rf x" });
    expect(answer).toMatchObject({ isError: false, result: { kind: "checked", decision: "deny" } });
    expect(answer.text).toMatch(/^deny\nallow `ls`: .*\ndeny `rm -rf x`: /);
  });

  test("an exit status is an error that says so", async () => {
    const answer = await call(await connect(), "bash", { command: "echo no; exit 3" });
    expect(answer).toMatchObject({ text: "no\n[exit status 3]", isError: true, result: { kind: "ran" } });
  });

  test("standard input is given, a time limit ends the command", async () => {
    const client = await connect();
    expect((await call(client, "bash", { command: "cat", stdin: "hello\n" })).text).toBe("hello");
    const late = await call(client, "bash", { command: "sleep 20", timeout_ms: 300 });
    expect(late.text).toMatch(/timed out after 0.3 s/);
  });

  test.each([
    [{}],
    [{ command: "ls", job: "1" }],
    [{ command: 1 }],
    [{ command: "ls", shell: "zsh" }],
    [{ command: "ls", timeout_ms: -1 }],
    [{ job: "9" }],
  ])("arguments that mean nothing run nothing: %j", async (input) => {
    const answer = await call(await connect(), "bash", input);
    expect(answer).toMatchObject({ isError: true, result: undefined });
    expect(answer.text).toMatch(/^guarded-sh: failed, nothing was run: \w+: /);
  });

  test("a policy that breaks while the server runs stops everything", async () => {
    const client = await connect();
    writeFileSync(world.policy, "[permissions]\n");
    const answer = await call(client, "bash", { command: "ls" });
    expect(answer).toMatchObject({ isError: true, result: undefined });
    expect(answer.text).toMatch(/missing-field/);
  });
});

describe("a session", () => {
  test("keeps its directory, and its policy wherever the directory is", async () => {
    const client = await connect();
    mkdirSync(join(world.cwd, "deep"));
    const moved = await call(client, "bash", { command: "cd deep" });
    expect(moved.text).toBe(`[the directory is now ${join(world.cwd, "deep")}]`);
    expect((await call(client, "bash", { command: "pwd" })).text).toBe(join(world.cwd, "deep"));
    expect((await call(client, "bash", { command: "pwd", cwd: ".." })).text).toBe(world.cwd);
    await call(client, "bash", { command: "cd /" });
    expect((await call(client, "bash", { command: "rm x" })).isError).toBe(true);
  });

  test("has jobs in the background that can be waited for", async () => {
    const client = await connect();
    const started = await call(client, "bash", { command: "echo begun; sleep 1.5; echo over", background: true });
    expect(started).toMatchObject({ text: "[job 1 is running]\nbegun", isError: false, result: { kind: "checked" } });
    const ended = await call(client, "bash", { job: "1", timeout_ms: 10_000 });
    expect(ended).toMatchObject({ text: "begun\nover", isError: false, result: { kind: "ran" } });
  });

  test("a job that is denied is never started", async () => {
    const answer = await call(await connect(), "bash", { command: "rm x", background: true });
    expect(answer).toMatchObject({ isError: true, result: { kind: "denied" } });
  });

  test("is told of progress", async () => {
    const client = await connect();
    const seen: string[] = [];
    await client.callTool({ name: "bash", arguments: { command: "echo working; sleep 2.2" } }, undefined, {
      onprogress: ({ message }) => seen.push(message ?? ""),
    });
    expect(seen).toEqual(["working", "working"]);
  });

  test("a cancelled call ends its command", async () => {
    const client = await connect();
    const end = new AbortController();
    const calling = client.callTool({ name: "bash", arguments: { command: "sleep 31.71" } }, undefined, {
      signal: end.signal,
    });
    await expect.poll(() => running("sleep 31.71"), { timeout: 10_000 }).toBe(true);
    end.abort();
    await expect(calling).rejects.toThrow();
    await expect.poll(() => running("sleep 31.71"), { timeout: 10_000 }).toBe(false);
  });
});

/** Whether a process with these words runs. */
function running(words: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").join(" ").trim() === words;
      } catch {
        return false;
      }
    });
}

describe("a question", () => {
  const accept = (content: Record<string, string>) => (): ElicitResult => ({ action: "accept", content });

  test.each([
    ["once", accept({ answer: "once" }), "ran"],
    ["reject", accept({ answer: "reject" }), "rejected"],
    ["a correction", accept({ answer: "reject", feedback: "push to a branch" }), "rejected"],
    ["a form without an answer", accept({}), "denied"],
    ["decline", (): ElicitResult => ({ action: "decline" }), "rejected"],
    ["cancel", (): ElicitResult => ({ action: "cancel" }), "denied"],
  ])("is put to the client's person: %s", async (_, answer, kind) => {
    const messages: string[] = [];
    const client = await connect({
      answer: (message) => {
        messages.push(message);
        return answer();
      },
    });
    const { result, text } = await call(client, "bash", { command: "git push --dry-run" });
    expect(result).toMatchObject({ kind });
    expect(messages[0]).toMatch(/git push --dry-run/);
    if (kind !== "ran") expect(text).toMatch(/nothing was run/);
  });

  test("without a person it is a denial at once", async () => {
    const answer = await call(await connect(), "bash", { command: "git push" });
    expect(answer).toMatchObject({ isError: true, result: { kind: "denied", denial: { kind: "ask-unavailable" } } });
  });
});

describe("over HTTP", () => {
  const secret = "a-secret-of-the-test";
  async function serve(): Promise<HttpServing> {
    const serving = await serveHttp({ ...settingOf(), port: 0, secret });
    open.push(serving);
    return serving;
  }

  async function connectTo({ url }: HttpServing): Promise<Client> {
    const client = new Client({ name: "test", version: "0" });
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as Transport);
    open.unshift(client);
    return client;
  }

  test("clients have sessions of their own", async () => {
    const serving = await serve();
    const [one, other] = [await connectTo(serving), await connectTo(serving)];
    await call(one, "bash", { command: "cd /" });
    expect((await call(one, "bash", { command: "pwd" })).text).toBe("/");
    expect((await call(other, "bash", { command: "pwd" })).text).toBe(world.cwd);
    expect((await call(other, "bash", { command: "rm x" })).isError).toBe(true);
  });

  test.each<[string, Record<string, string>, number]>([
    ["no secret", {}, 401],
    ["another secret", { authorization: "Bearer another" }, 401],
    ["another origin", { authorization: `Bearer ${secret}`, origin: "https://evil.example" }, 403],
    ["no such session", { authorization: `Bearer ${secret}`, "mcp-session-id": "x" }, 404],
  ])("%s is refused", async (_, headers, status) => {
    const { url } = await serve();
    const response = await fetch(url, { method: "POST", headers: { ...headers, "content-type": "application/json" } });
    expect(response.status).toBe(status);
  });

  test("a short secret opens nothing", async () => {
    await expect(serveHttp({ ...settingOf(), port: 0, secret: "short" })).rejects.toThrow(/secret/);
  });
});
