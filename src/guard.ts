import { randomUUID } from "node:crypto";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Asker, type AskRequest, neverAsker, type Reply, type RequestId } from "./ask/index.ts";
import {
  type RunOptions as ExecOptions,
  findShell,
  runInPipes,
  runInTerminal,
  scrubEnvironment,
  terminalEnvironment,
} from "./exec/index.ts";
import {
  type Context,
  type Evaluation,
  evaluate,
  evaluateRequest,
  findDocuments,
  isOff,
  type LoadedPolicy,
  nearMisses,
  type Policy,
  type RequestVerdict,
} from "./policy/index.ts";
import {
  denialKindOf,
  deniedResult,
  failedResult,
  type Result,
  type ResultDenial,
  ranResult,
  reasonOf,
  resultOf,
} from "./result/index.ts";
import { type Segmentation, type Surroundings, segmentsOf } from "./segment/index.ts";
import { isDirectory, projectRootOf, surroundingsOf } from "./surroundings.ts";

export { type EndSignals, endOnSignals } from "./exec/index.ts";
export { quoteWords } from "./syntax/index.ts";

/** How a guard is opened. Everything has a default: the directory, environment and policy files of this process. */
export interface GuardOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Policy files besides those that are found; each votes. */
  readonly policyFiles?: readonly string[];
  /** A policy instead of everything that would be found. */
  readonly policy?: Policy;
  /** Where the machine's own policy lies. */
  readonly managedPath?: string;
  /** Folder of the presets. */
  readonly presets?: string;
}

/** A policy and the world it is applied in. */
export interface Guard {
  readonly loaded: LoadedPolicy;
  readonly surroundings: Surroundings;
  readonly context: Context;
}

/** Finds and loads the policy. Throws a `DiagnosticError` for a policy that cannot be used: then nothing may run. */
export function openGuard(options: GuardOptions = {}): Guard {
  const cwd = resolve(options.cwd ?? process.cwd());
  const env = options.env ?? process.env;
  const base = surroundingsOf(cwd, scrubEnvironment(env));
  const loaded =
    options.policy === undefined ? load(base, options) : { policy: options.policy, files: [], entries: new Map() };
  const surroundings = { ...base, entries: loaded.entries };
  return { loaded, surroundings, context: contextOf(surroundings) };
}

function load({ cwd, home, env }: Surroundings, options: GuardOptions): LoadedPolicy {
  const { managedPath, presets, policyFiles } = options;
  return findDocuments({
    cwd,
    home,
    env,
    explicit: policyFiles ?? [],
    ...(managedPath === undefined ? {} : { managedPath }),
    ...(presets === undefined ? {} : { presets }),
  });
}

function contextOf({ cwd, home, env, realPath }: Surroundings): Context {
  return { cwd, home, env, projectRoot: projectRootOf(cwd), realPath, isDirectory };
}

/** The same guard in another directory. */
export function guardAt(guard: Guard, cwd: string): Guard {
  const directory = resolve(guard.surroundings.cwd, cwd);
  const surroundings = { ...guard.surroundings, cwd: directory as Surroundings["cwd"] };
  return { ...guard, surroundings, context: { ...contextOf(surroundings) } };
}

/** A judged text: the material, the verdicts, and the JSON that says both. */
export interface Checked {
  readonly segmentation: Segmentation;
  readonly evaluation: Evaluation;
  readonly result: Result;
}

/** Judges a command line and runs nothing. An exception on the way is a denial of kind `failed`. */
export function check(guard: Guard, commandLine: string, parameters: readonly string[] = []): Checked {
  const segmentation = segmentsOf({ name: "command line", text: commandLine }, guard.surroundings, parameters);
  const evaluation = evaluate(segmentation, guard.loaded.policy, guard.context);
  return {
    segmentation,
    evaluation,
    result: { ...resultOf(segmentation, evaluation, guard.surroundings.cwd), ...policyNotes(guard) },
  };
}

function policyNotes({ loaded }: Guard): Pick<Result, "untrusted" | "off"> {
  const untrusted = loaded.files.filter((file) => !file.trusted).map((file) => file.path);
  return { ...(untrusted.length > 0 ? { untrusted } : {}), ...(isOff(loaded.policy) ? { off: true } : {}) };
}

