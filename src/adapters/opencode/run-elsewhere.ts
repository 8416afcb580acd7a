import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { AskRequest } from "../../ask/index.ts";
import type { Result } from "../../result/index.ts";

/** One command line for a guarded-sh of its own. */
export interface Errand {
  /** The words that start guarded-sh. */
  readonly start: readonly string[];
  /** Where the policy is looked up from. */
  readonly root: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  /** Whether the person says yes. */
  readonly approve: (request: AskRequest) => Promise<boolean>;
}

const CALL = "call";

/**
 * Has a command line judged and run by `guarded-sh serve` in a process of its own: the runtime of the host may be one in which
 * a terminal's output is lost. Throws when there is no answer.
 */
export async function runElsewhere({ start, root, params, signal, approve }: Errand): Promise<Result> {
  const [program = "guarded-sh", ...words] = start;
  const child = spawn(program, [...words, "serve"], { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const cancel = () => send({ id: "end", method: "cancel", params: { call: CALL } });
  child.stdin.on("error", () => {});
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    send({ id: CALL, method: "run", params });
    if (signal?.aborted === true) cancel();
    return await resultFrom(child, async (request) => {
      const reply = (await approve(request)) ? "once" : "reject";
      send({ id: "reply", method: "permission.reply", params: { request: request.id, reply } });
    });
  } finally {
    signal?.removeEventListener("abort", cancel);
    child.stdin.end();
  }
}

type Line =
  | { readonly event: string; readonly params: AskRequest }
  | { readonly id: string; readonly result?: Result; readonly error?: { readonly message: string } };

function resultFrom(child: ChildProcess, onAsked: (request: AskRequest) => Promise<void>): Promise<Result> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`guarded-sh could not be started: ${error.message}`)));
    child.once("close", (code) => reject(new Error(`guarded-sh ended without an answer, exit status ${code}`)));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line = parseLine(text);
      if (line === undefined) return;
      if ("event" in line) {
        if (line.event === "permission.asked") onAsked(line.params).catch(reject);
      } else if (line.id === CALL) {
        if (line.result !== undefined) resolve(line.result);
        else reject(new Error(line.error?.message ?? "there is no result"));
      }
    });
  });
}

function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
