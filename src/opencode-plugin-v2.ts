export { openCodePluginV2 as default } from "./adapters/opencode/plugin-v2.ts";