/** For each segment that is not allowed, the rules that nearly spoke about it and why they did not. */
export function nearMissesOf(guard: Guard, checked: Checked): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const { segment, index, decision } of checked.evaluation.verdicts) {
    if (decision === "allow") continue;
    const misses = nearMisses(segment, guard.loaded.policy, 1).map(
      ({ rule, why }) => `\`${rule.pattern}\` → ${rule.decision}: ${why}`,
    );
    if (misses.length > 0) found.set(index, misses);
  }
  return found;
}

/** Judges a call of any other tool: its subject is a path, a URL or any text. */
export function checkRequest(guard: Guard, tool: string, subject: string): RequestVerdict {
  return evaluateRequest({ tool, subject }, guard.loaded.policy, guard.context);
}

/** How a command line is run. */
export interface RunOptions {
  readonly asker?: Asker;
  readonly session?: string;
  /** ms from the start; 120,000 without it. */
  readonly timeoutMs?: number;
  /** Bytes of output in the result. */
  readonly maxOutputBytes?: number;
  readonly raw?: boolean;
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
  /** Takes the function that types into the running command. */
  readonly onStart?: (write: (text: string) => boolean) => void;
  readonly terminalInput?: boolean;
  readonly captureExports?: boolean;
  readonly shell?: string;
  /** `$0`, `$1` … */
  readonly name?: string;
  readonly parameters?: readonly string[];
  /** Options of bash in front of `-c`. */
  readonly shellArguments?: readonly string[];
}

export const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_OUTPUT_BYTES = 48 * 1024;

/**
 * Judges a command line, asks when it has to, and runs the whole text on a terminal of its own, or nothing. Expected
 * ends are results; it throws only when guarded-sh itself is at fault.
 */
export async function run(guard: Guard, commandLine: string, options: RunOptions = {}): Promise<Result> {
  const judged = await settle(guard, commandLine, options);
  if (judged.kind === "refused") return judged.result;
  const shell = shellOf(options);
  if (shell.kind === "missing")
    return failedResult(commandLine, guard.surroundings.cwd, `${shell.message}\nhelp: ${shell.help}`, judged.result);
  const execOptions: ExecOptions = {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.onOutput === undefined ? {} : { onOutput: options.onOutput }),
  };
  const running = runInTerminal(
    { ...launchOf(guard, commandLine, options, shell.path), ...terminalLaunch(guard, options) },
    execOptions,
  );
  options.onStart?.((text) => running.write(text));
  return ranResult(judged.result, await running.execution);
}

/** The same on this process's own descriptors: nothing that is read or written passes through here. */
export async function runTransparently(guard: Guard, commandLine: string, options: RunOptions = {}): Promise<Result> {
  const judged = await settle(guard, commandLine, options);
  if (judged.kind === "refused") return judged.result;
  const shell = shellOf(options);
  if (shell.kind === "missing")
    return failedResult(commandLine, guard.surroundings.cwd, `${shell.message}\nhelp: ${shell.help}`, judged.result);
  const launch = { ...launchOf(guard, commandLine, options, shell.path), env: environmentOf(guard) };
  return ranResult(
    judged.result,
    await runInPipes(launch, options.signal === undefined ? {} : { signal: options.signal }),
  );
}

type Settled =
  | { readonly kind: "allowed"; readonly result: Result }
  | { readonly kind: "refused"; readonly result: Result };

/** Judges and asks: whether the text may run now. */
async function settle(guard: Guard, commandLine: string, options: RunOptions): Promise<Settled> {
  const checked = check(guard, commandLine, options.parameters ?? []);
  const { result } = checked;
  if (result.decision === "allow") return { kind: "allowed", result };
  if (result.decision === "deny") return { kind: "refused", result: deniedResult(result, denialKindOf(result)) };
  const asker = options.asker ?? neverAsker;
  const reply = await asker.ask(
    requestOf(guard, commandLine, checked, options.session),
    options.signal ?? new AbortController().signal,
  );
  return settleReply(result, reply);
}

