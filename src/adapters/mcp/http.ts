import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createMcpServer, type McpSetting } from "./server.ts";

/** How the HTTP server is opened: the loopback address only, a secret always. */
export interface HttpSetting extends McpSetting {
  /** 0: any free one. */
  readonly port: number;
  /** What clients send as `Authorization: Bearer …`. */
  readonly secret: string;
}

/** An open server and how it is ended. */
export interface HttpServing {
  readonly url: string;
  close(): Promise<void>;
}

const MOST_SESSIONS = 64;
const SHORTEST_SECRET = 16;

/** Serves clients over streamable HTTP on 127.0.0.1, each with a session of its own. */
export async function serveHttp(setting: HttpSetting): Promise<HttpServing> {
  if (setting.secret.length < SHORTEST_SECRET)
    throw new TypeError(`secret: at least ${SHORTEST_SECRET} characters, not ${setting.secret.length}`);
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    respond(request, response, setting, sessions).catch(() => refuse(response, 500, "failed"));
  });
  const port = await listen(server, setting.port);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      for (const transport of sessions.values()) await transport.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function listen(server: HttpServer, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      done(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

type Sessions = Map<string, StreamableHTTPServerTransport>;

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  setting: HttpSetting,
  sessions: Sessions,
): Promise<void> {
  const fault = faultOf(request, setting.secret);
  if (fault !== undefined) return refuse(response, fault.status, fault.message);
  const id = request.headers["mcp-session-id"];
  const known = typeof id === "string" ? sessions.get(id) : undefined;
  if (known !== undefined) return known.handleRequest(request, response);
  if (id !== undefined) return refuse(response, 404, "there is no such session");
  if (sessions.size >= MOST_SESSIONS) return refuse(response, 503, "too many sessions");
  const transport = await openTransport(setting, sessions);
  return transport.handleRequest(request, response);
}

async function openTransport(setting: HttpSetting, sessions: Sessions): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => {
      sessions.set(id, transport);
    },
  });
  const server = createMcpServer({ ...setting, session: `${setting.session}-${randomUUID()}` });
  // The SDK declares its optional members without `undefined`.
  await server.connect(transport as Transport);
  const { onclose } = transport;
  transport.onclose = () => {
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    onclose?.();
  };
  return transport;
}

interface Fault {
  readonly status: number;
  readonly message: string;
}

/** A web page can reach the loopback address under another name or from another origin: both are refused before anything else. */
function faultOf({ headers, url }: IncomingMessage, secret: string): Fault | undefined {
  if (!isLoopback(headers.host)) return { status: 403, message: "the Host is not this machine" };
  if (headers.origin !== undefined && !isLoopback(headers.origin.replace(/^https?:\/\//, "")))
    return { status: 403, message: "the Origin is not this machine" };
  if (!isSecret(headers.authorization, secret))
    return { status: 401, message: "the bearer secret is missing or wrong" };
  return (url ?? "").split("?")[0] === "/mcp" ? undefined : { status: 404, message: "only /mcp is served" };
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host);
}

/** Compared by hash: neither the length nor the first difference shows in the time. */
function isSecret(header: string | undefined, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${secret}`));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.end();
  const challenge = status === 401 ? { "www-authenticate": "Bearer" } : {};
  response.writeHead(status, { "content-type": "text/plain", ...challenge });
  response.end(`guarded-sh: ${message}\n`);
}
