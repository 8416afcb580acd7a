import type { HookEvent } from "./hook.ts";
import { type HostCall, replaceableOf, requestsOf, workdirOf } from "./requests.ts";

interface Circumstances {
  readonly cwd?: string | undefined;
  readonly root?: string | undefined;
  readonly session?: string | undefined;
  readonly asks: boolean;
  /** The host can be given another input. */
  readonly replaces: boolean;
  readonly name?: string;
}

/** The event of one tool call. */
export function eventOf(call: HostCall, { cwd, root, session, asks, replaces, name }: Circumstances): HookEvent {
  return {
    requests: requestsOf(call),
    cwd,
    root,
    workdir: workdirOf(call),
    session,
    asks,
    replaceable: replaces ? replaceableOf(call) : undefined,
    name: name ?? "",
  };
}

/** The whole input of the call with another command in it. */
export function rewritten({ replaceable }: HookEvent, command: string | undefined): object | undefined {
  if (replaceable === undefined || command === undefined) return undefined;
  return { ...replaceable.input, [replaceable.field]: command };
}

/** Only what changes, for hosts that lay it over the input they have. */
export function changed({ replaceable }: HookEvent, command: string | undefined): object | undefined {
  return replaceable === undefined || command === undefined ? undefined : { [replaceable.field]: command };
}
