import { type PythonToken, pythonTokens } from "./python-tokens.ts";
import type { CodeReading } from "./code.ts";
import type { CodeFacts } from "./spec.ts";

/**
 * What a Python text does, when that is only to compute, to read files whose names are written out, and to print; undefined when it
 * may do more. It is not parsed: every name in it is a variable that it sets, one of the functions that the entry
 * lists (`calls`), or a module with one of that module's listed names (`json.load`), and every attribute of anything else
 * is one of the listed `methods`. A program can only do what its names are.
 */
export function pythonReading(text: string, facts: CodeFacts): CodeReading | undefined {
  const tokens = pythonTokens(text);
  if (tokens === undefined) return undefined;
  const world: World = { facts, modules: new Map(), bound: new Set(), files: [] };
  for (const list of withParts(tokens)) bindNames(list, world);
  return bindImports(tokens, world) && withParts(tokens).every((list) => isHarmless(list, world))
    ? { files: world.files }
    : undefined;
}

interface World {
  readonly facts: CodeFacts;
  /** What an import calls a module, and the module's own name. */
  readonly modules: Map<string, string>;
  /** Names that the text sets. */
  readonly bound: Set<string>;
  readonly files: string[];
}

const NO_TOKEN: PythonToken = { kind: "line", text: "\n" };

function withParts(tokens: readonly PythonToken[]): readonly (readonly PythonToken[])[] {
  const inner = tokens.flatMap(({ parts }) => parts ?? []);
  return [tokens, ...inner.flatMap(withParts)];
}

/** Names on the left of `=` and `:=`, between `for` and `in`, behind `as`, and those that a `lambda` takes. */
function bindNames(tokens: readonly PythonToken[], { bound }: World): void {
  let binding: "for" | "lambda" | undefined;
  for (const [i, { kind, text }] of tokens.entries()) {
    if (text === "for" || text === "lambda") binding = text;
    else if ((binding === "for" && text === "in") || (binding === "lambda" && text === ":")) binding = undefined;
    else if (kind === "name" && tokens[i - 1]?.text !== "." && (binding !== undefined || isSet(tokens, i)))
      bound.add(text);
  }
}

function isSet(tokens: readonly PythonToken[], at: number): boolean {
  if (tokens[at - 1]?.text === "as") return true;
  // `a, b = x`: names with commas between them.
  let next = at + 1;
  while (tokens[next]?.text === "," && tokens[next + 1]?.kind === "name") next += 2;
  return tokens[next]?.text === "=" || tokens[next]?.text === ":=";
}

/** Reads the import statements; false for one of a module, or of a name of it, that is not listed. */
function bindImports(tokens: readonly PythonToken[], world: World): boolean {
  const names = world.facts.names ?? [];
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== "name" || (token.text !== "import" && token.text !== "from")) continue;
    if (token.text === "import" && isFromImport(tokens, i)) continue;
    const statement = statementAt(tokens, i);
    const found = /^import ([\w.]+(?: as \w+)?(?: , [\w.]+(?: as \w+)?)*)$/.exec(statement);
    const from = /^from ([\w.]+) import ([\w]+(?: , \w+)*)$/.exec(statement);
    if (found === null && from === null) return false;
    for (const part of found?.[1]?.split(" , ") ?? []) {
      const [module = "", alias = module] = part.split(" as ");
      if (!names.some((name) => name.startsWith(`${module}.`))) return false;
      const name = alias === module ? (module.split(".")[0] ?? "") : alias;
      if (!bindModule(world, name, alias === module ? "" : module)) return false;
    }
    for (const name of from?.[2]?.split(" , ") ?? []) {
      if (!names.includes(`${from?.[1]}.${name}`)) return false;
      world.bound.add(name);
    }
  }
  return true;
}

/** One name for two modules is either of them, whichever was imported last by then. */
function bindModule({ modules }: World, name: string, module: string): boolean {
  const known = modules.get(name);
  if (known !== undefined && known !== module) return false;
  modules.set(name, module);
  return true;
}

