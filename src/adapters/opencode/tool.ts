import { join, resolve } from "node:path";
import { z } from "zod";
import type { AskRequest } from "../../ask/index.ts";
import { errorText } from "../../text/index.ts";
import { resultText } from "../result-text.ts";
import { packageFolder } from "./package-folder.ts";
import { runElsewhere } from "./run-elsewhere.ts";

/** The question that OpenCode puts to its person. It is answered by the user's rules first: `"guarded-sh": "ask"`. */
interface OpenCodeQuestion {
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly always: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What OpenCode gives a tool besides its arguments; the part that is used. */
export interface OpenCodeContext {
  readonly sessionID: string;
  readonly directory?: string;
  readonly worktree?: string;
  readonly abort?: AbortSignal;
  ask?(question: OpenCodeQuestion): Promise<unknown>;
}

/** The arguments, named as those of the built-in tool. */
export interface OpenCodeArguments {
  readonly command: string;
  readonly timeout?: number | undefined;
  readonly workdir?: string | undefined;
}

export const PERMISSION = "guarded-sh";

/**
 * A tool for OpenCode (line 1) that takes the place of `bash`: the file `.opencode/tool/bash.js` exports it. What is refused is
 * told as text, so that the turn goes on.
 */
export const openCodeTool = {
  description: [
    "Run a bash command line. Every command in it is judged by the user's rules before any of it runs.",
    "A refusal names the part, the rule and what to do instead: do that, or ask the user; do not rephrase to get around it.",
    "There is nobody at the keyboard and standard input is empty. Use `workdir` instead of `cd`.",
  ].join("\n"),
  args: {
    command: z.string().describe("the bash command line"),
    timeout: z.number().optional().describe("time limit in ms, default 120000"),
    workdir: z.string().optional().describe("the directory to run in, default the project's"),
  },
  execute: (input: OpenCodeArguments, context: OpenCodeContext) => runForOpenCode(input, context),
};

/** Runs one call; `start` are the words that start guarded-sh. */
export async function runForOpenCode(
  { command, timeout, workdir }: OpenCodeArguments,
  context: OpenCodeContext,
  start: readonly string[] = [join(packageFolder(), "bin/guarded-sh.js")],
): Promise<string> {
  const root = context.directory ?? process.cwd();
  try {
    const result = await runElsewhere({
      start,
      root,
      params: {
        command,
        session: context.sessionID,
        ...(workdir === undefined ? {} : { cwd: resolve(root, workdir) }),
        ...(timeout === undefined ? {} : { timeout_ms: timeout }),
      },
      signal: context.abort,
      approve: (request) => approve(request, context),
    });
    return resultText(result);
  } catch (error) {
    return `guarded-sh: failed, nothing was run: ${errorText(error)}`;
  }
}

/** A question that is not refused is a yes for once: what is remembered of it is OpenCode's own matter. */
async function approve({ text, parts, proposals, reasons }: AskRequest, context: OpenCodeContext): Promise<boolean> {
  try {
    await context.ask?.({
      permission: PERMISSION,
      patterns: parts.length > 0 ? parts.map(({ subject }) => subject) : [text],
      always: proposals.map(({ pattern }) => pattern),
      metadata: { command: text, reasons },
    });
    return context.ask !== undefined;
  } catch {
    return false;
  }
}