/** Judges a call of any tool, asking when it has to. Undefined: it may be made; else why not. Runs nothing. */
export async function decide(
  guard: Guard,
  { tool, subject }: { readonly tool: string; readonly subject: string },
  options: Pick<RunOptions, "asker" | "session" | "signal"> = {},
): Promise<ResultDenial | undefined> {
  if (tool === "bash") return (await settle(guard, subject, options)).result.denial;
  const verdict = checkRequest(guard, tool, subject);
  const result = requestResult(guard, verdict);
  if (verdict.decision === "allow") return undefined;
  if (verdict.decision === "deny") return deniedResult(result, denialKindOf(result)).denial;
  const request: AskRequest = {
    ...emptyRequest(guard, subject, options.session),
    tool,
    reasons: [reasonOf(verdict.because[0]).message],
  };
  const reply = await (options.asker ?? neverAsker).ask(request, options.signal ?? new AbortController().signal);
  return settleReply(result, reply).result.denial;
}

function requestResult(guard: Guard, { request, decision, because }: RequestVerdict): Result {
  const command = `${request.tool} ${request.subject}`;
  return {
    version: 1,
    kind: "checked",
    is_error: false,
    command,
    cwd: guard.surroundings.cwd,
    decision,
    segments: [],
    effects: [],
    findings: [],
    because: because.map(reasonOf),
  };
}

function emptyRequest(guard: Guard, text: string, session = "default"): AskRequest {
  const id = randomUUID() as string as RequestId;
  return {
    id,
    session,
    tool: "bash",
    text,
    cwd: guard.surroundings.cwd,
    segmentation: undefined,
    evaluation: undefined,
    reasons: [],
    proposals: [],
  };
}

function requestOf(guard: Guard, text: string, checked: Checked, session?: string): AskRequest {
  const { segmentation, evaluation } = checked;
  const reasons = evaluation.verdicts.flatMap(({ decision, because }) =>
    decision === "ask" ? [reasonOf(because[0]).message] : [],
  );
  return { ...emptyRequest(guard, text, session), segmentation, evaluation, reasons };
}

function settleReply(result: Result, reply: Reply): Settled {
  const refuse = (kind: Parameters<typeof deniedResult>[1], feedback?: string): Settled => ({
    kind: "refused",
    result: deniedResult(result, kind, feedback),
  });
  switch (reply.kind) {
    case "once":
    case "always":
      return { kind: "allowed", result };
    case "reject":
      return reply.feedback === undefined ? refuse("rejected") : refuse("corrected", reply.feedback);
    case "cascade":
      return refuse("cascade");
    case "unavailable":
      return refuse("ask-unavailable");
    case "timeout":
      return refuse("ask-timeout");
    case "cancelled":
      return refuse("cancelled");
  }
}

function shellOf({ shell }: RunOptions): ReturnType<typeof findShell> {
  return shell === undefined ? findShell() : findShell([shell]);
}

function environmentOf({ surroundings, loaded }: Guard): Record<string, string> {
  const rules = loaded.files.filter((file) => file.trusted && file.env !== undefined).map((file) => file.env);
  const env = Object.fromEntries(surroundings.env);
  return rules.reduce<Record<string, string>>((kept, rule) => scrubEnvironment(kept, ruleOf(rule)), env);
}

function ruleOf(rule: LoadedPolicy["files"][number]["env"]): { pass?: readonly string[]; drop?: readonly string[] } {
  if (rule === undefined) return {};
  return rule.pass.length > 0 ? { pass: rule.pass, drop: rule.drop } : { drop: rule.drop };
}

function launchOf(guard: Guard, commandLine: string, options: RunOptions, shell: string) {
  const { name, parameters, shellArguments, timeoutMs } = options;
  return {
    commandLine,
    shell,
    cwd: guard.surroundings.cwd,
    ...(name === undefined ? {} : { name, parameters: parameters ?? [] }),
    ...(shellArguments === undefined ? {} : { shellArguments }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function terminalLaunch(guard: Guard, options: RunOptions) {
  const { raw, stdin, terminalInput, captureExports } = options;
  return {
    env: terminalEnvironment(environmentOf(guard)),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxOutputBytes: options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES,
    spoolDirectory: spoolDirectory(guard),
    ...(raw === undefined ? {} : { raw }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(terminalInput === undefined ? {} : { terminalInput }),
    ...(captureExports === undefined ? {} : { captureState: { exports: captureExports } }),
  };
}

function spoolDirectory({ surroundings: { env, home } }: Guard): string {
  const state = env.get("XDG_STATE_HOME");
  const folder = state?.startsWith("/") ? state : join(home === "/" ? tmpdir() : home || homedir(), ".local/state");
  return join(folder, "guarded-sh", "output");
}
