import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Approval } from "./approval.ts";
import { countCall, DOOM_LOOP_CALLS } from "./ask/calls.ts";
import type { Answer } from "./ask/exchange.ts";
import { type Asker, type AskRequest, neverAsker, type Proposal, type Storing } from "./ask/index.ts";
import { logDecision } from "./ask/log.ts";
import type { Asked } from "./ask/proposals.ts";
import { scrubEnvironment, terminalEnvironment } from "./exec/environment.ts";
import type { RunOptions as ExecOptions } from "./exec/index.ts";
import type { Boundary } from "./exec/scope.ts";
import { findShell } from "./exec/shell.ts";
import {
  bothEvaluations,
  bothRequests,
  type Context,
  type Evaluation,
  evaluate,
  evaluateRequest,
  findDocuments,
  isOff,
  type LoadedPolicy,
  loadSkill,
  nearMisses,
  type OwnPlaces,
  ownPlaces,
  type Policy,
  type RequestVerdict,
} from "./policy/index.ts";
import { makeFolder } from "./policy/make-folder.ts";
import {
  denialKindOf,
  deniedResult,
  failedResult,
  type Result,
  type ResultDenial,
  ranResult,
  reasonOf,
  refusalsOf,
  resultOf,
} from "./result/index.ts";
import { type PolicyScope, scopeFaults, scopeOf } from "./scope.ts";
import { arityFolder, type Segmentation, type Surroundings, segmentsOf } from "./segment/index.ts";
import { isDirectory, lookingOnce, projectRootOf, readScript, surroundingsOf } from "./surroundings.ts";
import { errorText, nearestWord } from "./text/index.ts";

export { type EndSignals, endOnSignals } from "./exec/signals.ts";
export { readScript, type Script } from "./surroundings.ts";
export { quoteWords } from "./syntax/index.ts";

/** What bash says of its version. */
export async function shellBanner(): Promise<string> {
  return (await import("./exec/banner.ts")).shellBanner();
}

/** Whether bash would run a text as it is, and not wait for more lines. Runs nothing. */
export async function isComplete(text: string): Promise<boolean> {
  return (await import("./exec/complete.ts")).isComplete(text);
}

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
  /** A skill that is running, by its folder or its SKILL.md: only its `allowed-tools` pass, and only if the policy lets them. */
  readonly skill?: string;
  /** The shell that will run the texts, where guarded-sh itself does not: `zsh` reads some words otherwise than bash. */
  readonly dialect?: Surroundings["dialect"];
}

/** A policy and the world it is applied in. */
export interface Guard {
  readonly loaded: LoadedPolicy;
  readonly surroundings: Surroundings;
  readonly context: Context;
  /** What the running skill lets pass; undefined: no skill limits anything. */
  readonly skill?: Policy;
}

/** Finds and loads the policy. Throws a `DiagnosticError` for a policy that cannot be used: then nothing may run. */
export function openGuard(options: GuardOptions = {}): Guard {
  // A misspelled option would open a guard without the policy that it was meant to have.
  checkOptions("openGuard", options, OPEN_OPTIONS);
  const cwd = resolve(options.cwd ?? process.cwd());
  const env = options.env ?? process.env;
  const base = surroundingsOf(cwd, scrubEnvironment(env));
  const loaded =
    options.policy === undefined ? load(base, options) : { policy: options.policy, files: [], entries: new Map() };
  const surroundings = { ...base, entries: loaded.entries, dialect: options.dialect };
  const skill = options.skill === undefined ? undefined : loadSkill(resolve(cwd, options.skill), base);
  const context = contextOf(surroundings, loaded, options.managedPath);
  return { loaded, surroundings, context, ...(skill === undefined ? {} : { skill }) };
}

