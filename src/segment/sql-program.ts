import { HOLE, type ProgramText } from "./languages.ts";

type NamedFile = ProgramText["files"][number];

/**
 * What a text for an SQL client runs, reads and writes besides the database: the commands of SQLite and DuckDB that begin with a
 * dot (`.shell`, `.once |cmd`, `.read f`), and the texts in a statement that calls something by which files are read or written.
 */
export function sqlProgram(text: string): ProgramText {
  const commands: string[] = [];
  const files: NamedFile[] = [];
  const statements: string[] = [];
  for (const line of text.split("\n")) {
    if (line.trimStart().startsWith(".")) readDotCommand(line.trim().slice(1), commands, files);
    else statements.push(line);
    readBackslash(line, commands, files);
  }
  files.push(...filesOf(statements.join("\n")));
  return { escapes: [], files, commands };
}

/** What the first name of a command's argument is for it. Shortened names count: `.sh`, `.sys`. */
const DOT_FILES: Readonly<Record<string, readonly NamedFile["access"][]>> = {
  archive: ["read", "write"],
  backup: ["write"],
  clone: ["write"],
  excel: ["write"],
  import: ["read"],
  load: ["read"],
  log: ["write"],
  once: ["write"],
  open: ["read", "write"],
  output: ["write"],
  read: ["read"],
  restore: ["read"],
  save: ["write"],
  testcase: ["write"],
  trace: ["write"],
};

function readDotCommand(text: string, commands: string[], files: NamedFile[]): void {
  const words = dotWords(text);
  const [name = "", ...others] = words;
  if (name === "") return;
  if ("shell".startsWith(name) || "system".startsWith(name)) commands.push(others.map(quoted).join(" "));
  for (const [command, accesses] of Object.entries(DOT_FILES)) {
    if (!command.startsWith(name)) continue;
    for (const word of others) {
      // A pipe makes a command of it and of all that follows.
      if (word.startsWith("|")) commands.push(others.slice(others.indexOf(word)).join(" ").slice(1));
      else if (!word.startsWith("-")) files.push(...accesses.map((access) => ({ access, path: word })));
    }
  }
}

/** psql and mysql: `\! cmd`, `\o |cmd`, `\i f`, `COPY … PROGRAM 'cmd'`, and mysql's `system cmd` and `source f`. */
function readBackslash(line: string, commands: string[], files: NamedFile[]): void {
  const run = /\\!\s*(.*)$/.exec(line)?.[1] ?? /^\s*system\s+(.+?);?$/i.exec(line)?.[1];
  const piped = /\\(?:o|out|g|gx|w|write)\s*\|(.*)$/.exec(line)?.[1];
  const programs = [...line.matchAll(/\bprogram\s+'((?:[^']|'')*)'/gi)].map(([, command = ""]) =>
    command.replaceAll("''", "'"),
  );
  commands.push(...[run, piped, ...programs].filter((command) => command !== undefined));
  const [, name = "", path] = /\\(i|ir|include|include_relative|o|out|w|write|g|gx|\.)\s+([^\s|\\]+)/.exec(line) ?? [];
  const sourced = /^\s*source\s+([^\s;]+)/i.exec(line)?.[1];
  if (path !== undefined)
    files.push({ access: /^i|\./.test(name) ? "read" : "write", path: path.replace(/^'(.*)'$/, "$1") });
  if (sourced !== undefined) files.push({ access: "read", path: sourced });
}

/** The words of a dot command, quotes taken off as the client does. */
function dotWords(text: string): readonly string[] {
  const found = text.matchAll(/'([^']*)'?|"((?:[^"\\]|\\.)*)"?|([^\s'"][^\s]*)/gs);
  return [...found].map(([, single, double, bare]) => single ?? double?.replace(/\\(.)/gs, "$1") ?? bare ?? "");
}

/** The client hands a word with a blank in it on as one; all else is for the shell to read. */
function quoted(word: string): string {
  return /\s/.test(word) ? `"${word}"` : word;
}

// Table functions, functions and statements of SQLite, DuckDB, PostgreSQL and MySQL with a file's name among their texts.
const READS =
  /\b(?:fsdir|zipfile|readfile|lines_read|csv|vsv|read_(?:csv(?:_auto)?|json\w*|ndjson\w*|parquet|text|blob)|parquet_\w+|sniff_csv|pg_read_(?:binary_)?file|pg_ls_dir|pg_stat_file|lo_import|load_file|load\s+(?:data|xml)|copy|from\s*['"])/i;
const WRITES =
  /\b(?:writefile|lo_export|attach|vacuum|copy|export\s+database|backup\s+database|into\s+(?:out|dump)file)\b/i;
const CALLS =
  /\b(?:readfile|load_file|pg_read_(?:binary_)?file|lo_import|read_(?:text|blob|csv))["`\]]?\s*\(\s*(?:[^'"\s]|'[^']*'\s*[^')\s,])/i;

/** Every text of a statement that reads or writes files may be the file. */
function filesOf(text: string): readonly NamedFile[] {
  return text.split(";").flatMap((statement): readonly NamedFile[] => {
    const accesses: readonly NamedFile["access"][] = [
      ...(READS.test(statement) ? ["read" as const] : []),
      ...(WRITES.test(statement) ? ["write" as const] : []),
    ];
    if (accesses.length === 0) return [];
    const texts = [...statement.matchAll(/'((?:[^']|'')*)'|"([^"]*)"/g)].map(
      ([, single, double]) => single?.replaceAll("''", "'") ?? double ?? "",
    );
    const paths = texts.filter((path) => path !== "" && !path.includes("\n"));
    const named = paths.flatMap((path) => accesses.map((access): NamedFile => ({ access, path })));
    return CALLS.test(statement) ? [...named, { access: "read", path: HOLE }] : named;
  });
}
