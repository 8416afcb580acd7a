import { parse, TomlError } from "smol-toml";
import type { Decision } from "../decision.ts";
import { isTable } from "../fields.ts";
import { ImportError, type Imported, type Item, lost, rule } from "./imported.ts";
import { readJson, type Table, tableAt, textsOf } from "./json-text.ts";
import { prefixItems } from "./shell-pattern.ts";

/** Gemini CLI's `settings.json` or a policy in TOML, told apart by their text. Throws an `ImportError`. */
export function importGemini(text: string): Imported {
  return /^\ufeff?\s*(?:\/\/|\/\*|\{)/.test(text) ? importSettings(readJson(text)) : importPolicy(readToml(text));
}

function readToml(text: string): Table {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const lines = text.split("\n").slice(0, error.line - 1);
    const start = lines.reduce((sum, line) => sum + line.length + 1, 0) + Math.max(0, error.column - 1);
    const help = "give settings.json, or a policy file of Gemini CLI";
    throw new ImportError("toml-syntax", "neither JSON nor TOML", help, { start, end: start + 1 });
  }
}

const TOOLS: ReadonlyMap<string, string> = new Map([
  ["run_shell_command", "bash"],
  ["ShellTool", "bash"],
  ["read_file", "file_read"],
  ["read_many_files", "file_read"],
  ["ReadFileTool", "file_read"],
  ["write_file", "file_write"],
  ["replace", "file_write"],
  ["edit", "file_write"],
  ["WriteFileTool", "file_write"],
  ["EditTool", "file_write"],
  ["web_fetch", "webfetch"],
  ["WebFetchTool", "webfetch"],
  ["google_web_search", "websearch"],
  ["WebSearchTool", "websearch"],
  ["list_directory", "list"],
  ["LSTool", "list"],
  ["glob", "glob"],
  ["GlobTool", "glob"],
  ["search_file_content", "grep"],
  ["grep_search", "grep"],
  ["GrepTool", "grep"],
]);

interface Entry {
  readonly tool: string;
  /** Leading words of a command; undefined: every call. */
  readonly prefix: string | undefined;
  readonly from: string;
}

/** `exclude` before `allowed`; a list of `core` tools denies the commands that are not in it. */
function importSettings(settings: Table): Imported {
  const tools = tableAt(settings, "tools");
  const excluded = [...textsOf(tools.exclude), ...textsOf(settings.excludeTools)].map((each) =>
    entryOf(each, "exclude"),
  );
  const allowed = [...textsOf(tools.allowed), ...textsOf(settings.allowedTools)].map((each) =>
    entryOf(each, "allowed"),
  );
  const core = [tools.core, settings.coreTools].find(Array.isArray);
  const limits =
    core === undefined
      ? undefined
      : textsOf(core)
          .map((each) => entryOf(each, "core"))
          .filter(({ tool }) => tool === "bash");
  const within = allowed.flatMap((entry) =>
    entry.tool === "bash" && limits !== undefined ? cut(entry, limits) : [entry],
  );
  return {
    agent: "gemini",
    otherwise: "ask",
    items: [
      ...excluded.flatMap((entry) => entryItems(entry, "deny")),
      ...within.flatMap((entry) => entryItems(entry, "allow")),
      ...coreItems(limits),
      ...(Object.keys(tableAt(settings, "mcpServers")).length > 0
        ? [
            lost(
              "mcpServers",
              "servers that are trusted, and lists of their tools, have no form here: they are asked about",
            ),
          ]
        : []),
    ],
  };
}

