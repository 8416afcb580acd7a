import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { failedResult } from "../result/index.ts";
import { escapeText } from "../text/index.ts";
import { arityGroup } from "./arity.ts";
import { checkVerb } from "./check.ts";
import { JSON_OPTION, parseVerb, type TableRow, type Terminal } from "./command.ts";
import { messageOf } from "./error-message.ts";
import { EXIT } from "./exit.ts";
import { renderHelp, renderVerbHelp } from "./help.ts";
import { hookVerb, refuseUsage } from "./hook.ts";
import { endOnErrors, failureStatus, ownTerminal } from "./own-process.ts";
import { packageVersion } from "./package.ts";
import { policyGroup } from "./policy.ts";
import { helpOf, resolveCall } from "./resolve.ts";
import { runVerb } from "./run.ts";
import { isShellCall, runShell } from "./shell.ts";

export { endOnErrors, ownTerminal };

/** Every verb, in the order of the help. */
export const TABLE: readonly TableRow[] = [
  checkVerb,
  runVerb,
  hookVerb,
  {
    name: "mcp",
    summary: "an MCP server with the tools bash and check",
    load: async () => (await import("./mcp.ts")).mcpVerb,
  },
  {
    name: "init",
    summary: "configure an agent to use guarded-sh, write a starter policy, and try it",
    load: async () => (await import("./init.ts")).initVerb,
  },
  policyGroup,
  {
    name: "test",
    summary: "judge the examples of a policy and case files, and say which fail",
    load: async () => (await import("./test.ts")).testVerb,
  },
  {
    name: "trust",
    summary: "let the allow rules of a project's policy file count, as the file is now",
    load: async () => (await import("./trust.ts")).trustVerb,
  },
  arityGroup,
  {
    name: "requests",
    summary: "answer what waits for approval",
    load: async () => (await import("./requests.ts")).requestsVerb,
  },
  {
    name: "grants",
    summary: "review and revoke what was answered with always",
    load: async () => (await import("./grants.ts")).grantsVerb,
  },
  {
    name: "log",
    summary: "decisions so far: what was asked, answered and denied",
    load: async () => (await import("./log.ts")).logVerb,
  },
  {
    name: "serve",
    summary: "answer JSON requests, one a line, on standard input and output or a Unix socket",
    load: async () => (await import("./serve.ts")).serveVerb,
  },
  {
    name: "completion",
    summary: "print the completion of guarded-sh for a shell",
    load: async () => (await import("./completion.ts")).completionVerb(TABLE),
  },
];

/** Runs guarded-sh with the words after its name and gives the exit status. Never throws. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return isShellCall(argv, terminal) ? await runShell(argv, terminal) : await dispatch(argv, terminal);
  } catch (error) {
    if (argv[0] === hookVerb.name) return refuseUsage(argv, messageOf(error), terminal);
    const status = failureStatus(argv, terminal);
    await answerFailure(argv, messageOf(error), terminal);
    terminal.stderr.write(`${messageOf(error, status === EXIT.failed ? ", nothing was run" : "")}\n`);
    return status;
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined || first === "--help" || first === "-h" || first === "help")
    return print((await helpOf(TABLE, rest)) ?? renderHelp(TABLE), terminal);
  if (first === "--version" || first === "-V") return print(`guarded-sh ${packageVersion()}`, terminal);
  if (first.includes("/") || (!TABLE.some(({ name }) => name === first) && existsSync(resolve(terminal.cwd, first)))) {
    terminal.stderr.write(`guarded-sh: ${scriptHint(first)}, nothing was run\n`);
    // It was meant to run: 2 could be the script's own status.
    return EXIT.failed;
  }
  const call = await resolveCall(TABLE, argv);
  if (call.kind === "help") return print(call.text, terminal);
  const parsed = parseVerb(call.verb, call.rest);
  if (parsed.is("help")) return print(renderVerbHelp(call.verb), terminal);
  return call.verb.run(parsed, terminal);
}

/** Whoever reads JSON from standard output gets a result there however the call fails. */
async function answerFailure(argv: readonly string[], message: string, terminal: Terminal): Promise<void> {
  const lines = argv[0] === checkVerb.name && hasOption(argv, LINES_OPTION);
  if (!lines && !(await wantsJson(argv))) return;
  const failed = failedResult("", directoryOf(terminal), message);
  print(JSON.stringify(lines ? { id: null, ...failed } : failed), terminal);
}

async function wantsJson(argv: readonly string[]): Promise<boolean> {
  if (!hasOption(argv, JSON_OPTION.name)) return false;
  const call = await resolveCall(TABLE, argv).catch(() => undefined);
  return call?.kind === "verb" && call.verb.options.some(({ name }) => name === JSON_OPTION.name);
}

/** The failure may be that there is none. */
function directoryOf(terminal: Terminal): string {
  try {
    return terminal.cwd;
  } catch {
    return "";
  }
}

/** The option of `check` with which it answers many texts. */
const LINES_OPTION = "stdin-jsonl";

function hasOption(argv: readonly string[], name: string): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes(`--${name}`);
}

function scriptHint(word: string): string {
  return `\`${escapeText(word)}\` is no verb; to run it as a script: guarded-sh -- ${escapeText(word)}`;
}

function print(text: string, terminal: Terminal): number {
  terminal.stdout.write(`${text}\n`);
  return EXIT.ok;
}
