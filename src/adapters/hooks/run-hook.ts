import { statSync } from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import type { Asker } from "../../ask/index.ts";
import { type Guard, type GuardOptions, guardAt, openGuard, quoteWords } from "../../guard.ts";
import { errorText } from "../../text/index.ts";
import { MOST_CHARACTERS } from "./answer.ts";
import { recognize, refuseEverywhere } from "./auto.ts";
import { type Hook, type HookAnswer, type HookEvent, type HookInput, type HookVerdict, PayloadError } from "./hook.ts";
import { judgeEvent } from "./judge.ts";

/** How one hook call is answered. */
export interface HookSetting {
  /** `auto`: the host is recognized by its payload. */
  readonly hook: Hook | "auto";
  readonly env: HookInput["env"];
  /** The directory of this process. */
  readonly cwd: string;
  /** Policy files, presets and the like; the directory comes from the payload. */
  readonly guard?: Omit<GuardOptions, "cwd" | "env">;
  /** Whoever is asked instead of the host. */
  readonly asker?: Asker;
  /** ms to wait for that answer. */
  readonly askTimeoutMs?: number;
  /** Tools that run no command line are left to the host. */
  readonly shellOnly?: boolean;
  /** The words that start guarded-sh: an allowed command is handed back as a call of it. */
  readonly rewrite?: readonly string[];
}

/** The most bytes of a payload. */
export const MOST_PAYLOAD = 16 * 1024 * 1024;

/** Answers one event. Never throws: whatever goes wrong is the host's *no*. */
export async function runHook(bytes: Uint8Array, setting: HookSetting): Promise<HookAnswer> {
  let hook: Hook | undefined = setting.hook === "auto" ? undefined : setting.hook;
  try {
    const input: HookInput = { payload: parsePayload(bytes), env: setting.env };
    hook ??= recognize(input);
    const event = hook.decode(input);
    return hook.encode(event, await judge(event, setting));
  } catch (error) {
    return refuse(hook, error);
  }
}

/** The host's *no* for an error; for an unknown host the *no* of all of them. */
export function refuse(hook: Hook | "auto" | undefined, error: unknown): HookAnswer {
  const message = errorText(error);
  return hook === undefined || hook === "auto" ? refuseEverywhere(message) : hook.refuse(message);
}

function parsePayload(bytes: Uint8Array): unknown {
  if (bytes.length > MOST_PAYLOAD) throw new PayloadError(`the payload is larger than ${MOST_PAYLOAD} bytes`);
  const text = textOf(bytes);
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PayloadError("the payload is not JSON");
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new PayloadError("the payload is not UTF-8 text");
  }
}

async function judge(event: HookEvent, setting: HookSetting): Promise<HookVerdict> {
  const { asker, askTimeoutMs, shellOnly, rewrite } = setting;
  if (shellOnly === true && event.requests.every(({ tool }) => tool !== "bash")) return { kind: "pass" };
  const guards = guardsOf(event, setting);
  const verdict = await judgeEvent(event, { guards, asker, askTimeoutMs, seesAll: shellOnly !== true });
  if (verdict.kind !== "allow" || rewrite === undefined || event.replaceable === undefined) return verdict;
  return rewriteAllowed(event, verdict.reason, rewrite);
}

function rewriteAllowed({ replaceable, requests }: HookEvent, reason: string, start: readonly string[]): HookVerdict {
  const limit = replaceable?.timeoutMs === undefined ? [] : ["--timeout", String(replaceable.timeoutMs / 1000)];
  const command = quoteWords([...start, "run", ...limit, "--", requests[0].subject]);
  if (JSON.stringify(replaceable?.input).length + JSON.stringify(command).length < MOST_CHARACTERS - 500)
    return { kind: "allow", reason, command };
  return {
    kind: "deny",
    reason:
      "guarded-sh: denied, nothing was run: too long to be handed back\ndo instead: put it in a script file and run that",
  };
}

/**
 * The guards that speak about an event. The policy of the project counts wherever the agent has moved to: `cd /tmp` must not
 * leave it behind. Where the directory has policy files of its own, they count too.
 */
function guardsOf(event: HookEvent, setting: HookSetting): readonly [Guard, ...Guard[]] {
  const here = directoryOf(event.cwd) ?? setting.cwd;
  const at = event.workdir === undefined ? here : resolve(here, event.workdir);
  if (!isDirectory(at)) throw new PayloadError(`\`${at}\` is not a directory`);
  const root = directoryOf(event.root) ?? here;
  const dialect = dialectOf(setting);
  const open = (cwd: string) => openGuard({ ...setting.guard, cwd, env: setting.env, dialect });
  const inner = open(at);
  const outer = [...new Set([root, here])].filter((cwd) => cwd !== at).map(open);
  const more = outer.filter((guard) => guard.loaded.files.some((file) => !holds(inner, file.path)));
  return [inner, ...more.map((guard) => guardAt(guard, at))];
}

/** Hosts run what is allowed in the user's own shell, unless it is handed back as a call of guarded-sh. */
function dialectOf({ env, rewrite }: HookSetting): "zsh" | undefined {
  const shell = env.CLAUDE_CODE_SHELL ?? env.SHELL ?? "";
  return rewrite === undefined && basename(shell) === "zsh" ? "zsh" : undefined;
}

function holds({ loaded }: Guard, path: string): boolean {
  return loaded.files.some((file) => file.path === path);
}

function directoryOf(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) && isDirectory(path) ? resolve(path) : undefined;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
