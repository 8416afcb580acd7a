import { errorText } from "../../text/index.ts";
import { isTable } from "../hooks/payload.ts";
import { judgeCall } from "./judge.ts";

interface Evaluating {
  readonly action?: string;
  readonly resources?: readonly string[];
  readonly sessionID?: string;
  effect?: string;
  message?: string;
}

interface Executing {
  readonly tool?: string;
  readonly sessionID?: string;
  readonly input?: unknown;
}

interface PluginContext {
  readonly directory?: string;
  readonly permission?: { hook(name: "evaluate", run: (event: Evaluating) => Promise<void>): unknown };
  readonly tool?: { hook(name: "execute.before", run: (event: Executing) => Promise<void>): unknown };
}

const SHELL_ACTIONS = new Set(["bash", "shell"]);

/**
 * EXPERIMENTAL: a plugin for OpenCode's second line, whose plugin interface is not settled. Sets the effect of a command's
 * evaluation, and refuses what is denied once more before it is executed. It cannot lift a configured deny.
 */
export const openCodePluginV2 = {
  id: "guarded-sh",
  setup: async (context: PluginContext) => {
    const directory = context.directory ?? process.cwd();
    await context.permission?.hook("evaluate", async (event) => {
      if (!SHELL_ACTIONS.has(event.action ?? "")) return;
      for (const command of event.resources ?? []) {
        const verdict = await judgeText(command, directory, event.sessionID);
        if (verdict.kind === "allow" || verdict.kind === "pass") continue;
        if (event.effect !== "deny") event.effect = verdict.kind;
        event.message = verdict.reason;
      }
    });
    await context.tool?.hook("execute.before", async ({ tool, input, sessionID }) => {
      if (!SHELL_ACTIONS.has(tool ?? "")) return;
      const command = isTable(input) ? input.command : undefined;
      const verdict = await judgeText(typeof command === "string" ? command : "", directory, sessionID);
      if (verdict.kind === "deny") throw new Error(verdict.reason);
    });
  },
};

async function judgeText(command: string, directory: string, session: string | undefined) {
  const call = { tool: "bash", input: { command }, directory, workdir: undefined, session, asks: true };
  return judgeCall(call).catch((error: unknown) => ({
    kind: "deny" as const,
    reason: `guarded-sh: failed, nothing was run: ${errorText(error)}`,
  }));
}