const OPEN_OPTIONS: ReadonlySet<string> = new Set<keyof GuardOptions>([
  "cwd",
  "env",
  "policyFiles",
  "policy",
  "managedPath",
  "presets",
  "skill",
  "dialect",
]);
const RUN_OPTIONS: ReadonlySet<string> = new Set<keyof RunOptions>([
  "asker",
  "session",
  "askTimeoutMs",
  "onAsked",
  "onReplied",
  "timeoutMs",
  "maxOutputBytes",
  "raw",
  "stdin",
  "signal",
  "onOutput",
  "onStart",
  "terminalInput",
  "captureExports",
  "shell",
  "name",
  "parameters",
  "shellArguments",
  "judged",
  "scriptFile",
]);

/** The longest time that a timer can wait, in ms. */
const LONGEST_MS = 2 ** 31 - 1;

function checkRunOptions(options: RunOptions): void {
  checkOptions("run", options, RUN_OPTIONS);
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_MS))
    throw new TypeError(`run: \`timeoutMs\` is a number of ms above 0 and up to ${LONGEST_MS}, not ${timeoutMs}`);
}

/** Refuses options that there are not. Throws a `TypeError` with the nearest one. */
export function checkOptions(name: string, options: object, known: ReadonlySet<string>): void {
  if (typeof options !== "object" || options === null) throw new TypeError(`${name}: the options are an object`);
  const unknown = Object.keys(options).find((key) => !known.has(key));
  if (unknown === undefined) return;
  const near = nearestWord(unknown, known);
  throw new TypeError(
    `${name}: unknown option \`${unknown}\`${near === undefined ? "" : `, did you mean \`${near}\`?`}`,
  );
}

function load({ cwd, home, env }: Surroundings, options: GuardOptions): LoadedPolicy {
  const { managedPath, policyFiles, presets = join(dirname(arityFolder()), "presets") } = options;
  return findDocuments({
    cwd,
    home,
    env,
    explicit: policyFiles ?? [],
    ...(managedPath === undefined ? {} : { managedPath }),
    presets,
  });
}

function contextOf(surroundings: Surroundings, { policy }: LoadedPolicy, managedPath?: string): Context {
  const { cwd, home, env, realPath, findProgram } = surroundings;
  const projectRoot = projectRootOf(cwd);
  const packageFolder = dirname(arityFolder());
  let known: OwnPlaces | undefined;
  // Looked up when something is written: most texts only read.
  const own = () => {
    known ??= ownPlaces({ home, env, projectRoot, policy, managedPath, packageFolder, findProgram, realPath });
    return known;
  };
  return { cwd, home, env, projectRoot, realPath, isDirectory, own };
}

/** Refuses what is no guard, with the name of what was called. Throws a `TypeError`. */
export function checkGuard(name: string, guard: unknown): void {
  const found = typeof guard === "object" && guard !== null && "loaded" in guard && "surroundings" in guard;
  if (!found)
    throw new TypeError(`${name}: \`guard\` is what openGuard gives, not ${guard === null ? "null" : typeof guard}`);
}

/** The same guard in another directory. */
export function guardAt(guard: Guard, cwd: string): Guard {
  const directory = resolve(guard.surroundings.cwd, cwd);
  const surroundings = { ...guard.surroundings, cwd: directory as Surroundings["cwd"] };
  return { ...guard, surroundings, context: { ...contextOf(surroundings, guard.loaded), own: guard.context.own } };
}

/** The same guard with other variables: what is judged next runs in this environment. */
export function guardWith(guard: Guard, env: Readonly<Record<string, string>>): Guard {
  const { cwd, entries, dialect } = guard.surroundings;
  const surroundings = { ...surroundingsOf(cwd, scrubEnvironment(env)), entries, dialect };
  return { ...guard, surroundings, context: { ...contextOf(surroundings, guard.loaded), own: guard.context.own } };
}

/** A judged text: the material, the verdicts, and the JSON that says both. */
export interface Checked {
  readonly segmentation: Segmentation;
  readonly evaluation: Evaluation;
  readonly result: Result;
}

