import { DiagnosticError, escapeText, nearestWord, renderDiagnostic } from "../text/index.ts";
import { checkVerb } from "./check.ts";
import { parseVerb, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { renderHelp, renderVerbHelp, usageLine } from "./help.ts";
import { hookVerb, refuseUsage } from "./hook.ts";
import { packageVersion } from "./package.ts";
import { runVerb } from "./run.ts";

/** Every verb, in the order of the help. */
export const VERBS: readonly Verb[] = [checkVerb, runVerb, hookVerb];

/** Runs guarded-sh with the words after its name and gives the exit status. Never throws. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  const running = argv[0] === runVerb.name;
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    if (argv[0] === hookVerb.name) return refuseUsage(argv, messageOf(error), terminal);
    terminal.stderr.write(`${messageOf(error)}\n`);
    // A usage error of `run` is our own failure too: nothing ran, and 2 could be the program's own status.
    return running ? EXIT.failed : EXIT.usage;
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined || first === "--help" || first === "-h" || first === "help")
    return print(helpFor(rest), terminal);
  if (first === "--version" || first === "-V") return print(`guarded-sh ${packageVersion()}`, terminal);
  const verb = VERBS.find(({ name }) => name === first);
  if (verb === undefined) throw new UsageError(unknownVerb(first));
  const parsed = parseVerb(verb, rest);
  if (parsed.is("help")) return print(renderVerbHelp(verb), terminal);
  return verb.run(parsed, terminal);
}

function helpFor(words: readonly string[]): string {
  const verb = VERBS.find(({ name }) => name === words[0]);
  return verb === undefined ? renderHelp(VERBS) : renderVerbHelp(verb);
}

function print(text: string, terminal: Terminal): number {
  terminal.stdout.write(`${text}\n`);
  return EXIT.ok;
}

function unknownVerb(word: string): string {
  const near = nearestWord(
    word,
    VERBS.map(({ name }) => name),
  );
  return `unknown verb \`${escapeText(word)}\`${near === undefined ? "" : `, did you mean \`${near}\`?`}`;
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError) return `guarded-sh: ${error.message}\n${usageLine(error.verb)}`;
  if (error instanceof DiagnosticError) return error.diagnostics.map(renderDiagnostic).join("\n");
  return `guarded-sh: ${error instanceof Error ? escapeText(error.message) : String(error)}, nothing was run`;
}

/** The terminal of this process. */
export function ownTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const colours = stdout.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return { stdin, stdout, stderr, env, cwd: process.cwd(), colours };
}
