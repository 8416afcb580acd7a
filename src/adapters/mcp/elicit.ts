import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { type ElicitResult, ErrorCode, McpError, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Asker, AskRequest, Proposal, Reply } from "../../ask/index.ts";
import { escapeText, shorten } from "../../text/index.ts";

const WAIT_MS = 5 * 60_000;

/** Asks the person at the client by elicitation; `otherwise` answers when the client cannot be asked. */
export function elicitationAsker(server: Server, call: RequestId, otherwise: Asker): Asker {
  return {
    ask: async (request, signal, storing) => {
      if (server.getClientCapabilities()?.elicitation === undefined) return otherwise.ask(request, signal, storing);
      try {
        const options = { signal, timeout: WAIT_MS, relatedRequestId: call };
        return replyOf(await server.elicitInput(formOf(request), options), request.proposals);
      } catch (error) {
        return replyToError(error, signal);
      }
    },
  };
}

function formOf({ tool, text, cwd, reasons, proposals }: AskRequest) {
  const patterns = proposals.map(({ pattern }) => `\`${escapeText(shorten(pattern, 80))}\``).join(", ");
  const always = proposals.length === 0 ? [] : ["always"];
  return {
    message: [
      `May this ${tool === "bash" ? "command" : escapeText(tool)} run?`,
      `  ${escapeText(shorten(text, 2000))}`,
      `in ${escapeText(cwd)}`,
      ...reasons.slice(0, 5).map((reason) => `- ${reason}`),
      ...(patterns === "" ? [] : [`always: ${patterns} for this session`]),
    ].join("\n"),
    requestedSchema: {
      type: "object" as const,
      properties: {
        answer: { type: "string" as const, title: "Answer", enum: ["once", ...always, "reject"] },
        feedback: { type: "string" as const, title: "What to do instead", description: "only with reject" },
      },
      required: ["answer"],
    },
  };
}

/** Anything that is not a clear yes is a no. */
function replyOf({ action, content }: ElicitResult, proposals: readonly Proposal[]): Reply {
  if (action === "cancel") return { kind: "cancelled" };
  if (action === "decline") return { kind: "reject" };
  const { answer, feedback } = content ?? {};
  if (answer === "once") return { kind: "once" };
  if (answer === "always" && proposals.length > 0) return { kind: "always", proposals, scope: "session" };
  return typeof feedback === "string" && feedback !== "" ? { kind: "reject", feedback } : { kind: "reject" };
}

function replyToError(error: unknown, signal: AbortSignal): Reply {
  if (signal.aborted) return { kind: "cancelled" };
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
    return { kind: "timeout", afterMs: WAIT_MS };
  return { kind: "unavailable", why: error instanceof Error ? error.message : String(error) };
}
