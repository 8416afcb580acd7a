import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type { Span } from "../../text/index.ts";
import { isTable } from "../fields.ts";
import { ImportError } from "./imported.ts";

export type Table = Readonly<Record<string, unknown>>;

const HELP = "give the agent's settings file";

/** A JSON text, comments and trailing commas allowed, that is an object. Throws an `ImportError`. */
export function readJson(text: string): Table {
  const errors: ParseError[] = [];
  // A blank for the mark, so that places stay what they are.
  const value: unknown = parse(text.replace(/^\ufeff/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) throw new ImportError("json-syntax", jsonFault(error), HELP, spanOf(error));
  if (!isTable(value)) throw new ImportError("wrong-type", "the file is no JSON object", HELP);
  return value;
}

function jsonFault({ error }: ParseError): string {
  const words = printParseErrorCode(error).replace(/([a-z])([A-Z])/g, "$1 $2");
  return `not JSON: ${words.toLowerCase()}`;
}

function spanOf({ offset, length }: ParseError): Span {
  return { start: offset, end: offset + Math.max(1, length) };
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
