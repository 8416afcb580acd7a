export { openCodeTool as default } from "./adapters/opencode/tool.ts";
