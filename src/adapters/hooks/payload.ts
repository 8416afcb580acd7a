import { PayloadError } from "./hook.ts";

export type Table = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own field; what an object inherits is not part of a payload. */
export function fieldOf(table: Table, name: string): unknown {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The payload as an object. */
export function tableOf(value: unknown, what = "the payload"): Table {
  if (isTable(value)) return value;
  throw new PayloadError(value === undefined ? `${what} is missing` : `${what} is not an object`);
}

/** A field that has to be an object. */
export function tableAt(table: Table, name: string): Table {
  return tableOf(fieldOf(table, name), `\`${name}\``);
}

/** A field that has to be text. */
export function textAt(table: Table, name: string): string {
  const text = optionalText(table, name);
  if (text === undefined) throw new PayloadError(`\`${name}\` is missing`);
  return text;
}

/** A field that is text if it is there; text that is not well formed is not what the host would run. */
export function optionalText(table: Table, name: string): string | undefined {
  const value = fieldOf(table, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new PayloadError(`\`${name}\` is not text`);
  return wellFormed(value, name);
}

/** Text without lone surrogates: every host would run something else than was judged. */
export function wellFormed(text: string, name: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new PayloadError(`\`${name}\` is not well-formed text`);
  return text;
}

/** The first of the names that is there as text and not empty. */
export function firstText(table: Table, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = optionalText(table, name);
    if (text !== undefined && text !== "") return text;
  }
  return undefined;
}

/** The first entry of a list of texts. */
export function firstOf(table: Table, name: string): string | undefined {
  const value = fieldOf(table, name);
  return Array.isArray(value) && typeof value[0] === "string" ? value[0] : undefined;
}

/** A field that has one of these values. */
export function expectName(table: Table, field: string, names: readonly string[]): string {
  const name = textAt(table, field);
  if (!names.includes(name)) throw new PayloadError(`\`${name}\` is not an event before a tool call`);
  return name;
}

/** A JSON text inside the payload, as Copilot and Cursor send arguments; an object is taken as it is. */
export function embedded(table: Table, name: string): Table {
  const value = fieldOf(table, name);
  if (typeof value !== "string") return tableOf(value, `\`${name}\``);
  try {
    return tableOf(JSON.parse(value) as unknown, `\`${name}\``);
  } catch (error) {
    if (error instanceof PayloadError) throw error;
    throw new PayloadError(`\`${name}\` is not JSON`);
  }
}
