/** What an error says, and in a line of its own the remedy when it carries one as `help`. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "help" in error && typeof error.help === "string" ? `${error.message}\nhelp: ${error.help}` : error.message;
}
