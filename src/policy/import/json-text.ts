import { type ParseError, parse } from "jsonc-parser";
import { isTable } from "../fields.ts";
import { ImportError } from "./imported.ts";

export type Table = Readonly<Record<string, unknown>>;

/** A JSON text, comments and trailing commas allowed, that is an object. Throws an `ImportError`. */
export function readJson(text: string): Table {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\ufeff/, ""), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined)
    throw new ImportError(`not JSON at offset ${error.offset}`, "give the agent's settings file");
  if (!isTable(value)) throw new ImportError("the file is no JSON object", "give the agent's settings file");
  return value;
}

/** The strings of a list; what is none is left out. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** A table inside a table; an empty one when there is none. */
export function tableAt(table: Table, key: string): Table {
  const value = Object.hasOwn(table, key) ? table[key] : undefined;
  return isTable(value) ? value : {};
}
