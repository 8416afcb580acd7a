import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createMcpServer, type McpSetting } from "./server.ts";

/** Serves one client on standard input and output, until it goes away. */
export async function serveStdio(setting: McpSetting, input: NodeJS.ReadableStream): Promise<void> {
  const server = createMcpServer(setting);
  const gone = new Promise<void>((done) => {
    input.once("end", done);
    input.once("close", done);
  });
  await server.connect(new StdioServerTransport());
  await gone;
  await server.close();
}
