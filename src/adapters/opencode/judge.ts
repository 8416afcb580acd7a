import { resolve } from "node:path";
import { guardAt, openGuard } from "../../guard.ts";
import type { HookEvent, HookVerdict } from "../hooks/hook.ts";
import { judgeEvent } from "../hooks/judge.ts";
import { type HostCall, requestsOf } from "../hooks/requests.ts";
import { packagePresets } from "./package-folder.ts";

/** A call of a tool as OpenCode is about to make it. */
export interface OpenCodeCall extends HostCall {
  readonly directory: string;
  readonly workdir: string | undefined;
  readonly session: string | undefined;
  /** The caller can put a question to the person. */
  readonly asks: boolean;
}

/** Judges a call. Throws for what cannot be judged: the caller turns that into a no. */
export async function judgeCall(call: OpenCodeCall): Promise<HookVerdict> {
  const { directory, workdir, session, asks } = call;
  const guard = openGuard({ cwd: directory, presets: packagePresets() });
  const at = workdir === undefined ? guard : guardAt(guard, resolve(directory, workdir));
  const event: HookEvent = {
    requests: requestsOf(call),
    cwd: directory,
    root: directory,
    workdir,
    session,
    asks,
    replaceable: undefined,
    name: "",
  };
  return judgeEvent(event, { guards: [at], seesAll: true });
}
