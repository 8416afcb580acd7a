import { type CommandSpec, type Entry, type Segment, shownValue, spellingsOf, verbOf } from "../dictionary.ts";

/** A source of facts about one program: a file of the package or a policy file, the one that wins first. */
export interface FactSource {
  readonly file: string;
  readonly entry: Entry;
}

/** What one word of an invocation is, and which file says so. */
export interface WordRole {
  readonly word: string;
  readonly is: string;
  /** What the dictionary says of it beyond that. */
  readonly note: string;
  readonly from: string | null;
}

type Reading = NonNullable<Segment["reading"]>;

/** The words of a segment in order; an option stands together with its values, an inner command is one row. */
export function wordRoles(segment: Segment, sources: readonly FactSource[]): readonly WordRole[] {
  const { reading, words } = segment;
  if (reading === undefined) return [];
  const shown = words.map(shownValue);
  const roles: WordRole[] = [programRole(shown[0] ?? "", sources)];
  const taken = new Set(reading.options.flatMap(({ valueIndices }) => valueIndices));
  for (let i = 1; i < shown.length; i++) {
    if (taken.has(i)) continue;
    const inner = innerAt(reading, i);
    if (inner !== undefined) {
      roles.push({ word: shown.slice(i, inner.to).join(" "), is: inner.is, note: "", from: null });
      i = inner.to - 1;
    } else roles.push(...rolesAt(reading, shown, i, sources));
  }
  return roles;
}

function programRole(word: string, sources: readonly FactSource[]): WordRole {
  const known = sources.map(({ file }) => file);
  const note = known.length === 0 ? "not in the dictionary: one word, nothing known" : "";
  return { word, is: "program", note, from: known.length === 0 ? null : known.join(" over ") };
}

function rolesAt(reading: Reading, shown: readonly string[], i: number, sources: readonly FactSource[]): WordRole[] {
  const word = shown[i] ?? "";
  const verbs = reading.verbs.filter((index) => index < i).map((index) => shown[index] ?? "");
  if (reading.verbs.includes(i)) return [{ word, is: "verb", note: "", from: verbSource(sources, [...verbs, word]) }];
  if (reading.terminator === i) return [{ word, is: "end of options", note: "", from: null }];
  const path = reading.verbs.map((index) => shown[index] ?? "");
  const options = reading.options.filter(({ index }) => index === i);
  if (options.length > 0) return options.map((option) => optionRole(reading, option, shown, path, sources));
  const operand = reading.operands.find(({ index }) => index === i);
  return [{ word, is: operand === undefined ? "word" : `operand: ${operand.role}`, note: "", from: null }];
}

function optionRole(
  reading: Reading,
  option: Reading["options"][number],
  shown: readonly string[],
  verbs: readonly string[],
  sources: readonly FactSource[],
): WordRole {
  const separate = option.valueIndices.map((index) => shown[index] ?? "");
  const word = [shown[option.index] ?? option.spelled, ...separate].join(" ");
  const values = option.values.map(shownValue);
  const beyond = reading.escapes.find(({ index, name }) => index === option.index && name === option.name);
  const notes = [
    ...(option.name === option.spelled ? [] : [option.name]),
    ...(values.length > 0 ? [`value ${values.join(", ")}`] : []),
    ...(option.facts === undefined ? ["not listed"] : []),
    ...(option.facts?.transparent ? ["left out in front of the verb"] : []),
    ...(beyond === undefined
      ? []
      : [
          beyond.escape === "unknown"
            ? "an allow becomes an ask"
            : `${beyond.escape}: an allow that does not name it asks`,
        ]),
  ];
  const from = option.facts === undefined ? null : optionSource(sources, verbs, option.spellings);
  return { word, is: "option", note: notes.join("; "), from };
}

function innerAt(reading: Reading, i: number): { readonly to: number; readonly is: string } | undefined {
  for (const inner of reading.inner) {
    if (inner.kind === "argv" && inner.from === i && inner.to > i) return { to: inner.to, is: "runs" };
    if (inner.kind === "script" && inner.from === i && inner.to > i) return { to: inner.to, is: "script" };
  }
  return undefined;
}

function verbSource(sources: readonly FactSource[], verbs: readonly string[]): string | null {
  return sources.find(({ entry }) => specAt(entry, verbs) !== undefined)?.file ?? null;
}

/** The first file that has one of the spellings at the verb or above it. */
function optionSource(
  sources: readonly FactSource[],
  verbs: readonly string[],
  spellings: readonly string[],
): string | null {
  for (const { file, entry } of sources) {
    for (let depth = verbs.length; depth >= 0; depth--) {
      const keys = Object.keys(specAt(entry, verbs.slice(0, depth))?.options ?? {});
      if (keys.some((key) => spellingsOf(key).some((spelling) => spellings.includes(spelling)))) return file;
    }
  }
  return null;
}

/** The spec of a verb below an entry; another name of a verb is followed. */
function specAt(entry: CommandSpec, verbs: readonly string[]): CommandSpec | undefined {
  let spec: CommandSpec | undefined = entry;
  for (const verb of verbs) {
    const table: CommandSpec["verbs"] = spec?.verbs;
    const named: CommandSpec | string | undefined =
      table !== undefined && Object.hasOwn(table, verb) ? table[verb] : undefined;
    spec = typeof named === "string" ? verbOf(table, named) : named;
    if (spec === undefined) return undefined;
  }
  return spec;
}