function isFromImport(tokens: readonly PythonToken[], at: number): boolean {
  let i = at - 1;
  while (i >= 0 && (tokens[i]?.kind === "name" || tokens[i]?.text === ".") && tokens[i]?.text !== "from") i--;
  return tokens[i]?.text === "from";
}

/** Its tokens with blanks between them, those of a dotted name joined. */
function statementAt(tokens: readonly PythonToken[], from: number): string {
  let end = from;
  while (end < tokens.length && tokens[end]?.kind !== "line" && tokens[end]?.text !== ";") end++;
  const text = tokens.slice(from, end).map((token) => token.text);
  return text.join(" ").replaceAll(" . ", ".");
}

// `while` may never end.
const KEYWORDS: ReadonlySet<string> = new Set(
  "for in if else elif and or not is None True False lambda import from as with try except finally pass break continue assert raise".split(
    " ",
  ),
);

function isHarmless(tokens: readonly PythonToken[], world: World): boolean {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? NO_TOKEN;
    if (token.kind !== "name") continue;
    const used = readName(tokens, at, world);
    if (used === 0) return false;
    at += used - 1;
  }
  return true;
}

/** How many tokens a name and what belongs to it take; 0 when it may do harm. */
function readName(tokens: readonly PythonToken[], at: number, world: World): number {
  const { text } = tokens[at] ?? NO_TOKEN;
  const { calls = [], methods = [], reserved = [] } = world.facts;
  if (text.includes("__")) return 0;
  if (tokens[at - 1]?.text === ".") {
    if (text === "format" && !formatsPlainly(tokens[at - 2])) return 0;
    return methods.includes(text) ? 1 : 0;
  }
  if (KEYWORDS.has(text)) return isImport(text) ? statementLength(tokens, at) : 1;
  if (text === "open" && !world.bound.has(text)) return openedFile(tokens, at, world);
  if (world.modules.has(text)) return ofModule(tokens, at, world);
  if (calls.includes(text)) return 1;
  return world.bound.has(text) && !reserved.includes(text) ? 1 : 0;
}

/** `'{0.a}'.format(x)` reaches attributes of what it is given: only a text that does not is known not to. */
function formatsPlainly(text: PythonToken | undefined): boolean {
  return text?.value !== undefined && !/\{[^{}]*[.[{!]/.test(text.value);
}

function isImport(text: string): boolean {
  return text === "import" || text === "from";
}

function statementLength(tokens: readonly PythonToken[], at: number): number {
  let end = at + 1;
  while (end < tokens.length && tokens[end]?.kind !== "line" && tokens[end]?.text !== ";") end++;
  return end - at;
}

/** `json.load`: the longest listed name that stands here. The module itself is no value that may be handed on. */
function ofModule(tokens: readonly PythonToken[], at: number, { modules, facts }: World): number {
  let end = at + 1;
  while (tokens[end]?.text === "." && tokens[end + 1]?.kind === "name") end += 2;
  for (; end > at + 1; end -= 2) {
    const [first = "", ...rest] = tokens
      .slice(at, end)
      .filter((token) => token.kind === "name")
      .map((token) => token.text);
    const dotted = [modules.get(first) || first, ...rest].join(".");
    if (facts.names?.includes(dotted)) return end - at;
  }
  return 0;
}

// Behind the name of the file: a mode that only reads, and how its text is decoded.
const READS = /^(?:,(?:mode=)?'(?:r|rb|br|rt|tr|b|t)?')?(?:,(?:encoding|errors|newline)='[\w-]*')*$/;

/** `open('f')`, `open('f', 'rb', encoding='utf-8')`: its name is written out. */
function openedFile(tokens: readonly PythonToken[], at: number, { files }: World): number {
  const [paren, path, ...rest] = tokens.slice(at + 1, at + 20);
  const close = rest.findIndex(({ text }) => text === ")");
  if (paren?.text !== "(" || path?.value === undefined || close < 0) return 0;
  const options = rest.slice(0, close).map(({ value, text }) => (value === undefined ? text : `'${value}'`));
  if (!READS.test(options.join(""))) return 0;
  files.push(path.value);
  return close + 4;
}
