import { basename, resolve } from "node:path";
import { readScript } from "../guard.ts";
import { failedResult } from "../result/index.ts";
import { escapeText, LIMITS } from "../text/index.ts";
import type { Terminal } from "./command.ts";
import { messageOf } from "./error-message.ts";
import { EXIT } from "./exit.ts";
import { statusOf } from "./run.ts";
import { readShellCall, type ShellCall } from "./shell-call.ts";
import { denialForm, writeDenial } from "./shell-denial.ts";
import { DEEPEST, depthOf } from "./shell-depth.ts";
import { runShellText, type ShellJob } from "./shell-text.ts";
import { shellHelp, shellVersion } from "./shell-version.ts";

/** Names under which guarded-sh is a shell whatever its first word is. */
const SHELL_NAMES: ReadonlySet<string> = new Set(["bash", "sh", "zsh"]);
/** Words that begin with a dash and are guarded-sh's own. */
const OWN_WORDS: ReadonlySet<string> = new Set(["--help", "-h", "--version", "-V"]);

/** Whether a command line follows bash's conventions: by the name of the program, or by a leading dash or plus. */
export function isShellCall(argv: readonly string[], { program }: Pick<Terminal, "program">): boolean {
  if (isShellName(program)) return true;
  const [first] = argv;
  return first === undefined || (/^[-+]/.test(first) && !OWN_WORDS.has(first));
}

function isShellName(program: string | undefined): boolean {
  return program !== undefined && SHELL_NAMES.has(basename(program).replace(/^-/, ""));
}

/**
 * guarded-sh as a `$SHELL`. Gives the exit status: the text's own, or 125 and 126 for what did not run. Throws a
 * `UsageError` when it is not said where to say why; every other error is said there.
 */
export async function runShell(argv: readonly string[], terminal: Terminal): Promise<number> {
  const form = denialForm(terminal);
  try {
    return await answer(readShellCall(argv), terminal);
  } catch (error) {
    const message = messageOf(error).replace(/^guarded-sh: /, "");
    writeDenial(failedResult("", "", message), form, terminal);
    return EXIT.failed;
  }
}

async function answer(call: ShellCall, terminal: Terminal): Promise<number> {
  switch (call.kind) {
    case "version":
      return print(await shellVersion(), terminal);
    case "help":
      return print(shellHelp(), terminal);
    case "refused":
      return fail(call.message, terminal);
    case "text":
      return runText(call, { text: call.text, name: call.name }, terminal);
    case "file":
      return runFile(call, terminal);
    case "input":
      return runInput(call, terminal);
  }
}

type Sourced = Extract<ShellCall, { options: readonly string[] }>;

async function runText(
  { kind, options, parameters }: Sourced,
  source: Pick<ShellJob, "text" | "name" | "scriptFile">,
  terminal: Terminal,
): Promise<number> {
  const form = denialForm(terminal);
  const depth = depthOf(terminal);
  if (depth >= DEEPEST)
    return fail(`it was started inside itself ${DEEPEST} times (GUARDED_SH_DEPTH)`, terminal, source.text);
  // bash runs nothing for it and there is nothing to judge.
  if (source.text.trim() === "") return EXIT.ok;
  const env = { ...terminal.env, GUARDED_SH_DEPTH: `${depth + 1}` };
  const job = { ...source, options, parameters, cwd: terminal.cwd, env, framed: kind === "text" };
  const outcome = await runShellText(job, terminal);
  if (outcome.kind === "declined") {
    // The agent goes on without what it asked for.
    fail(outcome.message, terminal, source.text);
    return EXIT.refused;
  }
  writeDenial(outcome, form, terminal);
  return statusOf(outcome);
}

/** A script is judged as a text and then read by bash itself, which tells it its own path. */
async function runFile(call: Extract<Sourced, { kind: "file" }>, terminal: Terminal): Promise<number> {
  const path = resolve(terminal.cwd, call.path);
  const script = readScript(path);
  if (script.kind === "text")
    return runText(call, { text: script.text, name: call.path, scriptFile: call.path }, terminal);
  const shown = escapeText(call.path);
  if (script.kind === "missing") {
    fail(`${shown}: no such file`, terminal);
    return EXIT.notFound;
  }
  return fail(`${shown} is no text file of at most ${LIMITS.textBytes} bytes`, terminal);
}

async function runInput(call: Extract<Sourced, { kind: "input" }>, terminal: Terminal): Promise<number> {
  const onTerminal = "isTTY" in terminal.stdin && terminal.stdin.isTTY === true;
  if (onTerminal) {
    // Loaded only for people.
    const { runLoop } = await import("./loop.ts");
    return runLoop(call, terminal);
  }
  if (call.interactive) return fail("`-i` needs a terminal: leave it out, or use -c", terminal);
  const text = await readInput(terminal.stdin);
  if (text === undefined) return fail(`standard input is no text of at most ${LIMITS.textBytes} bytes`, terminal);
  return runText(call, { text, name: "bash" }, terminal);
}

/** All of standard input: bash would read line by line, and what it runs first could change what it reads next. */
async function readInput(stdin: NodeJS.ReadableStream): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > LIMITS.textBytes) return undefined;
    chunks.push(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

function print(text: string, terminal: Terminal): number {
  terminal.stdout.write(`${text}\n`);
  return EXIT.ok;
}

function fail(message: string, terminal: Terminal, text = ""): number {
  writeDenial(failedResult(text, terminal.cwd, message), denialForm(terminal), terminal);
  return EXIT.failed;
}
