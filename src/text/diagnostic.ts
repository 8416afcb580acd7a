import { escapeLines, escapeText } from "./escape.ts";
import { positionOf, type Source, type Span } from "./source.ts";

/** Every code that a diagnostic can carry, with the sentence that documents it. Codes are stable. */
export const DIAGNOSTIC_CODES = {
  // a command line
  "syntax-error": "bash could not read the text, or could read only its first part",
  "limit-exceeded": "the text is larger or deeper than guarded-sh reads",
  "nul-byte": "the text holds a NUL character, which bash cannot be given",
  "opaque-text": "bash and the parser may read this part differently, so it is not allowed",
  // a policy document
  "unreadable-file": "the file is missing, a directory, not text, or may not be read",
  "toml-syntax": "the file is not TOML",
  "json-syntax": "the file is not JSON or JSONC",
  "missing-field": "a required field is not there",
  "unknown-field": "a field that is not part of the format",
  "wrong-type": "a field has a value of another type",
  "unknown-decision": "a decision is allow, ask or deny",
  "bad-pattern": "a pattern that can never mean anything",
  "example-failed": "an example of a rule gets another answer than it says",
  "suggestion-denied": "a suggested alternative would itself be denied",
  "unknown-preset": "`extends` names a preset or file that does not exist",
  "untrusted-file": "a file that others can write, or that nobody has trusted yet",
  "bad-entry": "a dictionary entry that cannot be used",
  // the outside world
  "bad-request": "a line, field or value of a request is not as the protocol says",
  "missing-directory": "the directory to run in does not exist",
} as const;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;

/** One thing that is wrong in one source, with the remedy if there is one. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning";
  /** One line, lower case, cause first, no full stop. */
  readonly message: string;
  /** The remedy. */
  readonly help?: string;
  readonly source: Source;
  readonly span: Span;
}

const SNIPPET_COLUMNS = 92;

/** `name:line:column: code: message`, the line with a caret under the span, and the help. */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const { source, span, code, message, help } = diagnostic;
  const { line, column } = positionOf(source, span.start);
  const head = `${escapeText(source.name)}:${line}:${column}: ${code}: ${message}`;
  const snippet = renderSnippet(source, span);
  return [head, ...snippet, ...(help === undefined ? [] : [`help: ${help}`])].join("\n");
}

/** `name:line:column: code: message` alone, for one-line reports. */
export function summarizeDiagnostic(diagnostic: Diagnostic): string {
  const { line, column } = positionOf(diagnostic.source, diagnostic.span.start);
  return `${escapeText(diagnostic.source.name)}:${line}:${column}: ${diagnostic.code}: ${diagnostic.message}`;
}

/** The line that a span starts in, cut to a readable width around it, and a line of carets; empty for empty text. */
export function renderSnippet(source: Source, span: Span): string[] {
  const start = source.text.lastIndexOf("\n", span.start - 1) + 1;
  const lineEnd = source.text.indexOf("\n", span.start);
  const end = lineEnd < 0 ? source.text.length : lineEnd;
  if (end === start) return [];
  const { line } = positionOf(source, span.start);
  const margin = `${line} | `;
  const width = SNIPPET_COLUMNS - margin.length;
  const from = Math.max(start, Math.min(span.start - Math.floor(width / 3), end - width));
  const to = Math.min(end, from + width);
  const before = escapeLines(source.text.slice(from, Math.min(span.start, to)));
  const marked = escapeLines(
    source.text.slice(Math.min(span.start, to), Math.min(Math.max(span.end, span.start + 1), to)),
  );
  const after = escapeLines(source.text.slice(Math.min(Math.max(span.end, span.start + 1), to), to));
  const left = from > start ? "…" : "";
  const right = to < end ? "…" : "";
  return [
    `${margin}${left}${before}${marked}${after}${right}`,
    `${" ".repeat(margin.length - 2)}| ${" ".repeat(left.length + before.length)}${"^".repeat(Math.max(1, marked.length))}`,
  ];
}

/** An error that carries diagnostics: a policy, entry or request that cannot be used. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly [Diagnostic, ...Diagnostic[]];

  constructor(diagnostics: readonly [Diagnostic, ...Diagnostic[]]) {
    super(summarizeDiagnostic(diagnostics[0]));
    this.name = "DiagnosticError";
    this.diagnostics = diagnostics;
  }
}
