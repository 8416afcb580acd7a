import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { entriesFromUser } from "../dictionary.ts";
import { openGuard } from "../guard.ts";
import { isTrusted, parseToml, projectPolicyPaths, readTrust, trustFile, userPath } from "../policy/index.ts";
import { makeFolder } from "../policy/make-folder.ts";
import { type Diagnostic, DiagnosticError } from "../text/index.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { shownPath } from "./place.ts";
import { readTextFile } from "./text-file.ts";
import { appendToml, setTomlKey, tomlKey } from "./toml-insert.ts";

export const arityAddVerb: Verb = {
  name: "arity add",
  summary: "describe a program of your own in your policy file; comments there stay",
  usage: ["arity add NAME [VERB…] --prefix N", "arity add NAME [--option=KEY=ROLE] [--operand ROLE] …"],
  options: [
    { name: "prefix", value: "N", help: "how many leading words name the action, the program included" },
    {
      name: "option",
      value: "KEY=ROLE",
      many: true,
      help: "--option=--force takes no value, --option='-f, --file=read' one",
    },
    { name: "operand", value: "ROLE", many: true, help: "what an operand is: text, read, write, command, read* …" },
    { name: "does", value: "WORD", many: true, help: "what it does at most: looks, writes, deletes, runs, sends …" },
    { name: "wrapper", help: "it runs the command in its operands, and an allow sees through it" },
    { name: "example", value: "LINE", many: true, help: "a line of it, for `arity lint`" },
    { name: "user", help: "write to your own policy file, not to the project's" },
    { name: "file", value: "FILE", help: "write to this file" },
    { name: "dry-run", help: "print what would be written" },
  ],
  examples: [
    ["guarded-sh arity add mytool deploy --prefix 3", "`mytool deploy prod` is what an always stores"],
    ["guarded-sh arity add mytool --option='-c, --config=config-file' --does looks --operand 'read*'", ""],
  ],
  run: runAdd,
};

async function runAdd(parsed: Parsed, terminal: Terminal): Promise<number> {
  const { surroundings } = openGuard({ cwd: terminal.cwd, env: terminal.env, policy: { documents: [] } });
  const { cwd, home, env } = surroundings;
  const path = targetOf(parsed, cwd, { home, env });
  const before = existsSync(path) ? readTextFile(path, cwd, arityAddVerb) : "";
  const after = addition(parsed, before);
  checkText(path, after, { home, env });
  const shown = shownPath(path, cwd, home);
  if (parsed.is("dry-run")) {
    terminal.stdout.write(after);
    return EXIT.ok;
  }
  const trusted = existsSync(path) && isTrusted(readTrust(trustFile(env, home)), path, before);
  replaceFile(path, after);
  terminal.stdout.write(`written to ${shown}; see \`guarded-sh arity explain '${parsed.operands.join(" ")} …'\`\n`);
  if (trusted) terminal.stdout.write(`${shown} has changed: \`guarded-sh trust\` records it as it is now\n`);
  return EXIT.ok;
}

function targetOf(parsed: Parsed, cwd: string, place: Parameters<typeof userPath>[0]): string {
  const file = parsed.text("file");
  if (file !== undefined) return resolve(cwd, file);
  const project = projectPolicyPaths(cwd).findLast((path) => existsSync(path));
  return parsed.is("user") || project === undefined ? userPath(place) : project;
}

/** The text with what the options say. A prefix alone is a line of `[arity]`, everything else a `[[command]]`. */
function addition(parsed: Parsed, before: string): string {
  const [name, ...verbs] = parsed.operands;
  if (name === undefined) throw new UsageError("no program is named", arityAddVerb);
  const prefix = prefixOf(parsed);
  const described = ["option", "operand", "does", "example"].some((field) => parsed.texts(field).length > 0);
  if (!described && !parsed.is("wrapper")) {
    if (prefix === undefined)
      throw new UsageError("nothing is said of it: give --prefix, --option or another", arityAddVerb);
    return setTomlKey(before, "arity", [name, ...verbs].join(" "), String(prefix));
  }
  if (verbs.length > 0) throw new UsageError("verbs go with --prefix alone: describe them in the file", arityAddVerb);
  return appendToml(before, commandBlock(name, prefix, parsed));
}

function prefixOf(parsed: Parsed): number | undefined {
  const text = parsed.text("prefix");
  if (text === undefined) return undefined;
  if (/^[1-9]$/.test(text)) return Number(text);
  throw new UsageError(`--prefix wants a number of words from 1 to 9, not \`${text}\``, arityAddVerb);
}

function commandBlock(name: string, prefix: number | undefined, parsed: Parsed): string {
  const operands = [...parsed.texts("operand"), ...(parsed.is("wrapper") ? ["command"] : [])];
  const lines = ["[[command]]", `names = ${list([name])}`];
  if (prefix !== undefined) lines.push(`words = ${prefix}`);
  if (parsed.is("wrapper")) lines.push('syntax = "posix"', "transparent = true");
  if (parsed.texts("does").length > 0) lines.push(`does = ${list(parsed.texts("does"))}`);
  if (operands.length > 0) lines.push(`operands = ${list(operands)}`);
  if (parsed.texts("example").length > 0) {
    lines.push(
      `examples = [${parsed
        .texts("example")
        .map((line) => `{ line = ${JSON.stringify(line)} }`)
        .join(", ")}]`,
    );
  }
  const options = parsed.texts("option").map(optionLine);
  return [...lines, ...(options.length > 0 ? ["[command.options]", ...options] : [])].join("\n");
}

function optionLine(text: string): string {
  const at = text.lastIndexOf("=");
  const [key, role] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  return `${tomlKey(key)} = ${role === undefined ? 0 : JSON.stringify(role)}`;
}

function list(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}

/** Throws a `DiagnosticError` when the file would no longer load. */
function checkText(path: string, text: string, place: Parameters<typeof userPath>[0]): void {
  const source = { name: path, text };
  const setting = { layer: "given", trusted: true, windows: false, ...place } as const;
  const tables = parseToml(source, setting).dictionary;
  if (tables === undefined) return;
  const problems = entriesFromUser(tables).problems.map(
    ({ path: keys, message }): Diagnostic => ({
      code: "bad-entry",
      severity: "error",
      message: `\`${keys.join(".")}\` ${message}`,
      source,
      span: tables.spanOf(keys),
      help: "nothing was written",
    }),
  );
  const [first, ...others] = problems;
  if (first !== undefined) throw new DiagnosticError([first, ...others]);
}

/** Written beside and renamed, with the rights of the file that was there. */
function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path));
  const beside = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(beside, text, { flag: "wx" });
  if (existsSync(path)) chmodSync(beside, statSync(path).mode & 0o777);
  renameSync(beside, path);
}
