import type { Decision } from "../decision.ts";
import { type Item, lost, rule } from "./imported.ts";

/** A pattern about a shell command, as another agent has it: its text with `*` for any text. */
export interface ShellPattern {
  readonly text: string;
  readonly decision: Decision;
  /** As it was written there. */
  readonly from: string;
  readonly reason?: string;
}

const OPERATORS = /\s*(?:&&|\|\|?|;|&(?!>)|\n)\s*/;

/**
 * A rule with the same meaning here. There the pattern is compared with the raw text, here with words whose quotes are gone, so an
 * allow is carried only where both are the same, and a restriction is widened rather than lost.
 */
export function shellItems({ text, decision, from, reason }: ShellPattern): readonly Item[] {
  const trimmed = text.trim().replace(/[ \t]+/g, " ");
  const why = reason === undefined ? {} : { reason };
  if (trimmed === "") return [lost(from, "it is empty")];
  if (trimmed.includes("\0")) return [lost(from, "it holds a NUL", decision === "allow" ? undefined : "bash")];
  if (decision === "allow") {
    const obstacle = allowObstacle(trimmed);
    return obstacle === undefined
      ? [rule({ tool: "bash", pattern: trimmed, decision, from, ...why })]
      : [lost(from, obstacle)];
  }
  const parts = trimmed.split(OPERATORS).filter((part) => part !== "" && !/^[*\s]*$/.test(part));
  const [first] = parts;
  if (first === undefined) return [rule({ tool: "bash", pattern: "*", decision, from, ...why })];
  if (parts.length === 1) return [rule({ tool: "bash", pattern: bare(first), decision, from, ...why })];
  const longest = parts.reduce((best, part) => (literalLength(part) > literalLength(best) ? part : best), first);
  const note = `several commands there; here \`${bare(longest)}\` is asked about, since each command is judged by itself`;
  return [rule({ tool: "bash", pattern: bare(longest), decision: "ask", from, note, ...why })];
}

/** A command by its leading words, with anything or nothing behind them. */
export function prefixItems(words: string, decision: Decision, from: string, reason?: string): readonly Item[] {
  return shellItems({ text: `${words} *`, decision, from, ...(reason === undefined ? {} : { reason }) });
}

function allowObstacle(text: string): string | undefined {
  if (/["'\\`]/.test(text))
    return "quotes are gone when words are compared here, so it would allow more: allow the words";
  if (OPERATORS.test(text)) return "each command is judged by itself here: allow them one by one";
  if (text.includes("?")) return "`?` is any character here, so it would allow more";
  if (/[$]/.test(text)) return "what a variable holds is not compared as text here";
  return undefined;
}

/** Quotes and escapes are not there any more when a command is compared, and what an expansion gives may be anything. */
function bare(text: string): string {
  const open = text.replace(/\$\(.*$|`.*$|<\(.*$/s, "*").replace(/\$(?!HOME\b)(?:\w+|\{[^}]*\}?|.)/g, "*");
  return open.replace(/["'\\]/g, "").trim() || "*";
}

function literalLength(text: string): number {
  return text.replace(/[*\s]/g, "").length;
}
