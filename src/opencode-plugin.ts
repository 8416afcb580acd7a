export { openCodePlugin as default } from "./adapters/opencode/plugin.ts";
