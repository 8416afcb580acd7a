export * from "./asker.ts";
export type { Grant } from "./grants.ts";
export type { PendingRequest } from "./requests.ts";
