import { isDeepStrictEqual } from "node:util";
import { parse } from "smol-toml";
import { spellingsOf } from "../dictionary.ts";
import { appendToml } from "./toml-insert.ts";
import { changeToml, type TomlChange, type TomlPath } from "./toml-table.ts";

/** What is said of a program, or of one of its verbs. */
export interface Described {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly words: number | undefined;
  readonly wrapper: boolean;
  readonly does: readonly string[];
  readonly operands: readonly string[];
  /** `--force`, or `-f, --file=read`. */
  readonly options: readonly string[];
  readonly examples: readonly string[];
}

/**
 * A TOML text with what is said of a program in its `[[command]]` table: in the one that it has, everything else of which stays, or in
 * a new one. A number: the table in that place is written in a way that cannot be added to.
 */
export function withDescription(text: string, described: Described): string | number {
  const known = commandsOf(text).findIndex(({ names }) => Array.isArray(names) && names.includes(described.name));
  const position = known < 0 ? commandsOf(text).length : known;
  const before = known < 0 ? appendToml(text, `[[command]]\nnames = ${JSON.stringify([described.name])}`) : text;
  const changes = changesFor(commandsOf(before)[position] ?? {}, described, ["command", position]);
  try {
    const after = changes.reduce(changeToml, before);
    const meant = changes.reduce(changeTable, plain(parse(before)));
    return isDeepStrictEqual(plain(parse(after)), meant) ? after : position;
  } catch {
    return position;
  }
}

type Table = Readonly<Record<string, unknown>>;

function changesFor(entry: Table, described: Described, top: TomlPath): readonly TomlChange[] {
  const { words, wrapper, does, operands, options, examples } = described;
  const { spec, path } = specAt(entry, described.verbs, top);
  // The order of operands counts: new ones stand for the old.
  const all = [...operands, ...(wrapper ? ["command"] : [])];
  return [
    ...(words === undefined ? [] : [{ path, key: "words", value: words }]),
    ...(wrapper ? [{ path: top, key: "syntax", value: "posix" }] : []),
    ...(wrapper ? [{ path: top, key: "transparent", value: true }] : []),
    ...missing(spec.does, does).map((value) => ({ path, key: "does", value, adds: true as const })),
    ...(all.length === 0 ? [] : [{ path, key: "operands", value: all }]),
    ...missing(linesOf(entry.examples), examples).map((line) => ({
      path: top,
      key: "examples",
      value: { line },
      adds: true as const,
    })),
    ...options.map((option) => optionChange(option, tableOf(spec.options), [...path, "options"])),
  ];
}

/** The table of a verb below an entry; another name of a verb is followed. */
function specAt(
  entry: Table,
  verbs: readonly string[],
  top: TomlPath,
): { readonly spec: Table; readonly path: TomlPath } {
  let spec = entry;
  const path = [...top];
  for (const verb of verbs) {
    const below = tableOf(spec.verbs);
    const found = below[verb];
    const name = typeof found === "string" ? found : verb;
    path.push("verbs", name);
    spec = tableOf(below[name]);
  }
  return { spec, path };
}

/** An option that is known by one of its spellings is the same one. */
function optionChange(option: string, known: Table, path: TomlPath): TomlChange {
  const at = option.lastIndexOf("=");
  const [key, value] = at < 0 ? [option, 0] : [option.slice(0, at), option.slice(at + 1)];
  const own = spellingsOf(key);
  const was = Object.keys(known).find((other) => spellingsOf(other).some((spelling) => own.includes(spelling)));
  if (was === undefined) return { path, key, value };
  const others = spellingsOf(was).filter((spelling) => !own.includes(spelling));
  return { path, key: others.length === 0 ? key : [...others, ...own].join(", "), value, was };
}

function missing(known: unknown, words: readonly string[]): readonly string[] {
  return words.filter((word, i) => words.indexOf(word) === i && !(Array.isArray(known) && known.includes(word)));
}

function linesOf(examples: unknown): readonly unknown[] {
  return Array.isArray(examples) ? examples.map((example) => tableOf(example).line) : [];
}

/** What a change makes of what was read. */
function changeTable(table: Table, { path, key, value, adds, was = key }: TomlChange): Table {
  const [first, ...rest] = path;
  if (first !== undefined) {
    const changed = changeTable(tableOf(table[first]), { path: rest, key, value, ...(adds && { adds }), was });
    return Array.isArray(table)
      ? (table.with(Number(first), changed) as unknown as Table)
      : { ...table, [first]: changed };
  }
  const { [was]: old, ...others } = table;
  return { ...others, [key]: adds ? [...(Array.isArray(old) ? old : []), value] : value };
}

function commandsOf(text: string): readonly Table[] {
  const { command } = parse(text);
  return Array.isArray(command) ? command.map(tableOf) : [];
}

function tableOf(value: unknown): Table {
  return typeof value === "object" && value !== null ? (value as Table) : {};
}

function plain(value: unknown): Table {
  return JSON.parse(JSON.stringify(value));
}
