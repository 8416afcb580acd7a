import { errorText } from "../../text/index.ts";
import { isTable } from "../hooks/payload.ts";
import { judgeCall } from "./judge.ts";

interface PluginInput {
  readonly directory?: string;
  readonly worktree?: string;
}

interface PluginOptions {
  /** Tools that are judged besides `bash`, by name; `*` is every tool. Default: every tool. */
  readonly tools?: readonly string[];
}

interface ToolCall {
  readonly tool: string;
  readonly sessionID?: string;
  readonly callID?: string;
}

/**
 * A plugin for OpenCode (line 1): judges each call before OpenCode's own rules and throws for what is refused; the model
 * reads the message. OpenCode runs the command itself. Nobody can be asked here: an ask is a refusal.
 */
export const openCodePlugin = {
  id: "guarded-sh",
  server: async ({ directory }: PluginInput = {}, { tools }: PluginOptions = {}) => {
    const root = directory ?? process.cwd();
    const judged = (tool: string) =>
      tools === undefined || tool === "bash" || tools.includes(tool) || tools.includes("*");
    return {
      "tool.execute.before": async ({ tool, sessionID }: ToolCall, output: { readonly args: unknown }) => {
        if (!judged(tool)) return;
        const input = isTable(output.args) ? output.args : {};
        const workdir = typeof input.workdir === "string" ? input.workdir : undefined;
        const call = { tool, input, directory: root, workdir, session: sessionID, asks: false };
        const verdict = await judgeCall(call).catch((error: unknown) => ({
          kind: "deny" as const,
          reason: `guarded-sh: failed, nothing was run: ${errorText(error)}`,
        }));
        if (verdict.kind === "deny" || verdict.kind === "ask") throw new Error(verdict.reason);
      },
      "shell.env": async ({ sessionID }: { readonly sessionID?: string }, output: { env: Record<string, string> }) => {
        if (sessionID !== undefined) output.env.GUARDED_SH_SESSION = sessionID;
      },
      "tool.definition": async ({ toolID }: { readonly toolID: string }, output: { description: string }) => {
        if (toolID === "bash") output.description += NOTE;
      },
    };
  },
};

const NOTE =
  "\n\nEvery command in the text is judged by the user's rules before any of it runs. A refusal names the part, the rule and what to do instead: do that, or ask the user.";
