export * from "./diagnostic.ts";
export * from "./error-text.ts";
export * from "./escape.ts";
export * from "./limits.ts";
export * from "./nearest.ts";
export * from "./path.ts";
export * from "./source.ts";
export * from "./wrap.ts";
