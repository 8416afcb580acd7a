import { quoteWords } from "../../guard.ts";
import { subjectOf } from "../permission-hook.ts";
import { type HookRequest, PayloadError, type Replaceable } from "./hook.ts";
import { fieldOf, firstText, isTable, type Table, textAt, wellFormed } from "./payload.ts";
import { TOOLS, type ToolMeaning } from "./tools.ts";

/** A tool call as the host names it. */
export interface HostCall {
  readonly tool: string;
  readonly input: Table;
  /** The MCP server and its tool, where the host says them apart. */
  readonly mcp?: { readonly server: string; readonly tool: string };
}

type Requests = readonly [HookRequest, ...HookRequest[]];

/** Whether the host's tool runs a command line. */
export function runsCommands(tool: string): boolean {
  return TOOLS.get(tool)?.kind === "command";
}

/** What a tool call would do, each in the words of policies. Throws a `PayloadError` when its subject is not there. */
export function requestsOf(call: HostCall): Requests {
  const { tool, input, mcp } = call;
  if (tool === "") throw new PayloadError("the tool has no name");
  if (mcp !== undefined) return [mcpRequest(`${mcp.server}.${mcp.tool}`, call)];
  const named = serverTool(tool);
  if (named !== undefined) return [mcpRequest(named, call)];
  const meaning = TOOLS.get(tool);
  if (meaning === undefined) return [{ tool, names: [], subject: subjectOf({ id: "", name: tool, input }) }];
  return meaning.kind === "command" ? commandRequests(input, meaning) : subjectRequests(call, meaning);
}

function mcpRequest(name: string, { tool, input }: HostCall): HookRequest {
  return { tool: name, names: tool === name ? [] : [tool], subject: subjectOf({ id: "", name, input }) };
}

/** `mcp__server__tool`, `MCP:server:tool` and `@server/tool` are all `server.tool`. */
function serverTool(tool: string): string | undefined {
  const found =
    /^mcp__(.+?)__(.+)$/su.exec(tool) ?? /^MCP:([^:]+):(.+)$/su.exec(tool) ?? /^@([^/]+)\/(.+)$/su.exec(tool);
  return found === null ? undefined : `${found[1]}.${found[2]}`;
}

function commandRequests(input: Table, { fields }: ToolMeaning): Requests {
  const commands = fields.flatMap((field) => commandsAt(input, field));
  return nonEmpty(
    commands.map((subject) => ({ tool: "bash", names: [], subject })),
    fields,
  );
}

/** One command line; a list of command lines; or, as `shell` tools of the exec kind have it, a list of words. */
function commandsAt(input: Table, field: string): readonly string[] {
  const value = fieldOf(input, field);
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [commandText(value, field)];
  if (!Array.isArray(value) || value.length === 0) throw new PayloadError(`\`${field}\` is not a command`);
  const texts = value.map((entry) => {
    const command = isTable(entry) ? fieldOf(entry, "command") : entry;
    if (typeof command !== "string") throw new PayloadError(`\`${field}\` holds something that is not a command`);
    return commandText(command, field);
  });
  return field === "command" ? [quoteWords(texts)] : texts;
}

function commandText(text: string, field: string): string {
  if (text.trim() === "") throw new PayloadError("the command line is empty");
  return wellFormed(text, field);
}

function subjectRequests({ tool, input }: HostCall, meaning: ToolMeaning): Requests {
  const means = meaning.tool(input);
  const names = means === tool ? [] : [tool];
  const subjects = meaning.fields.flatMap((field) => subjectsAt(input, field));
  const parts = subjects.length > 0 || meaning.parts === undefined ? subjects : meaning.parts(input);
  if (parts.length === 0 && meaning.fallback !== undefined)
    return [{ tool: means, names, subject: meaning.fallback(input) }];
  return nonEmpty(
    parts.map((subject) => ({ tool: means, names, subject })),
    meaning.fields,
  );
}

function subjectsAt(input: Table, field: string): readonly string[] {
  const value = fieldOf(input, field);
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((entry) => {
    if (typeof entry === "string" && entry !== "") return wellFormed(entry, field);
    if (isTable(entry)) return textAt(entry, "path");
    throw new PayloadError(`\`${field}\` is not text`);
  });
}

function nonEmpty(requests: readonly HookRequest[], fields: readonly string[]): Requests {
  const [first, ...rest] = requests;
  if (first === undefined) throw new PayloadError(`\`${fields.join("` or `")}\` is missing`);
  return [first, ...rest];
}

/** Where a single command line can be replaced. A command in the background has no time limit to be given. */
export function replaceableOf({ tool, input }: HostCall): Replaceable | undefined {
  const meaning = TOOLS.get(tool);
  if (meaning?.kind !== "command") return undefined;
  const [field, ...more] = meaning.fields.filter((name) => typeof fieldOf(input, name) === "string");
  if (field === undefined || more.length > 0) return undefined;
  if (fieldOf(input, "run_in_background") === true || fieldOf(input, "is_background") === true) return undefined;
  const timeout = fieldOf(input, "timeout");
  return { input, field, timeoutMs: typeof timeout === "number" && timeout > 0 ? timeout : undefined };
}

/** Where the command runs, when the call itself says so. */
export function workdirOf({ tool, input }: HostCall): string | undefined {
  if (!runsCommands(tool)) return undefined;
  return firstText(input, ["dir_path", "directory", "workdir", "working_dir", "working_directory", "cwd"]);
}
