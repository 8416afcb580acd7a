import { recogniseScaffold } from "../adapters/scaffolding/index.ts";
import { openGuard, type RunOptions, runTransparently } from "../guard.ts";
import type { Result } from "../result/index.ts";
import { ASK_OPTIONS, approverOf } from "./approver.ts";
import { parseVerb, type Terminal, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { presetsFolder } from "./package.ts";

/** One text and how bash is to be started for it. */
export interface ShellJob {
  readonly text: string;
  readonly name: string | undefined;
  readonly parameters: readonly string[];
  readonly options: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text is that of this file, and the file is what bash is given. */
  readonly scriptFile?: string;
  /** The text may stand in an agent's frame. */
  readonly framed?: boolean;
  /** Report the directory and the exported variables at the end. */
  readonly keepState?: boolean;
}

/** What became of a text: a result, or a frame that is not run. */
export type ShellOutcome = Result | { readonly kind: "declined"; readonly message: string };

/** Its usage is shown when an environment variable that stands for an option is wrong. */
const SHELL_VERB: Verb = {
  name: "-c",
  summary: "",
  usage: ["-c TEXT [NAME ARGS…]"],
  options: ASK_OPTIONS,
  examples: [],
  run: async () => EXIT.usage,
};

/** Judges a text with the policy of its directory and runs it on this process's own descriptors. Throws like `openGuard`. */
export async function runShellText(job: ShellJob, terminal: Terminal): Promise<ShellOutcome> {
  const { text, name, parameters, cwd, env, options, scriptFile } = job;
  const guard = openGuard({ cwd, env, presets: presetsFolder() });
  const scaffold = job.framed ? recogniseScaffold({ text, parameters, cwd, env: guard.surroundings.env }) : undefined;
  if (scaffold?.kind === "declined") return { kind: "declined", message: scaffold.message };
  const runOptions: RunOptions = {
    ...approverOf(SHELL_VERB, parseVerb(SHELL_VERB, []), terminal),
    // Without a name bash takes the first parameter for one.
    ...(name === undefined && parameters.length === 0 ? {} : { name: name ?? "bash" }),
    parameters,
    shellArguments: options,
    ...(scaffold === undefined ? {} : { judged: scaffold.payload }),
    ...(scriptFile === undefined ? {} : { scriptFile }),
    ...(job.keepState ? { captureExports: true } : {}),
  };
  return runTransparently(guard, text, runOptions);
}