/** Judges a command line and runs nothing. An exception on the way is a denial of kind `failed`. */
export function check(guard: Guard, commandLine: string, parameters: readonly string[] = []): Checked {
  checkGuard("check", guard);
  if (typeof commandLine !== "string")
    throw new TypeError(`check: \`commandLine\` is a string, not ${typeof commandLine}`);
  const { surroundings, context } = lookingOnce(guard);
  const segmentation = segmentsOf({ name: "command line", text: commandLine }, surroundings, parameters);
  const own = evaluate(segmentation, guard.loaded.policy, context);
  const evaluation =
    guard.skill === undefined ? own : bothEvaluations(own, evaluate(segmentation, guard.skill, context));
  return { segmentation, evaluation, result: judgedResult(guard, segmentation, evaluation) };
}

function judgedResult(guard: Guard, segmentation: Segmentation, evaluation: Evaluation): Result {
  return { ...resultOf(segmentation, evaluation, guard.surroundings.cwd), ...policyNotes(guard) };
}

function policyNotes({ loaded, skill }: Guard): Pick<Result, "untrusted" | "off"> {
  const untrusted = loaded.files.filter((file) => !file.trusted).map((file) => file.path);
  return {
    ...(untrusted.length > 0 ? { untrusted } : {}),
    ...(isOff(loaded.policy) && skill === undefined ? { off: true } : {}),
  };
}

/** For each segment that is not allowed, the rules that nearly spoke about it and why they did not. */
export function nearMissesOf(guard: Guard, checked: Checked): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const { segment, index, decision, because } of checked.evaluation.verdicts) {
    if (decision === "allow") continue;
    const spoken = new Set(because.flatMap((reason) => ("rule" in reason ? [reason.rule.id] : [])));
    const misses = nearMisses(segment, guard.loaded.policy)
      .filter(({ rule }) => !spoken.has(rule.id))
      .slice(0, 1)
      .map(({ rule, why }) => `\`${rule.pattern}\` → ${rule.decision}: ${why}`);
    if (misses.length > 0) found.set(index, misses);
  }
  return found;
}

/** Judges a call of any other tool: its subject is a path, a URL or any text. */
export function checkRequest(guard: Guard, tool: string, subject: string): RequestVerdict {
  checkGuard("checkRequest", guard);
  const own = evaluateRequest({ tool, subject }, guard.loaded.policy, guard.context);
  return guard.skill === undefined
    ? own
    : bothRequests(own, evaluateRequest({ tool, subject }, guard.skill, guard.context));
}

/** How a command line is run. */
export interface RunOptions {
  /** Whoever can answer; a function is called only when something is asked. Without one nobody can. */
  readonly asker?: Asker | (() => Promise<Asker>);
  /** Calls of one session share their pending requests, an *always* for the session, and the count of repeated calls. */
  readonly session?: string;
  /** ms to wait for an answer; five minutes without it. */
  readonly askTimeoutMs?: number;
  readonly onAsked?: (request: AskRequest) => void;
  readonly onReplied?: (request: AskRequest, answer: Answer) => void;
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
  /** What is judged instead of the text: the command inside an agent's own frame, which was recognised. */
  readonly judged?: string;
  /** The script whose text this is; bash reads it itself and so knows its path. */
  readonly scriptFile?: string;
}

export const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_OUTPUT_BYTES = 48 * 1024;

/**
 * Judges a command line, asks when it has to, and runs the whole text on a terminal of its own, or nothing. Expected
 * ends are results; it throws only when guarded-sh itself is at fault.
 */
