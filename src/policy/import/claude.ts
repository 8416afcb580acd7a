import type { Decision } from "../decision.ts";
import { type Imported, type Item, lost, rule } from "./imported.ts";
import { readJson, tableAt, textsOf } from "./json-text.ts";
import { ignoreItems } from "./path-pattern-of.ts";
import { shellItems } from "./shell-pattern.ts";

/** Claude Code's `settings.json`: deny before ask before allow, and what no rule is about is asked. Throws an `ImportError`. */
export function importClaude(text: string): Imported {
  const settings = readJson(text);
  const permissions = tableAt(settings, "permissions");
  const lists = (["deny", "ask", "allow"] as const).flatMap((decision) => listItems(permissions[decision], decision));
  if (Object.keys(permissions).length === 0)
    lists.push(lost("permissions", "the file has none, or none that can be read", "*"));
  return {
    agent: "claude",
    otherwise: otherwiseOf(permissions.defaultMode),
    items: [...lists, ...modeItems(permissions)],
  };
}

/** A list of rules; what is none is named, as it may have been meant to hold something back. */
function listItems(list: unknown, decision: Decision): readonly Item[] {
  if (list === undefined) return [];
  const restricts = decision === "allow" ? undefined : "*";
  if (!Array.isArray(list)) return [lost(`${decision} ${JSON.stringify(list)}`, "it is no list of rules", restricts)];
  return list.flatMap((written: unknown) =>
    typeof written === "string"
      ? itemsOf(written, decision)
      : [lost(`${decision} ${JSON.stringify(written)}`, "it is no text", restricts)],
  );
}

function otherwiseOf(mode: unknown): Decision {
  return mode === "dontAsk" ? "deny" : "ask";
}

function modeItems({ defaultMode, additionalDirectories }: Readonly<Record<string, unknown>>): readonly Item[] {
  const items: Item[] = [];
  if (defaultMode === "acceptEdits" || defaultMode === "bypassPermissions" || defaultMode === "auto")
    items.push(lost(`defaultMode ${defaultMode}`, "what no rule is about is asked here"));
  const more = textsOf(additionalDirectories);
  if (more.length > 0)
    items.push(
      lost(`additionalDirectories ${more.join(", ")}`, "write rules for file_write, or [scope], if they are meant"),
    );
  return items;
}

function itemsOf(written: string, decision: Decision): readonly Item[] {
  const found = /^([A-Za-z_][\w.-]*\*?)(?:\((.*)\))?$/s.exec(written.trim());
  const [, tool, inside] = found ?? [];
  if (tool === undefined)
    return [lost(written, "it is no rule of the form Tool(pattern)", decision === "allow" ? undefined : "*")];
  if (tool.startsWith("mcp__")) return mcpItems(tool, decision, written);
  const read = READERS.get(tool);
  if (read === undefined) return otherTool(tool, inside, decision, written);
  return read(inside === undefined || inside === "" || inside === "*" ? undefined : inside, decision, written);
}

type Reader = (inside: string | undefined, decision: Decision, from: string) => readonly Item[];

const fileReader =
  (tool: string, note?: string): Reader =>
  (inside, decision, from) =>
    inside === undefined
      ? [rule({ tool, pattern: "*", decision, from, ...(note !== undefined && decision !== "allow" && { note }) })]
      : ignoreItems(tool, inside, decision, from);

const EVERY_WRITE = "here about every way to change a file";

const textReader =
  (tool: string): Reader =>
  (inside, decision, from) => [rule({ tool, pattern: inside ?? "*", decision, from })];

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["Bash", bashItems],
  ["Read", fileReader("file_read")],
  ["NotebookRead", fileReader("file_read")],
  ["Edit", fileReader("file_write")],
  ["Write", fileReader("file_write", EVERY_WRITE)],
  ["MultiEdit", fileReader("file_write")],
  ["NotebookEdit", fileReader("file_write", EVERY_WRITE)],
  ["Glob", textReader("glob")],
  ["Grep", textReader("grep")],
  ["LS", textReader("list")],
  ["WebSearch", textReader("websearch")],
  ["WebFetch", fetchItems],
]);

function bashItems(inside: string | undefined, decision: Decision, from: string): readonly Item[] {
  if (inside === undefined) return [rule({ tool: "bash", pattern: "*", decision, from })];
  // `npm run test:*` is a prefix that ends at a word.
  return shellItems({ text: inside.replace(/:\*$/, " *"), decision, from });
}

function fetchItems(inside: string | undefined, decision: Decision, from: string): readonly Item[] {
  if (inside === undefined) return [rule({ tool: "webfetch", pattern: "*", decision, from })];
  const host = /^domain:(.+)$/.exec(inside)?.[1];
  if (host === undefined)
    return [lost(from, "only domain:HOST is known", decision === "allow" ? undefined : "webfetch")];
  if (host === "*") return [rule({ tool: "webfetch", pattern: "*", decision, from })];
  if (decision === "allow") {
    if (/[*?]/.test(host))
      return [lost(from, "a `*` in a host would take slashes too here: allow the hosts one by one")];
    return [`https://${host}`, `https://${host}/*`].map((pattern) =>
      rule({ tool: "webfetch", pattern, decision, from }),
    );
  }
  const note = "here wherever the name stands in an address";
  return [...new Set([host, host.toLowerCase()])].map((name) =>
    rule({ tool: "webfetch", pattern: `*${name}*`, decision, from, note }),
  );
}

/** `mcp__server`, `mcp__server__*` and `mcp__server__tool`; tools of servers are called `server.tool` here. */
function mcpItems(tool: string, decision: Decision, from: string): readonly Item[] {
  const [, server, name] = /^mcp__(.+?)(?:__(.*))?$/.exec(tool) ?? [];
  if (server === undefined) return [lost(from, "it names no server", decision === "allow" ? undefined : "*")];
  const named = name === undefined || name === "" ? "*" : name;
  return [`${server}.${named}`, `mcp__${server}__${named}`].map((each) =>
    rule({ tool: each, pattern: "*", decision, from }),
  );
}

/** A tool that has no other name here: by its own, as its hook names it. */
function otherTool(tool: string, inside: string | undefined, decision: Decision, from: string): readonly Item[] {
  if (inside === undefined) return [rule({ tool, pattern: "*", decision, from })];
  if (decision === "allow") return [lost(from, `what \`${tool}\` is given is not known here`)];
  const note = `every call of \`${tool}\` here: what it is given is not known`;
  return [rule({ tool, pattern: "*", decision, from, note })];
}
