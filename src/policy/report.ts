import {
  type Diagnostic,
  type DiagnosticCode,
  DiagnosticError,
  nearestWord,
  type Source,
  type Span,
} from "../text/index.ts";
import { DECISIONS, type Decision, isDecision } from "./decision.ts";

/** Gathers what is wrong in one document, so that all of it is said at once. */
export class Report {
  readonly source: Source;
  readonly diagnostics: Diagnostic[] = [];

  constructor(source: Source) {
    this.source = source;
  }

  add(code: DiagnosticCode, span: Span, message: string, help?: string): void {
    const { source } = this;
    this.diagnostics.push({ code, severity: "error", message, source, span, ...(help === undefined ? {} : { help }) });
  }

  /** Says that a word is none of the valid ones, and which was probably meant. */
  addUnknown(code: DiagnosticCode, span: Span, message: string, word: string, valid: readonly string[]): void {
    const near = nearestWord(word, valid);
    this.add(code, span, message, near === undefined ? `use ${listed(valid)}` : `did you mean \`${near}\`?`);
  }

  /** The decision that a value names; undefined, with a diagnostic, when it names none. */
  decision(value: unknown, span: Span): Decision | undefined {
    if (isDecision(value)) return value;
    if (typeof value === "string") {
      this.addUnknown("unknown-decision", span, `\`${value}\` is not a decision`, value, DECISIONS);
    } else this.add("wrong-type", span, "a decision is a string", `use ${listed(DECISIONS)}`);
    return undefined;
  }

  /** Checks a pattern or tool name, which must be text that something can match. */
  pattern(value: unknown, field: string, span: Span): string | undefined {
    if (typeof value !== "string") this.add("wrong-type", span, `\`${field}\` is a string`);
    else if (value === "")
      this.add("bad-pattern", span, `an empty \`${field}\` matches nothing`, "use `*` to match everything");
    else if (value.length > LONGEST_PATTERN)
      this.add("bad-pattern", span, `a \`${field}\` has at most ${LONGEST_PATTERN} characters`);
    else if (value.includes("\0")) this.add("bad-pattern", span, `a \`${field}\` with a NUL matches nothing`);
    else return value;
    return undefined;
  }

  /** Throws a `DiagnosticError` when anything was found. */
  throwIfAny(): void {
    const [first, ...others] = [...this.diagnostics].sort((a, b) => a.span.start - b.span.start);
    if (first !== undefined) throw new DiagnosticError([first, ...others]);
  }
}

const LONGEST_PATTERN = 8192;

/** `a, b or c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
