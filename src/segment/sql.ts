import type { CodeFacts } from "./spec.ts";
import { type SqlToken, sqlTokens } from "./sql-tokens.ts";
import { matchesWildcard } from "./wildcard.ts";

/**
 * Whether SQL only reads, whichever of the usual servers reads it: queries that call nothing but functions known to
 * compute, `EXPLAIN` of such a query, `SHOW` and its kin, and the client's own commands that the entry lists.
 */
export function onlyReadsSql(text: string, { lines = [] }: CodeFacts): boolean {
  const line = text
    .trim()
    .replace(/;$/, "")
    .replace(/[ \t]+/g, " ");
  // The client's own: no second one may hide behind the first.
  if (lines.some((pattern) => matchesWildcard(pattern, line)) && /^[\\.]?[\w .,*+?()-]*$/.test(line)) return true;
  const statements = sqlTokens(text);
  return statements !== undefined && statements.length > 0 && statements.every(onlyReads);
}

const SHOWS = new Set(["show", "describe", "desc", "use"]);
const QUERIES = new Set(["select", "with", "values"]);
const EXPLAINS = new Set(
  "explain analyze verbose query plan extended ( ) , buffers costs settings wal timing summary format json text yaml xml on off = true false".split(
    " ",
  ),
);

function onlyReads(tokens: readonly SqlToken[]): boolean {
  const [first] = tokens;
  if (first === undefined || first.kind !== "word") return false;
  if (SHOWS.has(first.text)) return showsOnly(tokens);
  const start = first.text === "explain" ? tokens.findIndex(({ text }) => QUERIES.has(text)) : 0;
  if (!tokens.slice(0, Math.max(start, 0)).every(({ text }) => EXPLAINS.has(text))) return false;
  return QUERIES.has(tokens[start]?.text ?? "") && queriesOnly(tokens);
}

/** `SHOW CREATE TABLE a` changes nothing; no other word that does may follow, as some servers need no semicolon. */
function showsOnly(tokens: readonly SqlToken[]): boolean {
  return tokens.every(({ kind, text }, at) => {
    if (kind === "word") return !CHANGES.has(text) || (text === "create" && at === 1);
    // A text that stands anywhere else is a file for some.
    return kind === "name" || (kind === "string" && tokens[at - 1]?.text === "like") || text === "." || text === "=";
  });
}

// What changes something, wherever it stands: in a common table expression, behind a query (`INTO OUTFILE`, `FOR UPDATE`),
// or as a next statement, which some servers tell by its first word alone.
const CHANGES = new Set(
  `into insert update delete merge replace upsert drop alter create truncate rename grant revoke deny copy call do exec
   execute attach detach pragma vacuum reindex load install outfile dumpfile infile procedure handler lock unlock kill backup
   restore bulk dbcc shutdown disable enable reconfigure revert setuser writetext updatetext send receive rollback waitfor
   raiserror throw go import prepare deallocate refresh cluster checkpoint optimize repair purge flush`.split(/\s+/),
);

function queriesOnly(tokens: readonly SqlToken[]): boolean {
  const froms: boolean[] = [false];
  for (const [at, { kind, text }] of tokens.entries()) {
    const before = tokens[at - 1];
    // `replace(a, 'x', 'y')` computes.
    const called = text === "replace" && tokens[at + 1]?.text === "(";
    if (kind === "word" && CHANGES.has(text) && !called) return false;
    // In quotes it is the same table or function.
    const named = kind === "name" ? text.slice(1, -1) : text;
    const isNamed = kind === "word" || kind === "name";
    if (isNamed && (READS_FILES.has(named) || (before?.text === "." && FILE_TYPES.has(named)))) return false;
    if (kind === "word" && (text === "from" || text === "join")) froms[froms.length - 1] = true;
    if (kind === "word" && CLAUSES.has(text)) froms[froms.length - 1] = false;
    // Some read a file where a table's name is a text.
    if (kind === "string" && (froms.at(-1) || before?.kind === "string")) return false;
    if (text === "." && before?.text === ")") return false;
    if (text === "(" && !mayOpen(before, tokens[at - 2])) return false;
    if (text === "(") froms.push(false);
    if (text === ")" && froms.length > 1) froms.pop();
  }
  return true;
}

/** Tables of SQLite that are files, named by a column; and what is a file's name for duckdb. */
const READS_FILES = new Set([
  "fsdir",
  "zipfile",
  "csv",
  "vsv",
  "sqlite_dbpage",
  "completion",
  "readfile",
  "lines_read",
]);
const FILE_TYPES = new Set([
  "csv",
  "tsv",
  "json",
  "jsonl",
  "ndjson",
  "parquet",
  "db",
  "duckdb",
  "txt",
  "xlsx",
  "arrow",
]);

const CLAUSES = new Set(["where", "on", "using", "group", "order", "having", "limit", "union", "select", "values"]);

/** Words behind which a parenthesis calls nothing. */
const GROUPS = new Set(
  `select from join where and or not in exists any all some as on using by values union intersect except when then else
   case between like ilike over filter having limit offset distinct with explain is lateral recursive materialized`.split(
    /\s+/,
  ),
);

/** Functions that compute something from what they are given, and nothing else, in all of the usual servers. */
const COMPUTES = new Set(
  `count sum min max avg total group_concat string_agg array_agg coalesce nullif ifnull isnull iif lower upper length
   char_length trim ltrim rtrim substr substring left right instr position concat concat_ws round abs ceil ceiling floor
   mod power sqrt sign cast convert date time datetime julianday strftime replace date_trunc date_part date_format datediff extract
   to_char to_date now current_date current_time current_timestamp getdate year month day version row_number rank
   dense_rank lag lead first_value last_value ntile json_extract json_array_length json_object json_array json_agg
   json_build_object jsonb_array_length typeof greatest least hex md5 pg_size_pretty pg_database_size pg_relation_size
   pg_total_relation_size format_type pg_get_viewdef pg_get_indexdef database current_database current_schema
   sqlite_version changes unixepoch to_timestamp age random percentile_cont string_to_array unnest`.split(/\s+/),
);

function mayOpen(before: SqlToken | undefined, beforeThat: SqlToken | undefined): boolean {
  if (before === undefined || before.kind === "sign") return before?.text !== "." && before?.text !== ")";
  if (before.kind !== "word" || beforeThat?.text === ".") return false;
  // `WITH a (b) AS (…)` and `FROM a (…)` look like a call.
  return GROUPS.has(before.text) || COMPUTES.has(before.text);
}
