import type { AgentEvent, Behaviour, Change, InitScope, Starting } from "./agent.ts";
import { hookCommand } from "./agent.ts";

/** The list of hooks in a settings file of Claude Code's kind. */
export function settingsChange(
  path: string,
  event: string,
  matcher: string,
  starting: Starting,
  host: string,
  timeout: number,
  more: object = {},
): Change {
  const hook = { type: "command", command: hookCommand(starting, host), timeout, ...more };
  const value = { matcher: starting.allTools ? "*" : matcher, hooks: [hook] };
  return { kind: "json", path, edits: [{ kind: "add", at: ["hooks", event], value }] };
}

/** A hooks file of our own, of the same kind. */
export function hooksFile(path: string, value: object): Change {
  return { kind: "file", path, text: `${JSON.stringify(value, null, 2)}\n`, executable: false };
}

export const inScope = (scope: InitScope, project: string, user: string) => (scope === "project" ? project : user);

/** The event of Claude Code and those that took it over. */
export function snakeEvent(tool: string, more: object = {}): (command: string, cwd: string) => AgentEvent {
  return (command, cwd) => ({
    payload: {
      session_id: "self-test",
      transcript_path: "",
      cwd,
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: { command },
      ...more,
    },
  });
}

export function behaviour(
  event: string,
  tool: string,
  asks: string,
  rewrites: boolean,
  limit: string,
  failure: string,
): Behaviour {
  return { event, tool, asks, rewrites, limit, failure };
}

export const OPEN =
  "the command runs (open); the `|| exit 2` in the configuration closes it for a hook that cannot start";
export const ASKS = "yes, in its own dialogue";
export const NEVER = "no: what would be asked is denied, or waits in the queue with `--approver queue`";