export async function run(guard: Guard, commandLine: string, options: RunOptions = {}): Promise<Result> {
  checkRunOptions(options);
  const judged = await settle(guard, options.judged ?? commandLine, options);
  if (judged.kind === "refused") return judged.result;
  const shell = shellOf(options);
  if (shell.kind === "missing")
    return failedResult(commandLine, guard.surroundings.cwd, `${shell.message}\nhelp: ${shell.help}`, judged.result);
  const execOptions: ExecOptions = {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.onOutput === undefined ? {} : { onOutput: options.onOutput }),
  };
  const { cleanSpool, removeEmpty, usableSpoolDirectory } = await import("./exec/spool.ts");
  const spool = usableSpoolDirectory(spoolDirectory(guard));
  const boundary = await boundaryOf(guard, shell.path, spool === "" ? undefined : spool);
  if (boundary.kind === "unavailable") return withoutBoundary(guard, commandLine, boundary, judged.result);
  // Judging alone must not wait for what only running needs.
  const { runInTerminal } = await import("./exec/run-terminal.ts");
  // Nothing has run yet, and nothing will.
  if (options.signal?.aborted) return deniedResult(judged.result, "cancelled");
  const running = runInTerminal(
    {
      ...launchOf(guard, commandLine, options, shell.path),
      ...terminalLaunch(guard, options, spool),
      ...prefixOf(boundary),
    },
    execOptions,
  );
  options.onStart?.((text) => running.write(text));
  const execution = await running.execution;
  if (spool === spoolDirectory(guard)) cleanSpool(spool);
  else if (spool !== "") removeEmpty(spool);
  return withScopeFaults(guard, ranResult(judged.result, execution));
}

/** The same on this process's own descriptors: nothing that is read or written passes through here. */
export async function runTransparently(guard: Guard, commandLine: string, options: RunOptions = {}): Promise<Result> {
  checkRunOptions(options);
  const judged = await settle(guard, options.judged ?? commandLine, options);
  if (judged.kind === "refused") return judged.result;
  const shell = shellOf(options);
  if (shell.kind === "missing")
    return failedResult(commandLine, guard.surroundings.cwd, `${shell.message}\nhelp: ${shell.help}`, judged.result);
  const changed = scriptFault(guard, commandLine, options);
  if (changed !== undefined) return failedResult(commandLine, guard.surroundings.cwd, changed, judged.result);
  const state = options.captureExports === undefined ? {} : stateLaunch(guard, options.captureExports);
  const boundary = await boundaryOf(guard, shell.path, state.spoolDirectory);
  if (boundary.kind === "unavailable") return withoutBoundary(guard, commandLine, boundary, judged.result);
  const launch = {
    ...launchOf(guard, commandLine, options, shell.path),
    env: environmentOf(guard),
    ...state,
    ...prefixOf(boundary),
  };
  const { runInPipes } = await import("./exec/run-pipes.ts");
  if (options.signal?.aborted) return deniedResult(judged.result, "cancelled");
  return ranResult(
    judged.result,
    await runInPipes(launch, options.signal === undefined ? {} : { signal: options.signal }),
  );
}

function stateLaunch(guard: Guard, exports: boolean): { spoolDirectory?: string; captureState?: { exports: boolean } } {
  return { spoolDirectory: spoolDirectory(guard), captureState: { exports } };
}

/** A script is read twice, by us and by bash: an answer may have taken minutes. */
function scriptFault({ surroundings }: Guard, text: string, { scriptFile }: RunOptions): string | undefined {
  if (scriptFile === undefined) return undefined;
  const script = readScript(resolve(surroundings.cwd, scriptFile));
  return script.kind === "text" && script.text === text ? undefined : "the script has changed since it was judged";
}

type GuardBoundary = Boundary | { readonly kind: "none" };

/** The boundary of the operating system that the policy asks for; it is loaded only then. */
async function boundaryOf(guard: Guard, shell: string, spool?: string): Promise<GuardBoundary> {
  const asked = policyScope(guard);
  if (asked.kind === "none") return asked;
  if (asked.kind === "unusable") return { kind: "unavailable", message: asked.message, help: "write the path itself" };
  const { boundaryFor } = await import("./exec/scope.ts");
  if (spool !== undefined) makeFolder(spool, 0o700);
  return boundaryFor(asked.scope, {
    cwd: guard.surroundings.cwd,
    shell,
    ...(spool === undefined ? {} : { spoolDirectory: spool }),
  });
}

function policyScope({ loaded, surroundings: { home, env }, context: { projectRoot } }: Guard): PolicyScope {
  return scopeOf(loaded.files, { home, env, projectRoot });
}

function prefixOf(boundary: GuardBoundary): { readonly prefix?: readonly string[] } {
  return boundary.kind === "ready" ? { prefix: boundary.prefix } : {};
}

