import type { Source } from "../text/index.ts";
import type { Document, Layer, Located } from "./rule.ts";

/** What a document is read with. */
export interface DocumentSetting {
  readonly layer: Layer;
  readonly trusted: boolean;
  readonly home: string;
  readonly env: ReadonlyMap<string, string>;
  readonly windows: boolean;
}

/** A document that was read, and what else its file says. */
export interface ParsedDocument {
  readonly document: Document;
  readonly extends: readonly Located[];
  /** `[arity]` and `[[command]]` as they were parsed, for the dictionary to check. */
  readonly dictionary: DictionaryTables | undefined;
  readonly scope: ScopeTable | undefined;
  readonly env: EnvTable | undefined;
}

/** A user's dictionary tables. */
export interface DictionaryTables {
  readonly source: Source;
  readonly arity: Readonly<Record<string, unknown>>;
  readonly command: readonly unknown[];
  /** Where a value of `["arity", "mytool"]` or `["command", 0, "name"]` stands. */
  readonly spanOf: (path: readonly (string | number)[]) => { readonly start: number; readonly end: number };
}

/** `[scope]`: the boundary that the operating system enforces. */
export interface ScopeTable {
  readonly write: readonly string[] | undefined;
  readonly readDeny: readonly string[];
  readonly network: boolean | undefined;
}

/** `env`: variables that the run keeps or loses. */
export interface EnvTable {
  readonly pass: readonly string[];
  readonly drop: readonly string[];
}
