export { type HttpServing, type HttpSetting, serveHttp } from "./http.ts";
export { createMcpServer, type McpSetting } from "./server.ts";
export { serveStdio } from "./stdio.ts";