function withoutBoundary(
  guard: Guard,
  commandLine: string,
  { message, help }: Extract<GuardBoundary, { kind: "unavailable" }>,
  result: Result,
): Result {
  return failedResult(commandLine, guard.surroundings.cwd, `${message}\nhelp: ${help}`, result);
}

/** Names what the boundary kept from a command that failed. */
function withScopeFaults(guard: Guard, result: Result): Result {
  const { execution } = result;
  const asked = policyScope(guard);
  if (asked.kind !== "scope" || execution === undefined || !result.is_error) return result;
  const { home, realPath } = guard.surroundings;
  const faults = scopeFaults(asked.scope, execution.output, { cwd: execution.cwd, home, realPath });
  return faults.length === 0 ? result : { ...result, execution: { ...execution, scope: faults } };
}

type Settled =
  | { readonly kind: "allowed"; readonly result: Result }
  | { readonly kind: "refused"; readonly result: Result };

type AskOptions = Pick<RunOptions, "asker" | "session" | "signal" | "askTimeoutMs" | "onAsked" | "onReplied">;

/** Judges and asks: whether the text may run now. */
async function settle(guard: Guard, commandLine: string, options: RunOptions): Promise<Settled> {
  const checked = check(guard, commandLine, options.parameters ?? []);
  const loop = loopVerdict(guard, "bash", commandLine, options);
  const { result } = checked;
  if (result.decision === "deny") return { kind: "refused", result: denied(guard, "bash", result, options) };
  if (options.signal?.aborted) return { kind: "refused", result: deniedResult(result, "cancelled") };
  if (loop?.decision === "deny") return refuseLoop(result, loop);
  if (result.decision === "allow")
    return loop === undefined ? { kind: "allowed", result } : settleLoop(guard, result, loop, options);
  const { segmentation, evaluation } = checked;
  const asked = {
    kind: "text",
    policy: guard.loaded.policy,
    context: guard.context,
    segmentation,
    evaluation,
  } as const;
  const reasons = loop === undefined ? [] : [loopMessage("bash")];
  return settleAsked(guard, asked, result, options, { reasons });
}

/** Judges a call of any tool, asking when it has to. Undefined: it may be made; else why not. Runs nothing. */
export async function decide(
  guard: Guard,
  { tool, subject }: { readonly tool: string; readonly subject: string },
  options: AskOptions = {},
): Promise<ResultDenial | undefined> {
  if (tool === "bash") return (await settle(guard, subject, options)).result.denial;
  const verdict = checkRequest(guard, tool, subject);
  const loop = loopVerdict(guard, tool, subject, options);
  const result = requestResult(guard, verdict);
  if (verdict.decision === "deny") return denied(guard, tool, result, options).denial;
  if (options.signal?.aborted) return deniedResult(result, "cancelled").denial;
  if (loop?.decision === "deny") return refuseLoop(result, loop).result.denial;
  if (verdict.decision === "allow")
    return loop === undefined ? undefined : (await settleLoop(guard, result, loop, options)).result.denial;
  const asked = { kind: "call", policy: guard.loaded.policy, context: guard.context, verdict } as const;
  const reasons = loop === undefined ? [] : [loopMessage(tool)];
  return (await settleAsked(guard, asked, result, options, { reasons })).result.denial;
}

/** A judged command line with the asks that grants answer: for a host that asks by itself. A database that fails is thrown. */
export async function checkWithGrants(guard: Guard, checked: Checked, session?: string): Promise<Checked> {
  const { segmentation, evaluation } = checked;
  if (evaluation.decision !== "ask") return checked;
  const { answeredByGrants } = await import("./approval.ts");
  const { policy, files } = guard.loaded;
  const asked = { kind: "text", policy, context: guard.context, segmentation, evaluation } as const;
  const granted = answeredByGrants(asked, { stateFolder: stateFolderOf(guard), files, session });
  return { segmentation, evaluation: granted, result: judgedResult(guard, segmentation, granted) };
}

