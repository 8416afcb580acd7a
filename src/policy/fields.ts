import type { Span } from "../text/index.ts";
import type { Report } from "./report.ts";
import type { Located } from "./rule.ts";
import { type Places, placeKey } from "./toml-spans.ts";

/** A place inside a document: keys and list positions from the top. */
export type FieldPath = readonly (string | number)[];

/** Checks the fields of one document and says where each wrong one stands. */
export class Fields {
  readonly report: Report;
  readonly #places: Places;

  constructor(report: Report, places: Places) {
    this.report = report;
    this.#places = places;
  }

  /** Where the value stands; for one that was not found, where its table stands. */
  valueSpan(path: FieldPath): Span {
    return this.#place(path)?.value ?? { start: 0, end: 0 };
  }

  keySpan(path: FieldPath): Span {
    return this.#place(path)?.key ?? { start: 0, end: 0 };
  }

  /** The value as a table, or undefined with a diagnostic. */
  table(value: unknown, path: FieldPath): Readonly<Record<string, unknown>> | undefined {
    if (isTable(value)) return value;
    this.wrongType(path, "a table");
    return undefined;
  }

  /** Says of each key that is not part of the format which one was probably meant. */
  onlyKeys(table: Readonly<Record<string, unknown>>, path: FieldPath, valid: readonly string[], where: string): void {
    for (const key of Object.keys(table)) {
      if (valid.includes(key)) continue;
      this.report.addUnknown(
        "unknown-field",
        this.keySpan([...path, key]),
        `\`${key}\` is not a field of ${where}`,
        key,
        valid,
      );
    }
  }

  text(value: unknown, path: FieldPath): string | undefined {
    if (value === undefined || typeof value === "string") return value;
    this.wrongType(path, "a string");
    return undefined;
  }

  flag(value: unknown, path: FieldPath): boolean | undefined {
    if (value === undefined || typeof value === "boolean") return value;
    this.wrongType(path, "true or false");
    return undefined;
  }

  /** The strings of a list with their places; a single string counts as a list of one. */
  texts(value: unknown, path: FieldPath): Located[] {
    if (value === undefined) return [];
    if (typeof value === "string") return [{ text: value, span: this.valueSpan(path) }];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
      return value.map((text, i) => ({ text, span: this.valueSpan([...path, i]) }));
    }
    this.wrongType(path, "a list of strings");
    return [];
  }

  wrongType(path: FieldPath, wanted: string): void {
    this.report.add(
      "wrong-type",
      this.valueSpan(path),
      `\`${path.findLast((key) => typeof key === "string")}\` is ${wanted}`,
    );
  }

  #place(path: FieldPath) {
    for (let length = path.length; length >= 0; length--) {
      const found = this.#places.get(placeKey(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Whether a parsed value is a table: not a list, not a date. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
