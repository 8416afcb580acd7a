import { escapeText, nearestWord } from "../text/index.ts";
import { type TableRow, UsageError, type Verb, type VerbGroup } from "./command.ts";
import { renderGroupHelp, renderVerbHelp } from "./help.ts";

/** What a command line of guarded-sh calls: a verb and the words behind it, or the help of a group. */
export type Call =
  | { readonly kind: "verb"; readonly verb: Verb; readonly rest: readonly string[] }
  | { readonly kind: "help"; readonly text: string };

/** Finds and loads the verb that the words name. Throws a `UsageError` with the nearest one. */
export async function resolveCall(table: readonly TableRow[], argv: readonly string[]): Promise<Call> {
  const [first = "", ...rest] = argv;
  const row = rowNamed(table, first, "verb", undefined, inGroups(table, first));
  if (!("verbs" in row)) return { kind: "verb", verb: await loaded(row), rest };
  const [second, ...others] = rest;
  if (second === undefined) throw new UsageError(`\`${row.name}\` needs a verb: ${namesOf(row).join(", ")}`, row);
  if (second === "--help" || second === "-h" || second === "help")
    return { kind: "help", text: await groupHelp(row, others) };
  return {
    kind: "verb",
    verb: await loaded(rowNamed(row.verbs, second, `verb of \`${row.name}\``, row)),
    rest: others,
  };
}

/** The help of what is named behind `help`. */
export async function helpOf(table: readonly TableRow[], words: readonly string[]): Promise<string | undefined> {
  const row = table.find(({ name }) => name === words[0]);
  if (row === undefined) return undefined;
  return "verbs" in row ? groupHelp(row, words.slice(1)) : renderVerbHelp(await loaded(row));
}

/** Every verb of the table, loaded, those of groups by both names. */
export async function loadAll(table: readonly TableRow[]): Promise<readonly Verb[]> {
  const rows = table.flatMap((row): (Verb | Exclude<TableRow, VerbGroup>)[] =>
    "verbs" in row ? [...row.verbs] : [row],
  );
  return Promise.all(rows.map(loaded));
}

async function loaded(row: Exclude<TableRow, VerbGroup>): Promise<Verb> {
  return "load" in row ? row.load() : row;
}

async function groupHelp(group: VerbGroup, words: readonly string[]): Promise<string> {
  const verb = group.verbs.find(({ name }) => name === words[0]);
  return verb === undefined ? renderGroupHelp(group) : renderVerbHelp(await loaded(verb));
}

function rowNamed<Row extends { readonly name: string }>(
  rows: readonly Row[],
  word: string,
  kind: string,
  group: VerbGroup | undefined,
  others: readonly string[] = [],
): Row {
  const row = rows.find(({ name }) => name === word);
  if (row !== undefined) return row;
  const near = nearestWord(
    word,
    rows.map(({ name }) => name),
  );
  const meant = others.length > 0 ? others : near === undefined ? [] : [near];
  const help = meant.length === 0 ? "" : `, did you mean ${meant.map((name) => `\`${name}\``).join(" or ")}?`;
  throw new UsageError(`unknown ${kind} \`${escapeText(word)}\`${help}`, group);
}

/** `policy explain` and `arity explain` for `explain`. */
function inGroups(table: readonly TableRow[], word: string): readonly string[] {
  return table.flatMap((row) =>
    "verbs" in row && row.verbs.some(({ name }) => name === word) ? [`${row.name} ${word}`] : [],
  );
}

function namesOf({ verbs }: VerbGroup): readonly string[] {
  return verbs.map(({ name }) => name);
}