/** What can be stored for a request of another process: the request is judged here once more. */
export async function storingOf(guard: Guard, request: Pick<AskRequest, "tool" | "text">): Promise<Storing> {
  const { partsOf, storingFor } = await import("./ask/proposals.ts");
  const asked = askedAgain(guard, request);
  return storingFor(
    asked,
    partsOf(asked, () => ""),
  );
}

function askedAgain(guard: Guard, { tool, text }: Pick<AskRequest, "tool" | "text">): Asked {
  const common = { policy: guard.loaded.policy, context: guard.context };
  if (tool === "bash") {
    const { segmentation, evaluation } = check(guard, text);
    return { kind: "text", ...common, segmentation, evaluation };
  }
  const verdict = checkRequest(guard, tool, text);
  return { kind: "call", ...common, verdict: tool === "doom_loop" ? askedLoop(verdict) : verdict };
}

/** What an *always* could store for a judged command line. */
export async function proposalsFor(guard: Guard, { segmentation, evaluation }: Checked): Promise<readonly Proposal[]> {
  const { requestFor } = await import("./approval.ts");
  const { policy, files } = guard.loaded;
  const asked = { kind: "text", policy, context: guard.context, segmentation, evaluation } as const;
  return requestFor(asked, { files, session: undefined, reasons: [] }).proposals;
}

function denied(guard: Guard, tool: string, result: Result, { session }: AskOptions): Result {
  const outcome = deniedResult(result, denialKindOf(result));
  logDecision(stateFolderOf(guard), {
    version: 1,
    at: new Date().toISOString(),
    session: session ?? "",
    project: guard.context.projectRoot,
    cwd: result.cwd,
    tool,
    text: result.command,
    outcome: "denied",
    parts: refusalsOf(result).map(({ subject, reason }) => ({ tool, subject, pattern: reason.pattern ?? null })),
  });
  return outcome;
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
    because: because.map((reason) => reasonOf(reason, guard.surroundings.cwd)),
  };
}

/** Has the question answered. Whatever goes wrong with the database is a no. */
async function settleAsked(
  guard: Guard,
  asked: Asked,
  result: Result,
  options: AskOptions,
  more: { readonly reasons: readonly string[]; readonly why?: string },
): Promise<Settled> {
  // Loaded only now: most texts are decided without a question.
  const { approve, missingRules } = await import("./approval.ts");
  try {
    const approval = await approve(asked, {
      stateFolder: stateFolderOf(guard),
      files: guard.loaded.files,
      session: options.session,
      asker: await askerOf(options),
      signal: options.signal ?? new AbortController().signal,
      timeoutMs: options.askTimeoutMs,
      ...more,
      onAsked: options.onAsked,
      onReplied: options.onReplied,
    });
    return settleAnswer(guard, asked, result, approval, missingRules(approval.request));
  } catch (error) {
    return { kind: "refused", result: failedResult(result.command, result.cwd, errorText(error), result) };
  }
}

async function askerOf({ asker = neverAsker }: AskOptions): Promise<Asker> {
  return typeof asker === "function" ? asker() : asker;
}

function settleAnswer(
  guard: Guard,
  asked: Asked,
  result: Result,
  { answer, granted }: Approval,
  rules: readonly string[],
): Settled {
  switch (answer.kind) {
    case "granted": {
      const judged = asked.kind === "text" && granted ? judgedResult(guard, asked.segmentation, granted) : result;
      return { kind: "allowed", result: { ...judged, approved_by: "grant" } };
    }
    case "once":
    case "always":
      return { kind: "allowed", result: { ...result, approved_by: "person" } };
    case "reject":
    case "cascade":
    case "unavailable":
    case "timeout":
    case "cancelled":
      return { kind: "refused", result: refusedBy(result, answer, rules) };
  }
}

