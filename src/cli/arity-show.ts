import { type CommandSpec, describedNames, findEntry } from "../dictionary.ts";
import { escapeText, nearestWord, wrapBehind } from "../text/index.ts";
import {
  CWD_OPTION,
  JSON_OPTION,
  type Parsed,
  POLICY_OPTION,
  type Terminal,
  UsageError,
  type Verb,
} from "./command.ts";
import { EXIT } from "./exit.ts";
import { factSources } from "./fact-sources.ts";
import { openFor } from "./open.ts";
import type { FactSource } from "./word-roles.ts";

export const arityShowVerb: Verb = {
  name: "arity show",
  summary: "what is known of a program, and from which file",
  usage: ["arity show NAME [VERB…] [--json]"],
  options: [JSON_OPTION, POLICY_OPTION, CWD_OPTION],
  examples: [
    ["guarded-sh arity show git remote", "its verbs, options and operands, the file that wins first"],
    ["guarded-sh arity show --json tar", "the entries as they are written"],
  ],
  run: runShow,
};

async function runShow(parsed: Parsed, terminal: Terminal): Promise<number> {
  const [name, ...verbs] = parsed.operands;
  if (name === undefined) throw new UsageError("no program is named", arityShowVerb);
  const guard = openFor(arityShowVerb, parsed, terminal);
  const sources = factSources(guard, name);
  if (sources.length === 0 && findEntry(name) === undefined) throw new UsageError(unknown(name), arityShowVerb);
  const shown = sources.flatMap((source) => shownAt(source, verbs));
  if (shown.length === 0)
    throw new UsageError(`\`${escapeText([name, ...verbs].join(" "))}\` is not described`, arityShowVerb);
  if (parsed.is("json")) terminal.stdout.write(`${JSON.stringify({ version: 1, name, sources: shown })}\n`);
  else terminal.stdout.write(`${shown.map(({ file, spec }) => [file, ...specLines(spec)].join("\n")).join("\n\n")}\n`);
  return EXIT.ok;
}

function unknown(name: string): string {
  const near = nearestWord(name, describedNames());
  const help = near === undefined ? ", describe it with `guarded-sh arity add`" : `, did you mean \`${near}\`?`;
  return `\`${escapeText(name)}\` is not in the dictionary: one word, nothing known${help}`;
}

function shownAt({ file, entry }: FactSource, verbs: readonly string[]): { file: string; spec: CommandSpec }[] {
  let spec: CommandSpec = entry;
  for (const verb of verbs) {
    const table: CommandSpec["verbs"] = spec.verbs;
    let next: CommandSpec | string | undefined =
      table !== undefined && Object.hasOwn(table, verb) ? table[verb] : undefined;
    if (typeof next === "string") next = table?.[next];
    if (typeof next !== "object") return [];
    spec = next;
  }
  return [{ file, spec }];
}

function specLines(spec: CommandSpec): string[] {
  const lines: string[] = [];
  const add = (label: string, text: string) => lines.push(wrapBehind(`  ${label.padEnd(11)}`, escapeText(text)));
  for (const [field, value] of Object.entries(spec)) {
    if (field === "$schema" || field === "examples" || value === undefined) continue;
    if (field === "options" || field === "verbs") continue;
    add(
      field,
      typeof value === "string"
        ? value
        : Array.isArray(value)
          ? value.map(shownItem).join(", ")
          : JSON.stringify(value),
    );
  }
  for (const [key, option] of Object.entries(spec.options ?? {})) add("option", `${key}: ${shownItem(option)}`);
  for (const [verb, below] of Object.entries(spec.verbs ?? {})) add("verb", `${verb}${verbNote(below)}`);
  return lines;
}

function verbNote(spec: CommandSpec | string): string {
  if (typeof spec === "string") return `: the same as ${spec}`;
  const does = spec.does === undefined ? "" : `: ${spec.does.join(", ")}`;
  const verbs = Object.keys(spec.verbs ?? {});
  return `${does}${verbs.length === 0 ? "" : ` (${verbs.join(", ")})`}`;
}

function shownItem(item: unknown): string {
  if (item === 0) return "no value";
  if (typeof item === "number") return `${item} value${item === 1 ? "" : "s"}`;
  return typeof item === "string" ? item : JSON.stringify(item);
}
