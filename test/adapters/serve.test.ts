import { statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import schema from "../../src/adapters/serve.schema.json" with { type: "json" };
import { type Started, start } from "../ask/cli.ts";
import { type Host, type Message, startHost } from "../ask/host.ts";
import { makePlace, type Place, pendingIn, tomlOf, until } from "../ask/place.ts";

let place: Place;
let host: Host;
beforeEach(() => {
  place = makePlace({
    "home/.config/guarded-sh/policy.toml": tomlOf(["deny rm *", "allow printf *", "allow sleep *", "allow seq *"]),
  });
  host = startHost(place);
});
afterEach(async () => {
  await host.end();
  place.remove();
});

const validate = new Ajv2020({ strict: false }).compile(schema);

describe("a host on standard input and output", () => {
  test("is told the version of the protocol first", async () => {
    expect(await host.event("ready")).toEqual({ event: "ready", params: { protocol: 1 } });
  });

  test("has texts judged and run, with the output as it comes", async () => {
    expect((await host.call("check", { command: "printf a && rm b" })).result).toMatchObject({
      kind: "checked",
      decision: "deny",
    });
    const { id, result } = await host.call("run", { command: "printf 'a\\nb\\n'" });
    expect(result).toMatchObject({ kind: "ran", execution: { output: "a\nb\n" } });
    expect((await host.event("output")).params).toMatchObject({ call: id, text: expect.stringContaining("a") });
  });

  test("is asked, answers, and is told what became of it", async () => {
    const run = host.call("run", { command: "echo hi", session: "s" });
    const asked = (await host.event("permission.asked")).params;
    expect(asked).toMatchObject({
      session: "s",
      text: "echo hi",
      parts: [{ subject: "echo hi", span: { start: 0, end: 7 } }],
    });
    expect((await host.call("permission.list", {})).result).toMatchObject({ requests: [{ id: asked?.id }] });
    await host.call("permission.reply", { request: asked?.id, reply: "always", scope: "session" });
    expect((await run).result).toMatchObject({ kind: "ran", approved_by: "person" });
    expect((await host.event("permission.replied")).params).toMatchObject({ id: asked?.id, reply: "always" });
    expect((await host.call("check", { command: "echo x", session: "s" })).result).toMatchObject({ decision: "allow" });
    expect((await host.call("check", { command: "echo x", session: "t" })).result).toMatchObject({ decision: "ask" });
  });

  test("is told why an answer cannot be taken, and the question stays", async () => {
    const run = host.call("run", { command: "echo hi" });
    const request = (await host.event("permission.asked")).params?.id;
    const errorOf = async (params: Readonly<Record<string, unknown>>) =>
      (await host.call("permission.reply", params)).error?.code;
    expect(await errorOf({ request, reply: "always", patterns: ["*"] })).toBe("not-storable");
    expect(await errorOf({ request: "ffffffff", reply: "once" })).toBe("request-gone");
    expect(await errorOf({ request, reply: "never" })).toBe("bad-request");
    await host.call("permission.reply", { request, reply: "reject", feedback: "use printf" });
    expect((await run).result).toMatchObject({ denial: { kind: "corrected", feedback: "use printf" } });
  });

  test("cancels a call that runs, and one that is asked", async () => {
    for (const command of ["sleep 30", "echo hi"]) {
      const run = host.call("run", { command });
      if (command === "echo hi") await host.event("permission.asked");
      else await new Promise((resolve) => setTimeout(resolve, 300));
      const id = host.messages.filter((message) => message.id !== undefined).length + 1;
      expect((await host.call("cancel", { call: id })).result).toEqual({ cancelled: true });
      expect((await run).result).toMatchObject({ is_error: true });
    }
  });

  test.each([
    ["not JSON", "{", null],
    ["no object", "[]", null],
    ["no id", '{"method":"check"}', null],
    ["no such method", '{"id":"x","method":"exec"}', "x"],
    ["a parameter of another type", '{"id":"x","method":"run","params":{"command":"ls","timeout_ms":"1"}}', "x"],
    ["no command", '{"id":"x","method":"run","params":{}}', "x"],
  ])("%s is answered with an error, and the next line is read", async (_, line, id) => {
    host.send(line);
    await until(() => host.messages.find((message) => message.error !== undefined), "the error");
    expect(host.messages.find(({ error }) => error !== undefined)).toMatchObject({
      id,
      error: { code: "bad-request" },
    });
    expect((await host.call("check", { command: "printf a" })).result).toMatchObject({ decision: "allow" });
  });

  test("that closes its input gets the end of what runs; what waits for an answer is cancelled", async () => {
    host.send('{"id":"a","method":"run","params":{"command":"sleep 0.5; printf done"}}');
    host.send('{"id":"b","method":"run","params":{"command":"echo hi"}}');
    await host.event("permission.asked");
    await host.end();
    const result = (id: string) => host.messages.find((message) => message.id === id)?.result;
    expect(result("a")).toMatchObject({ kind: "ran", execution: { output: "done" } });
    expect(result("b")).toMatchObject({ denial: { kind: "cancelled" } });
    expect(pendingIn(place)).toEqual([]);
  });

  test("sends and takes what the schema says", async () => {
    const run = host.call("run", { command: "echo hi" });
    const request = (await host.event("permission.asked")).params?.id;
    await host.call("permission.reply", { request, reply: "once" });
    await run;
    await host.call("decide", { tool: "edit", subject: "a.ts", ask_timeout_ms: 10 });
    await host.call("nothing", {});
    for (const message of host.messages) expect([validate(message), validate.errors]).toEqual([true, null]);
  });
});

describe("clients of a socket", () => {
  let server: Started;
  let path: string;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    path = join(place.home, "guarded.sock");
    server = start(place, ["serve", "--socket", path]);
    await until(() => server.said().includes("listening"), "the socket");
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.child.kill("SIGTERM");
    await server.done;
  });

  function client() {
    const socket = connect(path);
    sockets.push(socket);
    const messages: Message[] = [];
    createInterface({ input: socket }).on("line", (line) => messages.push(JSON.parse(line) as Message));
    socket.on("error", () => {});
    return {
      socket,
      messages,
      send: (value: unknown) => socket.write(`${JSON.stringify(value)}\n`),
      find: (look: (message: Message) => boolean, what: string) => until(() => messages.find(look), what),
    };
  }

  test("are of its user alone", () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("all hear questions, any may answer", async () => {
    const [one, two] = [client(), client()];
    await two.find(({ event }) => event === "ready", "ready");
    one.send({ id: 1, method: "run", params: { command: "echo hi" } });
    const { params } = await two.find(({ event }) => event === "permission.asked", "the question");
    two.send({ id: 1, method: "permission.reply", params: { request: params?.id, reply: "once" } });
    expect((await one.find(({ id }) => id === 1, "the result")).result).toMatchObject({ kind: "ran" });
    expect(two.messages.some(({ event }) => event === "output")).toBe(false);
  });

  test("that go away take their own calls with them, and no others", async () => {
    const [one, two] = [client(), client()];
    await two.find(({ event }) => event === "ready", "ready");
    one.send({ id: 1, method: "run", params: { command: "echo one" } });
    two.send({ id: 1, method: "run", params: { command: "echo two" } });
    await until(() => pendingIn(place).length === 2, "two requests");
    one.socket.destroy();
    await until(() => pendingIn(place).length === 1, "one request");
    const [left] = pendingIn(place);
    expect(left?.text).toBe("echo two");
    two.send({ id: 2, method: "permission.reply", params: { request: left?.id, reply: "once" } });
    expect((await two.find(({ id }) => id === 1, "the result")).result).toMatchObject({ kind: "ran" });
  });

  test("that do not read get their answer in the end, and hold up nobody", async () => {
    const [slow, other] = [client(), client()];
    await slow.find(({ event }) => event === "ready", "ready");
    slow.socket.pause();
    slow.send({ id: 1, method: "run", params: { command: "seq 1 400000" } });
    other.send({ id: 1, method: "check", params: { command: "printf a" } });
    expect((await other.find(({ id }) => id === 1, "the other's answer")).result).toMatchObject({ decision: "allow" });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    slow.socket.resume();
    expect((await slow.find(({ id }) => id === 1, "the result")).result).toMatchObject({ kind: "ran" });
  });
});
