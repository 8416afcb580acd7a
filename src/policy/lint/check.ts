import type { Span } from "../../text/index.ts";
import type { ExampleSetting } from "../examples.ts";
import type { Document, Rule } from "../rule.ts";
import { type Places, placeKey, placesOf } from "../toml-spans.ts";
import type { LintCode } from "./codes.ts";

/** A change of a policy's text. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** One thing that a check found in one document. */
export interface LintFinding {
  readonly code: LintCode;
  /** One line, cause first. */
  readonly message: string;
  readonly help?: string;
  readonly span: Span;
  /** The certain mend. */
  readonly fix?: Edit;
  /** The rule that makes the mend a certain one, as long as it stays what it is. */
  readonly relies?: Rule;
}

/** What a check looks at. */
export interface Linted {
  readonly document: Document;
  /** In the order in which they are asked. */
  readonly rules: readonly LintRule[];
  readonly setting: ExampleSetting;
  /** Nobody can answer an ask. */
  readonly unattended: boolean;
}

export interface LintRule {
  readonly rule: Rule;
  /** Its place in the document, from 0. */
  readonly position: number;
  readonly spanOf: (field: "tool" | "pattern" | "flags" | "action" | "does" | "certain") => Span;
  /** The whole table, for taking it out; undefined in JSON. */
  readonly table: Span | undefined;
}

/** One check: a pure function of a document. */
export type Check = (linted: Linted) => readonly LintFinding[];

/** A document as the checks see it. */
export function lintedOf(document: Document, setting: ExampleSetting, unattended: boolean): Linted {
  const { text, name } = document.origin.source;
  const isToml = !/\.jsonc?$/.test(name);
  const places: Places = isToml ? placesOf(text) : new Map();
  const rules = document.rules.map((rule, position): LintRule => {
    const spanOf = (field: string) =>
      places.get(placeKey(["permissions", "rule", position, field]))?.value ?? rule.origin.span;
    return { rule, position, spanOf, table: isToml ? tableSpan(text, rule.origin.span) : undefined };
  });
  return { document, rules: document.order === "first-match" ? rules : rules.toReversed(), setting, unattended };
}

/** From the header to the last line that is neither blank nor a comment, its newline included. */
function tableSpan(text: string, header: Span): Span | undefined {
  if (!text.startsWith("[[", header.start)) return undefined;
  const next = /^[ \t]*\[/gm;
  next.lastIndex = header.end;
  const body = text.slice(header.start, next.exec(text)?.index ?? text.length);
  const kept = body.replace(/(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:#[^\n]*)?$/, "");
  const end = header.start + kept.length;
  return { start: header.start, end: text[end] === "\n" ? end + 1 : end };
}
