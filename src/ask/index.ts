export * from "./asker.ts";
