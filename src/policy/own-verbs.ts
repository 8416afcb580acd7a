import { posix } from "node:path";
import type { Segment } from "../segment/segment.ts";
import type { Value } from "../segment/value.ts";
import type { Context } from "./context.ts";
import { isOwnPath, type Protection } from "./protection.ts";
import { canMatchPath, compileWildcard } from "./wildcard.ts";

/** Verbs of guarded-sh that only look, with the words behind them that do not. */
const LOOKING: ReadonlyMap<string, RegExp> = new Map([
  ["check", /^$/],
  ["test", /^$/],
  ["log", /^(?:clear|--clear)$/],
  ["help", /^$/],
  ["--help", /^$/],
  ["-h", /^$/],
  ["--version", /^$/],
  ["-V", /^$/],
  ["policy", /^--fix(?:=|$)/],
  ["arity", /^add$/],
  ["requests", /^(?!list$|--json$)/],
  ["grants", /^(?!list$|--json$)/],
  ["trust", /^(?!--list$|--json$)/],
]);

/**
 * A command line that answers its own questions: `guarded-sh trust`, `requests reply`, `grants clear`, `init`, and every other verb
 * that changes what is allowed or runs a text by itself. And a program whose operands nobody described, or that runs code, with one
 * of guarded-sh's own files as a word. Only a person can allow either.
 */
export function ownVerbProtection(segment: Segment, context: Context): Protection | undefined {
  if (context.own === undefined) return undefined;
  const verb = verbWords(segment);
  if (verb !== undefined) return isLooking(verb) ? undefined : ask(`\`guarded-sh ${shownWords(verb)}\``);
  if (mayRunOwn(segment)) return ask(`\`${shownWords(segment.words)}\``, "may change or decide");
  const named = namedOwn(segment, context);
  return named === undefined
    ? undefined
    : ask(`\`${programName(segment.words[0] ?? "")}\` is given ${named} and`, "may change");
}

function ask(what: string, verb = "changes or decides"): Protection {
  return {
    kind: "protection",
    decision: "ask",
    message: `${what} ${verb} what guarded-sh itself goes by: no rule can allow that`,
  };
}

/** The words behind guarded-sh, however it is started; undefined for another program. */
function verbWords({ words }: Segment): readonly Value[] | undefined {
  if (isOwnProgram(words[0])) return words.slice(1);
  // `node bin/guarded-sh.js trust`, `npx guarded-sh trust`: a runtime or a runner in front.
  const runner = programName(words[0] ?? "");
  if (!RUNNERS.has(runner)) return undefined;
  const at = words.findIndex((word, i) => i > 0 && isOwnProgram(word));
  // `npm install guarded-sh` names the package, `npm exec guarded-sh trust` runs it.
  const runs =
    !MANAGERS.has(runner) || words.slice(1, at).some((word) => typeof word === "string" && EXECUTES.has(word));
  return at < 0 || !runs ? undefined : words.slice(at + 1);
}

const MANAGERS = new Set(["npm", "pnpm", "yarn", "bun", "deno"]);
const EXECUTES = new Set(["exec", "x", "dlx", "run", "run-script"]);

const RUNNERS = new Set(["node", "nodejs", "bun", "bunx", "deno", "tsx", "npx", "npm", "pnpm", "pnpx", "yarn"]);

/**
 * `node ./dist/cli.cjs trust`, `node "$x" grants clear`, `node lib/*.js trust`: a program that runs a file, a word that may be
 * guarded-sh under another path, and behind it a word that decides.
 */
function mayRunOwn({ words, reading }: Segment): boolean {
  // Few commands hold such a word: that is seen before every other word is compared.
  if (!words.some(isDeciding)) return false;
  const does = reading?.does ?? [];
  const runs = does.length === 0 || does.includes("runs");
  const from = words.findIndex((word, i) => (i === 0 || runs) && mayBeOwnFile(word));
  if (from < 0) return false;
  return words.slice(from + 1).some(isDeciding);
}

function isDeciding(word: Value): boolean {
  return typeof word === "string" && DECIDING.has(word);
}

const DECIDING: ReadonlySet<string> = new Set(["trust", "requests", "grants", "policy"]);

const OWN_FILES = ["guarded-sh.js", "guarded-sh", "cli.cjs"].flatMap((name) => [
  compileWildcard(name),
  compileWildcard(`*/${name}`),
]);

function mayBeOwnFile(word: Value): boolean {
  return OWN_FILES.some((file) => canMatchPath(file, { value: word, optional: false }));
}

function isOwnProgram(word: Value | undefined): boolean {
  if (word === undefined) return false;
  const name = programName(word).toLowerCase();
  return /^guarded-sh(?:@[^/]*)?(?:\.[cm]?js)?$/.test(name) || /guarded-sh\/dist\/cli\.cjs$/.test(textOf(word));
}

function isLooking([verb, ...others]: readonly Value[]): boolean {
  if (verb === undefined) return false;
  const changing = typeof verb === "string" ? LOOKING.get(verb) : undefined;
  if (changing === undefined) return false;
  if (verb === "trust" && others.length === 0) return false;
  return others.every((word) => typeof word === "string" && !changing.test(word));
}

/** A file of guarded-sh among the words of a program that may do anything with it. */
function namedOwn({ words, reading }: Segment, context: Context): string | undefined {
  const does = reading?.does ?? [];
  if (does.length > 0 && !does.some((doing) => MIGHTY.has(doing))) return undefined;
  return words.slice(1).find((word): word is string => typeof word === "string" && namesOwn(word, context));
}

const MIGHTY: ReadonlySet<string> = new Set(["deletes", "runs", "administers"]);

function namesOwn(word: string, context: Context): boolean {
  const paths = [word, word.slice(word.indexOf("=") + 1)];
  // As written alone: looking every word of every command up would cost more than judging it.
  const written = { ...context, realPath: undefined };
  if (paths.some((path) => path !== "" && isOwnPath(posix.resolve(context.cwd, path), written))) return true;
  // Inside program text: `open('guarded-sh.toml', 'w')`.
  return /(?:^|["'`/\s(])(?:guarded-sh\.toml|\.guarded-sh\/|\.config\/guarded-sh|\.local\/state\/guarded-sh)/.test(
    word,
  );
}

function programName(word: Value): string {
  return posix.basename(textOf(word));
}

function textOf(word: Value): string {
  if (typeof word === "string") return word;
  const last = word.pieces.at(-1);
  return typeof last === "string" ? last : "";
}

function shownWords(words: readonly Value[]): string {
  return words
    .slice(0, 3)
    .map((word) => (typeof word === "string" ? word : "…"))
    .join(" ");
}
