import { randomBytes, randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { type Asker, neverAsker, queueAsker } from "../ask/index.ts";
import { escapeText } from "../text/index.ts";
import { CWD_OPTION, type Parsed, POLICY_OPTION, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { packageVersion, presetsFolder } from "./package.ts";

export const mcpVerb: Verb = {
  name: "mcp",
  summary: "an MCP server with the tools bash and check",
  usage: ["mcp", "mcp --http PORT"],
  options: [
    {
      name: "http",
      value: "PORT",
      help: "streamable HTTP on 127.0.0.1; clients send the secret of GUARDED_SH_MCP_SECRET, or the one that is printed",
    },
    {
      name: "approver",
      value: "WHO",
      help: "who answers when the client cannot be asked: queue (`guarded-sh requests`) or none (default)",
    },
    POLICY_OPTION,
    CWD_OPTION,
  ],
  examples: [
    ["guarded-sh mcp", "on standard input and output, as clients start it"],
    ["GUARDED_SH_MCP_SECRET=… guarded-sh mcp --http 7410", ""],
  ],
  run: runMcp,
};

async function runMcp(parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.operands.length > 0) throw new UsageError("mcp takes no operands", mcpVerb);
  const setting = {
    guard: {
      cwd: resolve(terminal.cwd, parsed.text("cwd") ?? "."),
      env: terminal.env,
      policyFiles: parsed.texts("policy").map((file) => resolve(terminal.cwd, file)),
      presets: presetsFolder(),
    },
    version: packageVersion(),
    session: `mcp-${randomUUID()}`,
    asker: askerOf(parsed.text("approver") ?? "none"),
  };
  const port = portOf(parsed);
  const { serveHttp, serveStdio } = await import("../adapters/mcp/index.ts");
  if (port === undefined) await serveStdio(setting, terminal.stdin);
  else {
    const given = terminal.env.GUARDED_SH_MCP_SECRET;
    const secret = given ?? randomBytes(24).toString("base64url");
    const serving = await serveHttp({ ...setting, port, secret });
    terminal.stderr.write(`guarded-sh: serving ${serving.url}${given === undefined ? `, secret ${secret}` : ""}\n`);
    await interrupted();
    await serving.close();
  }
  return EXIT.ok;
}

function askerOf(who: string): Asker {
  if (who === "none") return neverAsker;
  if (who === "queue") return queueAsker();
  throw new UsageError(`--approver wants queue or none, not \`${escapeText(who)}\``, mcpVerb);
}

function portOf(parsed: Parsed): number | undefined {
  const text = parsed.text("http");
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new UsageError(`--http wants a port, not \`${text}\``, mcpVerb);
}

function interrupted(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
  });
}
