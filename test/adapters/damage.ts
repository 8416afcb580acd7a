import type { HOOKS } from "../../src/adapters/hooks/index.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Host = (typeof HOOKS)[number]["host"];

/** One host's event for a command, and the fields without which it is no event. */
export interface Shape {
  readonly event: (command: string) => Json;
  readonly env?: (command: string) => Readonly<Record<string, string>>;
  /** Paths of fields, dots between the parts. */
  readonly required: readonly string[];
}

const snake = (tool: string, more: Json = {}): Shape => ({
  event: (command) => ({
    session_id: "s",
    cwd: "/",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: { command, description: "d" },
    ...more,
  }),
  required: ["hook_event_name", "tool_name", "tool_input", "tool_input.command"],
});

/** The shell event of every host. */
export const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["claude-code", snake("Bash")],
  ["codex", snake("Bash", { turn_id: "t", model: "m" })],
  ["qwen", snake("run_shell_command")],
  ["factory", snake("Execute", { permission_mode: "off" })],
  ["gemini", snake("run_shell_command", { hook_event_name: "BeforeTool" })],
  ["amazon-q", snake("execute_bash", { hook_event_name: "preToolUse" })],
  [
    "cursor",
    {
      event: (command) => ({
        conversation_id: "c",
        hook_event_name: "beforeShellExecution",
        workspace_roots: ["/"],
        command,
        cwd: "/",
      }),
      required: ["hook_event_name", "command"],
    },
  ],
  [
    "copilot",
    {
      event: (command) => ({ sessionId: "s", cwd: "/", toolName: "bash", toolArgs: JSON.stringify({ command }) }),
      required: ["toolName", "toolArgs"],
    },
  ],
  [
    "cline",
    {
      event: (command) => ({
        clineVersion: "4.0.0",
        hookName: "PreToolUse",
        workspaceRoots: ["/"],
        tool_call: { id: "i", name: "run_commands", input: { commands: [command] } },
      }),
      required: ["tool_call", "tool_call.name", "tool_call.input", "tool_call.input.commands"],
    },
  ],
  [
    "grok",
    {
      event: (command) => ({ sessionId: "s", workspaceRoot: "/", toolName: "Bash", toolInput: { command } }),
      required: ["toolName", "toolInput", "toolInput.command"],
    },
  ],
  [
    "goose",
    {
      event: (command) => ({
        event: "PreToolUse",
        tool_name: "developer__shell",
        tool_input: { command },
        working_dir: "/",
        tool_call_id: "t",
      }),
      required: ["event", "tool_name", "tool_input", "tool_input.command"],
    },
  ],
  [
    "crush",
    {
      event: (command) => ({ event: "PreToolUse", tool_name: "bash", tool_input: { command }, cwd: "/" }),
      required: ["event", "tool_name", "tool_input", "tool_input.command"],
    },
  ],
  ["amp", { event: (command) => ({ cmd: command }), env: () => ({ AGENT_TOOL_NAME: "Bash" }), required: ["cmd"] }],
  [
    "iflow",
    {
      ...snake("run_shell_command"),
      env: (command) => ({ IFLOW_TOOL_NAME: "run_shell_command", IFLOW_TOOL_ARGS: JSON.stringify({ command }) }),
    },
  ],
]);

/** Numbers from 0 up to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

const WRONG: readonly unknown[] = [null, 0, true, "", [], {}, [null], { a: 1 }, "\ud800", [["ls"]], -1, "PostToolUse"];

/** A well-formed event that is made unusable: cut off, a required field gone or of another kind, something around it. */
export function breakEvent({ event, required }: Shape, command: string, random: () => number): Uint8Array {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const text = JSON.stringify(event(command));
  switch (Math.floor(random() * 6)) {
    case 0:
      return Buffer.from(text.slice(0, 1 + Math.floor(random() * (text.length - 1))));
    case 1:
      return Buffer.from(JSON.stringify(without(event(command), pick(required).split("."))));
    case 2:
    case 3:
      return Buffer.from(JSON.stringify(without(event(command), pick(required).split("."), pick(WRONG))));
    case 4:
      return Buffer.from(pick([`${text}${text}`, `[${text}]`, `"${command}"`, "null", "0", `${text}}`, `x${text}`]));
    default: {
      const bytes = Buffer.from(text);
      // Not UTF-8 anywhere: what a host would run is not what is read.
      return Buffer.concat([bytes.subarray(0, 20), Buffer.from([0xff, 0xfe]), bytes.subarray(20)]);
    }
  }
}

/** The event of a command that is denied, with some bytes changed, doubled or dropped. */
export function scramble({ event }: Shape, command: string, random: () => number): Uint8Array {
  const bytes = [...Buffer.from(JSON.stringify(event(command)))];
  const times = 1 + Math.floor(random() * 4);
  for (let i = 0; i < times; i++) {
    const at = Math.floor(random() * bytes.length);
    const byte = Math.floor(random() * 256);
    bytes.splice(at, Math.floor(random() * 3), ...(random() < 0.3 ? [] : [byte]));
  }
  return Uint8Array.from(bytes);
}

/** The value without the field, or with another value in its place. */
function without(table: Json, path: readonly string[], instead?: unknown): Json {
  const [name = "", ...rest] = path;
  const { [name]: value, ...others } = table;
  if (rest.length > 0) return { ...others, [name]: without((value ?? {}) as Json, rest, instead) };
  return instead === undefined ? others : { ...others, [name]: instead };
}
