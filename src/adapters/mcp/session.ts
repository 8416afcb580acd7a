import { isAbsolute, resolve } from "node:path";
import type { Asker } from "../../ask/index.ts";
import { check, type Guard, type GuardOptions, guardAt, openGuard, run } from "../../guard.ts";
import type { Result } from "../../result/index.ts";
import { resultText } from "../result-text.ts";
import type { BashArguments, CheckArguments } from "./arguments.ts";

/** What a call comes to: the text for the model and the result; of a job that still runs, what was judged. */
export interface CallAnswer {
  readonly text: string;
  readonly result: Result;
}

/** What one call is given besides its arguments. */
export interface CallSetting {
  readonly asker: Asker;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

/** One client: its directory and its jobs last between calls. */
export interface Session {
  bash(input: BashArguments, setting: CallSetting): Promise<CallAnswer>;
  check(input: CheckArguments): CallAnswer;
  /** Ends all jobs. */
  close(): void;
}

interface Job {
  readonly ended: Promise<Result>;
  readonly end: AbortController;
  readonly judged: Result;
  output: string;
  result: Result | undefined;
}

const MOST_JOBS = 32;
const SHORT_MS = 1000;
const JOB_MS = 24 * 60 * 60 * 1000;
const JOB_TAIL = 16 * 1024;

/**
 * Opens a session. The policy is that of the directory the server was started in, read anew for every call, wherever `cd` has
 * led since.
 */
export function openSession(options: GuardOptions & { readonly cwd: string }, id: string): Session {
  let directory = resolve(options.cwd);
  const jobs = new Map<string, Job>();
  const guardFor = (cwd: string | undefined): Guard =>
    guardAt(openGuard(options), cwd === undefined ? directory : resolve(directory, cwd));

  async function runNow(command: string, input: BashArguments, setting: CallSetting): Promise<CallAnswer> {
    const result = await run(guardFor(input.cwd), command, { ...runOptions(input, id), ...setting });
    const { execution } = result;
    if (input.cwd === undefined && execution?.cwd_known === true && isAbsolute(execution.cwd))
      directory = execution.cwd;
    return { text: resultText(result), result };
  }

  async function startJob(command: string, input: BashArguments, { asker, signal }: CallSetting): Promise<CallAnswer> {
    const running = [...jobs.values()].filter(({ result }) => result === undefined).length;
    if (running >= MOST_JOBS) throw new Error(`${MOST_JOBS} jobs are running, wait for one of them`);
    const guard = guardFor(input.cwd);
    const number = String(jobs.size + 1);
    const end = new AbortController();
    const started: Job = {
      end,
      judged: check(guard, command).result,
      output: "",
      result: undefined,
      ended: run(guard, command, {
        ...runOptions(input, id),
        timeoutMs: input.timeout_ms ?? JOB_MS,
        asker: { ...asker, ask: (request, _, storing) => asker.ask(request, signal, storing) },
        signal: end.signal,
        onOutput: (text) => {
          started.output = (started.output + text).slice(-JOB_TAIL);
        },
      }).then((result) => {
        started.result = result;
        return result;
      }),
    };
    jobs.set(number, started);
    return waitFor(number, SHORT_MS, signal);
  }

  async function waitFor(number: string, waitMs: number, signal: AbortSignal): Promise<CallAnswer> {
    const job = jobs.get(number);
    if (job === undefined) throw new TypeError(`job: there is no job \`${number}\``);
    const result = job.result ?? (await within(job.ended, waitMs, signal));
    if (result !== undefined) return { text: resultText(result), result };
    return { text: `[job ${number} is running]\n${job.output}`.trimEnd(), result: job.judged };
  }

  return {
    bash: (input, setting) => {
      const { command, job, background, timeout_ms } = input;
      if (command === undefined) return waitFor(job ?? "", timeout_ms ?? 120_000, setting.signal);
      return background === true ? startJob(command, input, setting) : runNow(command, input, setting);
    },
    check: ({ command, cwd }) => {
      const { result } = check(guardFor(cwd), command);
      return { text: checkText(result), result };
    },
    close: () => {
      for (const { end } of jobs.values()) end.abort();
    },
  };
}

function runOptions({ stdin, timeout_ms }: BashArguments, session: string) {
  return {
    session,
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
    ...(stdin === undefined ? {} : { stdin }),
  };
}

/** The value, or undefined when the time is over or nobody waits any longer. */
async function within<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), ms);
    signal.addEventListener("abort", () => done(undefined), { once: true });
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

function checkText({ decision, segments, because }: Result): string {
  const lines = segments.map(
    (segment) => `${segment.decision} \`${segment.text}\`: ${segment.because[0]?.message ?? ""}`,
  );
  return [decision, ...because.map(({ message }) => message), ...lines].join("\n");
}
