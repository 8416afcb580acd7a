import { DiagnosticError, escapeText, renderDiagnostic } from "../text/index.ts";
import { UsageError } from "./command.ts";
import { usageLine } from "./help.ts";

/** What is said of an error, with its remedy when it has one; `outcome` is what it came to. */
export function messageOf(error: unknown, outcome: "" | ", nothing was run" = ""): string {
  if (error instanceof UsageError) return `guarded-sh: ${error.message}\n${usageLine(error.verb)}`;
  if (error instanceof DiagnosticError) return error.diagnostics.map(renderDiagnostic).join("\n");
  if (!(error instanceof Error)) return `guarded-sh: ${escapeText(String(error))}${outcome}`;
  const help = "help" in error && typeof error.help === "string" ? `\nhelp: ${escapeText(error.help)}` : "";
  return `guarded-sh: ${escapeText(error.message)}${outcome}${help}`;
}
