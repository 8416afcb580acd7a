import { DiagnosticError, escapeText, renderDiagnostic } from "../text/index.ts";
import { UsageError } from "./command.ts";
import { usageLine } from "./help.ts";

/** What is said of an error that keeps everything from running. */
export function messageOf(error: unknown): string {
  if (error instanceof UsageError) return `guarded-sh: ${error.message}\n${usageLine(error.verb)}`;
  if (error instanceof DiagnosticError) return error.diagnostics.map(renderDiagnostic).join("\n");
  return `guarded-sh: ${error instanceof Error ? escapeText(error.message) : String(error)}, nothing was run`;
}
