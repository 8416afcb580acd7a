/** A TOML text with a key of a table set: the line is replaced, or added below the table's other lines; comments stay. */
export function setTomlKey(text: string, table: string, key: string, value: string): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const head = lines.findIndex((line) => headerOf(line) === table);
  const line = `${tomlKey(key)} = ${value}`;
  if (head < 0) return `${[...lines, ...(lines.length > 0 ? [""] : []), `[${table}]`, line].join("\n")}\n`;
  let end = lines.findIndex((other, i) => i > head && headerOf(other) !== undefined);
  if (end < 0) end = lines.length;
  const known = lines.findIndex((other, i) => i > head && i < end && keyOf(other) === key);
  if (known >= 0) lines[known] = `${line}${commentOf(lines[known] ?? "")}`;
  else lines.splice(lastFilled(lines, head, end) + 1, 0, line);
  return `${lines.join("\n")}\n`;
}

/** A TOML text with a block at its end. */
export function appendToml(text: string, block: string): string {
  const before = text === "" ? "" : `${text.replace(/\n*$/, "\n")}\n`;
  return `${before}${block}\n`;
}

/** A key as TOML writes it. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

function headerOf(line: string): string | undefined {
  return /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim() ?? /^\s*\[\[([^[\]]+)\]\]/.exec(line)?.[1];
}

function keyOf(line: string): string | undefined {
  const [, quoted, literal, bare] = /^\s*(?:("(?:\\.|[^"\\])*")|'([^']*)'|([A-Za-z0-9_-]+))\s*=/.exec(line) ?? [];
  return quoted === undefined ? (literal ?? bare) : String(JSON.parse(quoted));
}

function commentOf(line: string): string {
  const found = /\s*#.*$/.exec(line.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, (text) => "x".repeat(text.length)));
  return found === null ? "" : line.slice(found.index);
}

function lastFilled(lines: readonly string[], from: number, end: number): number {
  for (let i = end - 1; i > from; i--) if ((lines[i] ?? "").trim() !== "" && !/^\s*#/.test(lines[i] ?? "")) return i;
  return from;
}
