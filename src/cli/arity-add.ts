import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { entriesFromUser, spellingsOf } from "../dictionary.ts";
import { openGuard } from "../guard.ts";
import { isTrusted, parseToml, projectPolicyPaths, readTrust, trustFile, userPath } from "../policy/index.ts";
import { placeKey, placesOf } from "../policy/toml-spans.ts";
import { type Diagnostic, DiagnosticError, escapeText, type Source } from "../text/index.ts";
import { type Described, withDescription } from "./arity-entry.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { changedLines } from "./diff.ts";
import { EXIT } from "./exit.ts";
import { shownPath } from "./place.ts";
import { replaceFile } from "./replace-file.ts";
import { readTextFile } from "./text-file.ts";
import { setTomlKey } from "./toml-insert.ts";

export const arityAddVerb: Verb = {
  name: "arity add",
  summary: "describe a program of your own in your policy file; comments there stay",
  usage: ["arity add NAME [VERB…] --prefix N", "arity add NAME [VERB…] [--option=KEY=ROLE] [--does WORD] …"],
  options: [
    { name: "prefix", value: "N", help: "how many leading words name the action, the program included" },
    {
      name: "option",
      value: "KEY=ROLE",
      many: true,
      help: "--option=--force takes no value, --option='-f, --file=read' one",
    },
    {
      name: "operand",
      value: "ROLE",
      many: true,
      help: "what an operand is: text, read, write, command, read* …; they stand for those that are there",
    },
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
    ["guarded-sh arity add git foo --does sends --option=--to=net", "added to what the file says of git already"],
  ],
  run: runAdd,
};

async function runAdd(parsed: Parsed, terminal: Terminal): Promise<number> {
  const { surroundings } = openGuard({ cwd: terminal.cwd, env: terminal.env, policy: { documents: [] } });
  const { cwd, home, env } = surroundings;
  const path = targetOf(parsed, cwd, { home, env });
  const before = existsSync(path) ? readTextFile(path, cwd, arityAddVerb) : "";
  checkText(path, before, { home, env });
  const shown = shownPath(path, cwd, home);
  const after = addition(parsed, { name: path, text: before });
  checkText(path, after, { home, env });
  if (parsed.is("dry-run")) {
    terminal.stdout.write(after);
    return EXIT.ok;
  }
  if (after === before) {
    terminal.stdout.write(`${shown} says all of this already\n`);
    return EXIT.ok;
  }
  const trusted = existsSync(path) && isTrusted(readTrust(trustFile(env, home)), path, before);
  replaceFile(path, after);
  for (const line of changedLines(before, after)) terminal.stdout.write(`${escapeText(line)}\n`);
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

/** The text with what the options say. A prefix alone is a line of `[arity]`, everything else goes into a `[[command]]`. */
function addition(parsed: Parsed, source: Source): string {
  const described = describedBy(parsed);
  const { name, verbs, words, wrapper, does, operands, options, examples } = described;
  if (!wrapper && [does, operands, options, examples].every((list) => list.length === 0)) {
    if (words === undefined)
      throw new UsageError("nothing is said of it: give --prefix, --option or another", arityAddVerb);
    return setTomlKey(source.text, "arity", [name, ...verbs].join(" "), String(words));
  }
  if (wrapper && verbs.length > 0) throw new UsageError("--wrapper is said of a program, not of a verb", arityAddVerb);
  if (words !== undefined && words <= verbs.length)
    throw new UsageError(`--prefix wants at least ${verbs.length + 1}, the words that are named`, arityAddVerb);
  const after = withDescription(source.text, described);
  if (typeof after === "string") return after;
  const place = placesOf(source.text).get(placeKey(["command", after, "names"]));
  throw new DiagnosticError([
    {
      code: "bad-entry",
      severity: "error",
      message: `the table of \`${escapeText(name)}\` is written in a way that cannot be added to`,
      help: "nothing was written: add it there by hand, or write its tables below headers, without dotted keys",
      source,
      span: place?.value ?? { start: 0, end: 1 },
    },
  ]);
}

function describedBy(parsed: Parsed): Described {
  const [name, ...verbs] = parsed.operands;
  if (name === undefined) throw new UsageError("no program is named", arityAddVerb);
  return {
    name,
    verbs,
    words: prefixOf(parsed),
    wrapper: parsed.is("wrapper"),
    does: parsed.texts("does"),
    operands: parsed.texts("operand"),
    options: parsed.texts("option").map(optionOf),
    examples: parsed.texts("example"),
  };
}

/** `-f, --file=read`; a name of `dd` ends in an equals sign. */
function optionOf(text: string): string {
  const key = text.replace(/=[^=]*$/, "");
  const wrong = spellingsOf(key).find((spelling) => !/^[-+]|=$/.test(spelling));
  if (wrong === undefined) return text;
  const shown = escapeText(wrong);
  throw new UsageError(`\`${shown}\` is no option: one begins with a dash, --option=--${shown}`, arityAddVerb);
}

function prefixOf(parsed: Parsed): number | undefined {
  const text = parsed.text("prefix");
  if (text === undefined) return undefined;
  if (/^[1-9]$/.test(text)) return Number(text);
  throw new UsageError(`--prefix wants a number of words from 1 to 9, not \`${text}\``, arityAddVerb);
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
