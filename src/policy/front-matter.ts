/** One field of a front matter: the items of a list, or the one text, and where the value begins. */
export interface FrontMatterField {
  readonly items: readonly string[];
  /** The items were written as a YAML list. */
  readonly list: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * A field of the YAML between `---` lines at the head of a text, as far as a skill needs YAML: a plain or quoted text, a text
 * that goes on over indented lines, a list in brackets, or a list of `-` lines. Undefined: the field is not there. Null: it is
 * there in another shape, so what it says is not known.
 */
export function frontMatterField(text: string, name: string): FrontMatterField | null | undefined {
  const head = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  if (head === null) return undefined;
  const body = head[1] ?? "";
  const offset = head[0].indexOf(body, 3);
  const lines = linesOf(body, offset);
  const at = lines.findIndex(({ text: line }) =>
    new RegExp(`^(?:${name}|"${name}"|'${name}')[ \\t]*:(?:[ \\t]|$)`).test(line),
  );
  const first = lines[at];
  if (first === undefined) return undefined;
  const value = first.text.slice(first.text.indexOf(":") + 1).trim();
  const below = continuation(lines.slice(at + 1));
  const end = (below.at(-1) ?? first).end;
  const read = readValue(
    value,
    below.map(({ text: line }) => line),
  );
  return read === undefined ? null : { ...read, start: first.start, end };
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function linesOf(body: string, offset: number): Line[] {
  let start = offset;
  return body.split("\n").map((line) => {
    const text = line.replace(/\r$/, "");
    const found = { text, start, end: start + text.length };
    start += line.length + 1;
    return found;
  });
}

/** The lines that belong to the field: indented ones, and `-` lines that need not be. */
function continuation(lines: readonly Line[]): Line[] {
  const end = lines.findIndex(({ text }) => text.trim() !== "" && !/^(?:[ \t]|-[ \t]|-$|#)/.test(text));
  return lines.slice(0, end < 0 ? lines.length : end).filter(({ text }) => text.trim() !== "" && !/^\s*#/.test(text));
}

function readValue(value: string, below: readonly string[]): Pick<FrontMatterField, "items" | "list"> | undefined {
  if (value === "" || value.startsWith("#")) return below.length === 0 ? { items: [], list: true } : readList(below);
  if (value.startsWith("[")) return readFlow([value, ...below].join(" "));
  // A block scalar: its lines are one text.
  if (/^[>|][+-]?\d?$/.test(value)) return { items: [below.map((line) => line.trim()).join(" ")], list: false };
  if (/^[&*!{%@`]/.test(value)) return undefined;
  const text = scalar([value, ...below.map((line) => line.trim())].join(" "));
  return text === undefined ? undefined : { items: [text], list: false };
}

function readList(lines: readonly string[]): Pick<FrontMatterField, "items" | "list"> | undefined {
  const items: string[] = [];
  for (const line of lines) {
    const [, written] = /^\s*-[ \t]+(.+)$/.exec(line) ?? [];
    const text = written === undefined ? undefined : scalar(written.trim());
    if (text === undefined) return undefined;
    items.push(text);
  }
  return { items, list: true };
}

/** `[a, "b c", Bash(git:*)]`: a comma inside quotes or parentheses separates nothing. */
function readFlow(text: string): Pick<FrontMatterField, "items" | "list"> | undefined {
  const [, inside] = /^\[([\s\S]*)\]\s*(?:#.*)?$/.exec(text) ?? [];
  if (inside === undefined) return undefined;
  const items = [...inside.matchAll(/\s*("(?:\\.|[^"\\])*"|'(?:''|[^'])*'|(?:[^,()]|\([^)]*\))+)\s*(?:,|$)/g)];
  if (items.reduce((length, [whole]) => length + whole.length, 0) !== inside.length) return undefined;
  const texts = items.map(([, written = ""]) => scalar(written.trim()));
  return texts.every((item) => item !== undefined) ? { items: texts, list: true } : undefined;
}

/** A plain or quoted text; undefined for one that is neither, or whose quotes do not end. */
function scalar(written: string): string | undefined {
  const double = /^"((?:\\.|[^"\\])*)"\s*(?:#.*)?$/.exec(written);
  if (double !== null) return (double[1] ?? "").replace(/\\(["\\/])/g, "$1");
  const single = /^'((?:''|[^'])*)'\s*(?:#.*)?$/.exec(written);
  if (single !== null) return (single[1] ?? "").replaceAll("''", "'");
  if (/^["'&!{%@`|>]/.test(written)) return undefined;
  return written.replace(/\s+#.*$/, "");
}
