import { fieldOf, firstText, isTable, type Table } from "./payload.ts";

/** What a host's tool means to a policy. */
export interface ToolMeaning {
  readonly kind: "command" | "subject";
  /** The tool in the words of policies. */
  readonly tool: (input: Table) => string;
  /** Fields that hold the command or the subject; every one that is there counts. */
  readonly fields: readonly string[];
  /** Subjects that stand elsewhere in the input. */
  readonly parts?: (input: Table) => readonly string[];
  /** The subject of a call that names none. */
  readonly fallback?: (input: Table) => string;
}

const command = (...fields: readonly string[]): ToolMeaning => ({ kind: "command", tool: () => "bash", fields });
const as = (tool: string, ...fields: readonly string[]): ToolMeaning => ({
  kind: "subject",
  tool: () => tool,
  fields,
});

const PATHS = [
  "file_path",
  "path",
  "absolute_path",
  "filePath",
  "target_file",
  "notebook_path",
  "paths",
  "file_paths",
  "files",
];
const read = as("file_read", ...PATHS);
const write = as("file_write", ...PATHS);
const search = (tool: string): ToolMeaning => ({
  ...as(tool, "pattern", "query", "regex", "patterns", "queries"),
  fallback: (input) => JSON.stringify(input),
});
const list: ToolMeaning = { ...as("list", "path", "dir_path", "directory_path"), fallback: () => "." };
const fetchUrl: ToolMeaning = {
  ...as("webfetch", "url", "uri", "urls"),
  parts: (input) => urlsIn(firstText(input, ["prompt", "query"]) ?? ""),
  fallback: (input) => JSON.stringify(input),
};
const patch: ToolMeaning = {
  ...as("file_write", "file_path", "path"),
  parts: (input) => patchedPaths(firstText(input, ["command", "input", "patch", "patchText", "diff"]) ?? ""),
};

/** An editor with sub-commands: only `view` reads. */
const editor: ToolMeaning = {
  ...write,
  tool: (input) => (fieldOf(input, "command") === "view" ? "file_read" : "file_write"),
};

/** Amazon Q's `fs_read` takes a list of operations. */
const operations: ToolMeaning = {
  ...read,
  parts: (input) => {
    const value = fieldOf(input, "operations");
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    return entries.flatMap((entry) => (isTable(entry) ? (firstText(entry, ["path"]) ?? []) : []));
  },
};

function urlsIn(text: string): readonly string[] {
  return text.match(/https?:\/\/[^\s"'<>)\]]+/giu) ?? [];
}

const PATCH_LINE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gmu;

/** The files that a patch in Codex's format touches. */
function patchedPaths(text: string): readonly string[] {
  return [...text.matchAll(PATCH_LINE)].map((found) => (found[1] ?? "").trim());
}

const names = (meaning: ToolMeaning, ...tools: readonly string[]) => tools.map((tool) => [tool, meaning] as const);

/** The built-in tools of all hosts by their own names. A tool that is not here is judged by its own name. */
export const TOOLS: ReadonlyMap<string, ToolMeaning> = new Map([
  ...names(command("command", "cmd"), "Bash", "bash", "Shell", "shell", "local_shell", "Monitor", "execute_command"),
  ...names(command("command"), "run_shell_command", "run_terminal_command", "run_terminal_cmd", "run_in_terminal"),
  ...names(command("command"), "Execute", "execute_bash", "developer__shell", "ShellTool", "shell_command"),
  ...names(command("cmd", "command"), "exec_command"),
  ...names(command("commands", "command"), "run_commands"),
  ...names(read, "Read", "read", "read_file", "ReadFile", "view", "View", "read_many_files", "read_files", "TabRead"),
  ...names(read, "NotebookRead", "view_image", "developer__read_file"),
  ...names(operations, "fs_read"),
  ...names(write, "Write", "write", "Edit", "edit", "MultiEdit", "multiedit", "NotebookEdit", "StrReplace", "Delete"),
  ...names(
    write,
    "write_file",
    "replace",
    "create",
    "Create",
    "edit_file",
    "create_file",
    "search_replace",
    "fs_write",
  ),
  ...names(write, "write_to_file", "replace_in_file", "TabWrite", "delete_file", "apply_diff", "insert_content"),
  ...names(write, "developer__write", "developer__edit", "editor"),
  ...names(editor, "developer__text_editor", "str_replace_editor", "str_replace_based_edit_tool"),
  ...names(patch, "apply_patch", "ApplyPatch"),
  ...names(fetchUrl, "WebFetch", "web_fetch", "webfetch", "FetchUrl", "fetch", "read_web_page", "fetch_web_content"),
  ...names(search("websearch"), "WebSearch", "web_search", "google_web_search", "websearch"),
  ...names(search("grep"), "Grep", "grep", "grep_search", "search_file_content", "search_files", "search_codebase"),
  ...names(search("glob"), "Glob", "glob"),
  ...names(list, "LS", "ls", "list_directory", "list_dir", "list_files"),
]);
