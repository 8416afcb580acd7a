/** A token of SQL: words in lower case. A `name` stands in quotes and may be a text, as the server has it. */
export interface SqlToken {
  readonly kind: "word" | "number" | "string" | "name" | "sign";
  readonly text: string;
}

// No backslash, which some servers read and some do not, no `$…$` and no comment: `/*! … */` is run by some. A name with
// a dot or a slash in it is a file for some.
const TOKEN = new RegExp(
  [
    "(?<gap>[ \\t\\r\\n]+)",
    "(?<word>(?:@@)?[A-Za-z_]\\w*)",
    "(?<number>\\d+(?:\\.\\d+)?)",
    "(?<string>'(?:[^'\\\\]|'')*')",
    '(?<name>"[^"\\\\./]*"|`[^`\\\\./]*`)',
    "(?<sign>::|\\|\\||<=|>=|<>|!=|[.,;()*=<>+/%-])",
  ].join("|"),
  "y",
);

/** The tokens of each statement; undefined for a text that servers may read in different ways. */
export function sqlTokens(text: string): readonly (readonly SqlToken[])[] | undefined {
  const statements: SqlToken[][] = [[]];
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups ?? {};
    const [kind, part = ""] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    if (kind === undefined || begins(text, at)) return undefined;
    at += part.length;
    if (part === ";") statements.push([]);
    else if (kind !== "gap") statements.at(-1)?.push({ kind: kind as SqlToken["kind"], text: part.toLowerCase() });
  }
  return statements.filter((tokens) => tokens.length > 0);
}

/** Whether a comment begins here. */
function begins(text: string, at: number): boolean {
  return text.startsWith("--", at) || text.startsWith("/*", at);
}
