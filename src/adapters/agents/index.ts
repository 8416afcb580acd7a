export * from "./agent.ts";
export { AGENTS } from "./table.ts";
