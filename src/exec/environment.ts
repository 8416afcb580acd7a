/** Which variables reach the command. Patterns know `*`. */
export interface EnvironmentRules {
  /** What passes; everything without it. A name written out also passes `drop` and the loader variables. */
  readonly pass?: readonly string[];
  /** What does not pass. */
  readonly drop?: readonly string[];
}

/**
 * Variables that run code in bash, or change how bash reads the text, before its first word. They are always
 * removed: the text was judged as bash reads it without them.
 */
export const SHELL_VARIABLES: readonly string[] = [
  "BASH_ENV",
  "ENV",
  "SHELLOPTS",
  "BASHOPTS",
  "BASH_FUNC_*",
  "BASH_COMPAT",
  "BASH_LOADABLES_PATH",
  "BASH_XTRACEFD",
  "POSIXLY_CORRECT",
  "PROMPT_COMMAND",
  "CDPATH",
  "GLOBIGNORE",
  "EXECIGNORE",
  "PS4",
];

/**
 * Code that the loader puts into every process. Removed unless `pass` names it. LD_LIBRARY_PATH and
 * DYLD_LIBRARY_PATH stay: programs of the user are installed with them.
 */
export const LOADER_VARIABLES: readonly string[] = ["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"];

/** What a command hardly runs without; passes also when `pass` does not list it, unless `drop` does. */
const ESSENTIAL: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_*",
  "TZ",
  "TMPDIR",
  "PWD",
];

/** The environment without bash's own start-up variables, loader variables and what the rules drop. */
export function scrubEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  rules: EnvironmentRules = {},
): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && passes(name, rules)) kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}

function passes(name: string, { pass = ["*"], drop = [] }: EnvironmentRules): boolean {
  if (matchesAny(SHELL_VARIABLES, name)) return false;
  if (pass.includes(name)) return true;
  if (matchesAny(LOADER_VARIABLES, name) || matchesAny(drop, name)) return false;
  return matchesAny(pass, name) || matchesAny(ESSENTIAL, name);
}

function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, name));
}

/** `*` stands for any run of characters. No regular expression is built from a user's text. */
function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** Fails with a sentence instead of rewriting history with the list git proposes. */
const NO_SEQUENCE_EDITOR = "echo 'guarded-sh: no editor here; set GIT_SEQUENCE_EDITOR to say what to do' >&2; false";
/** A user's own core.sshCommand (another key, another port) keeps working; BatchMode forbids every question. */
const BATCH_SSH = 'f() { eval "$(git config --get core.sshCommand || echo ssh) -oBatchMode=yes \\"\\$@\\""; }; f';

/** Pagers, editors and credential questions that would wait for a person. */
const DEFAULTS: readonly (readonly [string, string])[] = [
  ["PAGER", "cat"],
  ["GIT_PAGER", "cat"],
  ["MANPAGER", "cat"],
  ["SYSTEMD_PAGER", "cat"],
  ["GH_PAGER", "cat"],
  ["AWS_PAGER", "cat"],
  ["PSQL_PAGER", "cat"],
  ["BAT_PAGER", "cat"],
  ["DELTA_PAGER", "cat"],
  ["GIT_TERMINAL_PROMPT", "0"],
  // Keeps the message git proposes (amend, merge, rebase --continue); `git commit` fails with git's own sentence.
  ["GIT_EDITOR", "true"],
  ["GIT_MERGE_AUTOEDIT", "no"],
  ["GIT_SEQUENCE_EDITOR", NO_SEQUENCE_EDITOR],
  ["DEBIAN_FRONTEND", "noninteractive"],
  ["npm_config_yes", "true"],
  ["PIP_NO_INPUT", "1"],
];

/** Adds what keeps a command on our terminal from waiting; a variable that is set already stays as it is. */
export function withTerminalDefaults(environment: Readonly<Record<string, string>>): Record<string, string> {
  const result = new Map<string, string>(DEFAULTS);
  const has = (name: string) => Object.hasOwn(environment, name);
  if (!has("GIT_SSH_COMMAND") && !has("GIT_SSH")) result.set("GIT_SSH_COMMAND", BATCH_SSH);
  for (const [name, value] of Object.entries(environment)) result.set(name, value);
  return Object.fromEntries(result);
}

/**
 * The environment for a run on our terminal: scrubbed, with the defaults, and with TERM for the terminal the command
 * gets, not the one guarded-sh was started on. `set` holds the caller's own values and wins over all of it.
 */
export function terminalEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  rules: EnvironmentRules = {},
  set: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const inherited = { ...scrubEnvironment(environment, rules), TERM: "dumb" };
  return withTerminalDefaults({ ...inherited, ...scrubEnvironment(set, { pass: ["*", ...Object.keys(set)] }) });
}