function refusedBy(
  result: Result,
  answer: Exclude<Answer, { kind: "granted" | "once" | "always" }>,
  rules: readonly string[],
): Result {
  switch (answer.kind) {
    case "reject":
      return answer.feedback === undefined
        ? deniedResult(result, "rejected")
        : deniedResult(result, "corrected", answer.feedback);
    case "cascade":
      return deniedResult(result, "cascade");
    case "unavailable":
      return deniedResult(result, "ask-unavailable", undefined, rules);
    case "timeout":
      return deniedResult(result, "ask-timeout", undefined, rules);
    case "cancelled":
      return deniedResult(result, "cancelled");
  }
}

/** What the rules say of going on with a call that is made for the third time in a row; undefined: nothing to say. */
function loopVerdict(guard: Guard, tool: string, subject: string, { session }: AskOptions): RequestVerdict | undefined {
  if (session === undefined || isOff(guard.loaded.policy)) return undefined;
  if (countCall(stateFolderOf(guard), session, tool, subject) < DOOM_LOOP_CALLS) return undefined;
  const verdict = askedLoop(checkRequest(guard, "doom_loop", tool));
  return verdict.decision === "allow" ? undefined : verdict;
}

/** A default is about calls, not about making them again and again: without a rule it is asked. */
function askedLoop(verdict: RequestVerdict): RequestVerdict {
  const [because] = verdict.because;
  return because.kind === "default"
    ? { ...verdict, decision: "ask", because: [{ ...because, decision: "ask" }] }
    : verdict;
}

function loopMessage(tool: string): string {
  return `the same call of ${tool} for the third time in a row (doom_loop)`;
}

function loopResult(result: Result, { request, decision, because }: RequestVerdict): Result {
  const [reason] = because;
  const message = reason.kind === "default" ? loopMessage(request.subject) : reasonOf(reason).message;
  return { ...result, decision, because: [{ ...reasonOf(reason), message }, ...result.because] };
}

function refuseLoop(result: Result, loop: RequestVerdict): Settled {
  return { kind: "refused", result: deniedResult(loopResult(result, loop), "rule") };
}

async function settleLoop(guard: Guard, result: Result, loop: RequestVerdict, options: AskOptions): Promise<Settled> {
  const asked = { kind: "call", policy: guard.loaded.policy, context: guard.context, verdict: loop } as const;
  const more = { reasons: [], why: loopMessage(loop.request.subject) };
  const settled = await settleAsked(guard, asked, loopResult(result, loop), options, more);
  return settled.kind === "allowed" ? { kind: "allowed", result } : settled;
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
  const { name, parameters, shellArguments, timeoutMs, scriptFile } = options;
  return {
    commandLine,
    shell,
    cwd: guard.surroundings.cwd,
    ...(name === undefined ? {} : { name, parameters: parameters ?? [] }),
    ...(shellArguments === undefined ? {} : { shellArguments }),
    ...(scriptFile === undefined ? {} : { scriptFile }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function terminalLaunch(guard: Guard, options: RunOptions, spool: string) {
  const { raw, stdin, terminalInput, captureExports } = options;
  return {
    env: terminalEnvironment(environmentOf(guard)),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxOutputBytes: options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES,
    spoolDirectory: spool,
    ...(raw === undefined ? {} : { raw }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(terminalInput === undefined ? {} : { terminalInput }),
    ...(captureExports === undefined ? {} : { captureState: { exports: captureExports } }),
  };
}

function spoolDirectory(guard: Guard): string {
  return join(stateFolderOf(guard), "output");
}

/** Where grants, pending requests, the log and outputs are kept. */
export function stateFolderOf({ surroundings: { env, home } }: Guard): string {
  return stateFolder(env.get("XDG_STATE_HOME"), home);
}

/** The same before any policy is loaded. */
export function stateFolderFor(env: Readonly<Record<string, string | undefined>>): string {
  return stateFolder(env.XDG_STATE_HOME, env.HOME?.startsWith("/") ? env.HOME : homedir());
}

function stateFolder(state: string | undefined, home: string): string {
  const folder = state?.startsWith("/") ? state : join(home === "/" ? tmpdir() : home || homedir(), ".local/state");
  return join(folder, "guarded-sh");
}
