import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { Asker } from "../../ask/index.ts";
import type { GuardOptions } from "../../guard.ts";
import { errorText, escapeText, shorten } from "../../text/index.ts";
import { readBash, readCheck } from "./arguments.ts";
import { elicitationAsker } from "./elicit.ts";
import { type CallAnswer, openSession, type Session } from "./session.ts";
import { INSTRUCTIONS, TOOLS } from "./tools.ts";

/** How an MCP server is made. */
export interface McpSetting {
  readonly guard: GuardOptions & { readonly cwd: string };
  readonly version: string;
  /** The id of the session in requests and logs. */
  readonly session: string;
  /** Whoever answers when the client cannot be asked. */
  readonly asker: Asker;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A server with the tools `bash` and `check`, for one client. */
export function createMcpServer(setting: McpSetting): Server {
  const server = new Server(
    { name: "guarded-sh", version: setting.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const session = openSession(setting.guard, setting.session);
  server.onclose = () => session.close();
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    callTool(params.name, params.arguments, { server, session, extra, otherwise: setting.asker }),
  );
  return server;
}

interface Call {
  readonly server: Server;
  readonly session: Session;
  readonly extra: Extra;
  readonly otherwise: Asker;
}

/** An exception on the way is a failed call, in words for the model: nothing was run. */
async function callTool(name: string, input: unknown, call: Call): Promise<CallToolResult> {
  try {
    switch (name) {
      case "bash":
        return toolResult(await bash(input, call));
      case "check":
        return toolResult(call.session.check(readCheck(input)), false);
      default:
        throw new McpError(ErrorCode.InvalidParams, `there is no tool \`${escapeText(shorten(name, 60))}\``);
    }
  } catch (error) {
    if (error instanceof McpError) throw error;
    const message = errorText(error);
    return { isError: true, content: [{ type: "text", text: `guarded-sh: failed, nothing was run: ${message}` }] };
  }
}

async function bash(input: unknown, { server, session, extra, otherwise }: Call): Promise<CallAnswer> {
  const progress = progressOf(extra);
  try {
    return await session.bash(readBash(input), {
      asker: elicitationAsker(server, extra.requestId, otherwise),
      signal: extra.signal,
      onOutput: progress.onOutput,
    });
  } finally {
    progress.stop();
  }
}

function toolResult({ text, result }: CallAnswer, failed = result.is_error): CallToolResult {
  return { isError: failed, content: [{ type: "text", text }], structuredContent: { ...result } };
}

const PROGRESS_MS = 1000;

/** Tells the client once a second that the command is running, with the last line of its output. */
function progressOf({ _meta, sendNotification }: Extra) {
  const progressToken = _meta?.progressToken;
  let tail = "";
  let seconds = 0;
  const tell = () => {
    if (progressToken === undefined) return;
    seconds += 1;
    const message = escapeText(shorten(tail.trimEnd().split("\n").at(-1) ?? "", 200));
    const params = { progressToken, progress: seconds, message: message === "" ? `running for ${seconds} s` : message };
    // A client that has gone away is told by its transport.
    sendNotification({ method: "notifications/progress", params }).catch(() => {});
  };
  const timer = setInterval(tell, PROGRESS_MS);
  return {
    onOutput: (text: string) => {
      tail = (tail + text).slice(-1000);
    },
    stop: () => clearInterval(timer),
  };
}
