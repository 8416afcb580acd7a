export * from "./permission-hook.ts";
