import type { Asker } from "../ask/index.ts";
import { checkGuard, checkOptions, decide, type Guard } from "../guard.ts";
import type { ResultDenial } from "../result/index.ts";
import { errorText } from "../text/index.ts";

/** A call of a tool as a model makes it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What takes the place of a refused call's result, so that tool_use and tool_result stay paired. */
export interface SyntheticToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly is_error: true;
  readonly content: string;
  readonly denial: ResultDenial;
}

/** What a hook before a tool call says: go on, perhaps with another call, or this result instead. */
export type HookAnswer =
  | { readonly kind: "continue"; readonly call?: ToolCall }
  | { readonly kind: "result"; readonly result: SyntheticToolResult };

export type PreToolCallHook = (call: ToolCall, signal: AbortSignal) => Promise<HookAnswer>;

/** How tool calls are read: which tools run command lines, and where other tools keep their subject. */
export interface PermissionHookOptions {
  readonly asker?: Asker;
  readonly session?: string;
  /** Tools whose input holds a command line, with the name of the field. */
  readonly commandFields?: Readonly<Record<string, string>>;
  /** The subject of any other tool's call: its path, URL or text. */
  readonly subjectOf?: (call: ToolCall) => string;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof PermissionHookOptions>([
  "asker",
  "session",
  "commandFields",
  "subjectOf",
]);

const COMMAND_FIELDS: Readonly<Record<string, string>> = {
  bash: "command",
  Bash: "command",
  shell: "command",
  run_shell_command: "command",
};

/**
 * The PreToolCall point: judges any tool call by the policy. A refusal is no abort: the call is not made, a synthetic
 * result that says *permission denied* takes its place, and the turn goes on. An exception is a refusal.
 */
export function createPermissionHook(guard: Guard, options: PermissionHookOptions = {}): PreToolCallHook {
  checkGuard("createPermissionHook", guard);
  checkOptions("createPermissionHook", options, OPTIONS);
  if (options.subjectOf !== undefined && typeof options.subjectOf !== "function")
    throw new TypeError(`createPermissionHook: \`subjectOf\` is a function, not ${typeof options.subjectOf}`);
  return async (call, signal) => {
    try {
      const denial = await decide(guard, requestOf(call, options), { ...pick(options), signal });
      return denial === undefined ? { kind: "continue" } : { kind: "result", result: refusal(call, denial) };
    } catch (error) {
      const message = `guarded-sh: failed, nothing was run\n${errorText(error)}`;
      return { kind: "result", result: refusal(call, { kind: "failed", message, ran: false }) };
    }
  };
}

function pick({ asker, session }: PermissionHookOptions) {
  return { ...(asker === undefined ? {} : { asker }), ...(session === undefined ? {} : { session }) };
}

function requestOf(
  call: ToolCall,
  options: PermissionHookOptions,
): { readonly tool: string; readonly subject: string } {
  const fields = { ...COMMAND_FIELDS, ...options.commandFields };
  const field = Object.hasOwn(fields, call.name) ? fields[call.name] : undefined;
  if (field !== undefined) {
    const command = call.input[field];
    if (typeof command !== "string") throw new TypeError(`${call.name}: \`${field}\` is not a string`);
    return { tool: "bash", subject: command };
  }
  return { tool: call.name, subject: (options.subjectOf ?? subjectOf)(call) };
}

const SUBJECT_FIELDS = ["file_path", "path", "filePath", "notebook_path", "url", "uri", "pattern", "query", "command"];

/** The subject of a call as most tools name it; all of the input when none of the names is there. */
export function subjectOf({ input }: ToolCall): string {
  for (const field of SUBJECT_FIELDS) if (typeof input[field] === "string") return input[field];
  return JSON.stringify(input);
}

function refusal(call: ToolCall, denial: ResultDenial): SyntheticToolResult {
  return {
    type: "tool_result",
    tool_use_id: call.id,
    is_error: true,
    content: `permission denied\n${denial.message}`,
    denial,
  };
}

/** What a tool call came to: the tool's own result, or the one that took its place. */
export type CallOutcome<T> =
  | { readonly kind: "called"; readonly call: ToolCall; readonly value: T }
  | { readonly kind: "result"; readonly call: ToolCall; readonly result: SyntheticToolResult };

/**
 * Runs the calls of one turn through the permission hook first, then the user's hooks, then the tool. Every call gets an
 * outcome; a call that a user's hook has changed is judged again.
 */
export async function runToolCalls<T>(
  calls: readonly ToolCall[],
  permission: PreToolCallHook,
  userHooks: readonly PreToolCallHook[],
  execute: (call: ToolCall) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly CallOutcome<T>[]> {
  const outcomes: CallOutcome<T>[] = [];
  for (const call of calls) outcomes.push(await runToolCall(call, permission, userHooks, execute, signal));
  return outcomes;
}

async function runToolCall<T>(
  call: ToolCall,
  permission: PreToolCallHook,
  userHooks: readonly PreToolCallHook[],
  execute: (call: ToolCall) => Promise<T>,
  signal: AbortSignal,
): Promise<CallOutcome<T>> {
  let current = call;
  for (const hook of [permission, ...userHooks]) {
    const answer = await hook(current, signal);
    if (answer.kind === "result") return { kind: "result", call, result: answer.result };
    if (answer.call === undefined) continue;
    current = answer.call;
    const again = await permission(current, signal);
    if (again.kind === "result") return { kind: "result", call, result: again.result };
  }
  return { kind: "called", call: current, value: await execute(current) };
}
