import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { HOOKS, type Hook, type HookAnswer, MOST_PAYLOAD, refuse, runHook } from "../adapters/hooks/index.ts";
import { type Asker, neverAsker, queueAsker } from "../ask/index.ts";
import { escapeText, nearestWord } from "../text/index.ts";
import { type Parsed, POLICY_OPTION, type Terminal, UsageError, type Verb } from "./command.ts";
import { presetsFolder } from "./package.ts";

const NAMES = HOOKS.map(({ host }) => host);

export const hookVerb: Verb = {
  name: "hook",
  summary: "an agent's hook before a tool call: its event on standard input, its answer on standard output",
  usage: [`hook AGENT [--rewrite] [--shell-only]`],
  options: [
    {
      name: "rewrite",
      help: "hand an allowed command back as a call of `guarded-sh run`, where the agent can be given one",
    },
    { name: "shell-only", help: "leave tools that run no command line to the agent" },
    { name: "approver", value: "WHO", help: "who is asked: host (default), queue or none" },
    {
      name: "ask-timeout",
      value: "SECONDS",
      help: "with --approver queue: how long to wait (default 25); the host waits longer",
    },
    POLICY_OPTION,
  ],
  examples: [
    ["guarded-sh hook claude-code", `agents: ${NAMES.join(", ")}`],
    ["guarded-sh hook auto", "the agent is recognized by its event"],
  ],
  run: runHookVerb,
};

/** What a host waits for at least: the shortest known limit is 5 s. */
const STDIN_MS = 3500;

async function runHookVerb(parsed: Parsed, terminal: Terminal): Promise<number> {
  const hook = hookNamed(parsed.operands);
  const asker = askerOf(parsed.text("approver") ?? "host");
  const askTimeoutMs = secondsOf(parsed.text("ask-timeout") ?? "25") * 1000;
  try {
    const bytes = await readStdin(terminal.stdin);
    const answer = await runHook(bytes, {
      hook,
      env: terminal.env,
      cwd: terminal.cwd,
      guard: {
        policyFiles: parsed.texts("policy").map((file) => resolve(terminal.cwd, file)),
        presets: presetsFolder(),
      },
      ...(asker === undefined ? {} : { asker, askTimeoutMs }),
      shellOnly: parsed.is("shell-only"),
      ...(parsed.is("rewrite") ? { rewrite: startWords() } : {}),
    });
    return write(answer, terminal);
  } catch (error) {
    return write(refuse(hook, error), terminal);
  }
}

/** The *no* for a call of `hook` that is itself wrong: the host must not take it for a broken hook and go on. */
export function refuseUsage(argv: readonly string[], message: string, terminal: Terminal): number {
  return write(refusalOf(argv, message), terminal);
}

/** The same as an answer: of the host that the words name, or of all of them. */
export function refusalOf(argv: readonly string[], message: string): HookAnswer {
  const [hook, ...more] = HOOKS.filter(({ host }) => argv.includes(host));
  return refuse(more.length > 0 ? undefined : hook, new Error(message.replace(/^guarded-sh: /, "")));
}

function hookNamed(operands: readonly string[]): Hook | "auto" {
  const [name, ...more] = operands;
  if (name === undefined || more.length > 0) throw new UsageError("one agent is named", hookVerb);
  if (name === "auto") return name;
  const hook = HOOKS.find(({ host }) => host === name);
  if (hook !== undefined) return hook;
  const near = nearestWord(name, NAMES);
  throw new UsageError(
    `unknown agent \`${escapeText(name)}\`${near === undefined ? "" : `, did you mean \`${near}\`?`}`,
    hookVerb,
  );
}

function askerOf(who: string): Asker | undefined {
  if (who === "host") return undefined;
  if (who === "none") return neverAsker;
  if (who === "queue") return queueAsker();
  throw new UsageError(`--approver wants host, queue or none, not \`${escapeText(who)}\``, hookVerb);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new UsageError(`--ask-timeout wants a number above 0, not \`${escapeText(text)}\``, hookVerb);
}

function write({ status, stdout, stderr }: HookAnswer, terminal: Terminal): number {
  terminal.stdout.write(`${stdout}\n`);
  if (stderr !== "") terminal.stderr.write(stderr);
  return status;
}

/** The program that is running, as words; PATH may lead elsewhere by the time the host runs them. */
function startWords(): readonly string[] {
  const [, script] = process.argv;
  return script === undefined ? ["guarded-sh"] : [process.execPath, realpathSync(script)];
}

/** Everything up to the limit; a host that never closes its end gets an error in time. */
async function readStdin(stdin: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  const reading = (async () => {
    for await (const chunk of stdin) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      chunks.push(bytes);
      length += bytes.length;
      if (length > MOST_PAYLOAD) break;
    }
    return Buffer.concat(chunks);
  })();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // An open end would keep this process alive after its answer.
      if (stdin instanceof Readable) stdin.destroy();
      reject(new Error("standard input did not end in time"));
    }, STDIN_MS);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