function entryOf(text: string, list: string): Entry {
  const [, name = text, inside] = /^([^(]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  const from = `${list}: ${text}`;
  return { tool: TOOLS.get(name) ?? name, prefix: inside === undefined || inside === "" ? undefined : inside, from };
}

function entryItems({ tool, prefix, from }: Entry, decision: Decision): readonly Item[] {
  if (prefix === undefined) return [rule({ tool: serverName(tool), pattern: "*", decision, from })];
  if (tool === "bash") return prefixItems(prefix, decision, from);
  return decision === "allow"
    ? [lost(from, "what the tool is given is not known here")]
    : [rule({ tool: serverName(tool), pattern: "*", decision, from, note: "every call here" })];
}

/** Tools of MCP servers are `server__tool` there. */
function serverName(tool: string): string {
  const [, server, name] = /^(?:mcp_)?(.+?)__(.+)$/.exec(tool) ?? [];
  return server === undefined ? tool : `${server}.${name}`;
}

/** An allowed prefix as far as the list of core commands has it. */
function cut(entry: Entry, limits: readonly Entry[]): readonly Entry[] {
  if (
    limits.some(({ prefix }) => prefix === undefined || (entry.prefix !== undefined && isPrefix(prefix, entry.prefix)))
  )
    return [entry];
  return limits.filter(({ prefix }) => entry.prefix === undefined || isPrefix(entry.prefix, prefix ?? ""));
}

function isPrefix(prefix: string, text: string): boolean {
  return text === prefix || text.startsWith(`${prefix} `);
}

function coreItems(limits: readonly Entry[] | undefined): readonly Item[] {
  if (limits === undefined || limits.some(({ prefix }) => prefix === undefined)) return [];
  const asked = limits.flatMap((entry) => entryItems(entry, "ask"));
  return [...asked, rule({ tool: "bash", pattern: "*", decision: "deny", from: "core: no other commands" })];
}

const DECISIONS: ReadonlyMap<unknown, Decision> = new Map<unknown, Decision>([
  ["allow", "allow"],
  ["deny", "deny"],
  ["ask_user", "ask"],
]);

/** The rule with the highest priority decides; without one the user is asked. */
function importPolicy(policy: Table): Imported {
  const rules: readonly unknown[] = Array.isArray(policy.rule) ? policy.rule : [];
  const sorted = rules
    .filter(isTable)
    .map((table) => ({ table, priority: typeof table.priority === "number" ? table.priority : 0 }))
    .sort((a, b) => b.priority - a.priority);
  const items = sorted.flatMap(({ table }) => policyItems(table));
  const others = Object.keys(policy).filter((key) => key !== "rule");
  return {
    agent: "gemini",
    otherwise: "ask",
    items: [...others.map((key) => lost(`[${key}]`, "it is no rule", "*")), ...items],
  };
}

/** Fields that say when a rule counts; whoever reads it without them must not allow more. */
const CONDITIONS = ["modes", "interactive", "subagent", "toolAnnotations"];
const KNOWN = [
  "toolName",
  "mcpName",
  "commandPrefix",
  "commandRegex",
  "argsPattern",
  "decision",
  "priority",
  "denyMessage",
];

function policyItems(table: Table): readonly Item[] {
  const from = shownRule(table);
  const decision = DECISIONS.get(table.decision);
  const tools = toolsOf(table);
  const restricts = decision === "allow" ? undefined : tools.length === 1 ? tools[0] : "*";
  if (decision === undefined) return [lost(from, "its decision is not known", "*")];
  const condition = Object.keys(table).find(
    (key) => CONDITIONS.includes(key) || ![...KNOWN, "allowRedirection"].includes(key),
  );
  if (condition !== undefined && decision === "allow")
    return [lost(from, `\`${condition}\` has no form here, so it would allow more`)];
  if (table.commandRegex !== undefined) return [lost(from, "a regular expression has no form here", restricts)];
  if (table.argsPattern !== undefined)
    return [lost(from, "a regular expression for arguments has no form here", restricts)];
  const reason = typeof table.denyMessage === "string" ? table.denyMessage : undefined;
  const why = reason === undefined ? {} : { reason };
  const prefixes = [table.commandPrefix].flat().filter((each) => typeof each === "string");
  if (prefixes.length > 0) return prefixes.flatMap((prefix) => prefixItems(prefix, decision, from, reason));
  return tools.map((tool) => rule({ tool, pattern: "*", decision, from, ...why }));
}

function toolsOf({ toolName, mcpName }: Table): readonly string[] {
  const names = [toolName].flat().filter((name) => typeof name === "string");
  if (typeof mcpName === "string") return (names.length === 0 ? ["*"] : names).map((name) => `${mcpName}.${name}`);
  return (names.length === 0 ? ["*"] : names).map((name) => TOOLS.get(name) ?? serverName(name));
}

function shownRule(table: Table): string {
  return Object.entries(table)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join(", ");
}
