import { type Asker, type AskRequest, neverAsker, queueAsker } from "../ask/index.ts";
import type { RunOptions } from "../guard.ts";
import { escapeText } from "../text/index.ts";
import { type OptionHelp, type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";

export const SESSION_OPTION: OptionHelp = {
  name: "session",
  value: "ID",
  help: "calls of one session share approvals and repeated-call counts (default $GUARDED_SH_SESSION)",
};

/** Options of the verbs that ask. */
export const ASK_OPTIONS: readonly OptionHelp[] = [
  {
    name: "approver",
    value: "WHO",
    help: "who answers: tty, queue (`guarded-sh requests`) or none (default tty, else none)",
  },
  SESSION_OPTION,
  { name: "ask-timeout", value: "SECONDS", help: "how long to wait for an answer (default 300)" },
];

/** Who answers and for how long is waited, as the options or the environment say. Throws a `UsageError`. */
export function approverOf(
  verb: Verb,
  parsed: Parsed,
  terminal: Terminal,
): Pick<RunOptions, "asker" | "session" | "askTimeoutMs"> {
  const session = sessionOf(parsed, terminal);
  const timeout = timeoutOf(verb, parsed);
  return {
    asker: askerNamed(verb, parsed.text("approver") ?? terminal.env.GUARDED_SH_APPROVER, terminal),
    ...(session === undefined ? {} : { session }),
    ...(timeout === undefined ? {} : { askTimeoutMs: timeout }),
  };
}

/** The same where there are no options: `$GUARDED_SH_APPROVER`, `$GUARDED_SH_SESSION`. Throws a `UsageError`. */
export function approverFromEnvironment(terminal: Terminal): Pick<RunOptions, "asker" | "session"> {
  const { GUARDED_SH_APPROVER, GUARDED_SH_SESSION } = terminal.env;
  return {
    asker: askerNamed(undefined, GUARDED_SH_APPROVER, terminal),
    ...(GUARDED_SH_SESSION ? { session: GUARDED_SH_SESSION } : {}),
  };
}

/** The session that options or environment name. */
export function sessionOf(parsed: Parsed, { env }: Pick<Terminal, "env">): string | undefined {
  const session = parsed.text("session") ?? env.GUARDED_SH_SESSION;
  return session === "" ? undefined : session;
}

function askerNamed(
  verb: Verb | undefined,
  name: string | undefined,
  terminal: Terminal,
): NonNullable<RunOptions["asker"]> {
  if (name === undefined || name === "") return terminalAsker;
  if (name === "none") return neverAsker;
  if (name === "queue") return queueAsker((request) => announce(request, terminal));
  if (name === "tty") return wantedTerminal;
  throw new UsageError(`\`${escapeText(name)}\` is no approver: use tty, queue or none`, verb);
}

// Loaded only when something is asked.
async function terminalAsker(): Promise<Asker> {
  const { terminalAsker: find } = await import("../ask/terminal.ts");
  return find() ?? neverAsker;
}

async function wantedTerminal(): Promise<Asker> {
  const found = await terminalAsker();
  if (found !== neverAsker) return found;
  return { ask: async () => ({ kind: "unavailable", why: "there is no terminal to ask on" }) };
}

function announce({ id, tool, text }: AskRequest, { stderr }: Terminal): void {
  const what = escapeText(text.length > 60 ? `${text.slice(0, 59)}…` : text);
  stderr.write(
    `guarded-sh: ${tool === "bash" ? "" : `${tool} `}\`${what}\` waits for approval: guarded-sh requests (${id})\n`,
  );
}

function timeoutOf(verb: Verb, parsed: Parsed): number | undefined {
  const text = parsed.text("ask-timeout");
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new UsageError(`--ask-timeout wants a number above 0, not \`${escapeText(text)}\``, verb);
  return seconds * 1000;
}
