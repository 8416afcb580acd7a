export * from "./agent.ts";
export { OTHER_AGENTS, type OtherAgent } from "./others.ts";
export { agentPage, indexPage, mcpPage, otherPage } from "./page.ts";
export { AGENTS } from "./table.ts";
