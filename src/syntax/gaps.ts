import { note, opaque, type Region } from "./reader.ts";
import { hasOddCharacter } from "./words.ts";

/** The stretches of one script that were read as words, redirects or other leaves: start and end, in no order. */
export interface Leaves {
  readonly spans: (readonly [start: number, end: number])[];
  /** `[[ … ]]`, in which operators stand between words. */
  readonly tests: (readonly [start: number, end: number])[];
  /** Where the first here-document begins. */
  heredoc: number;
}

export function noLeaves(): Leaves {
  return { spans: [], tests: [], heredoc: Number.POSITIVE_INFINITY };
}

const GLUE = /[ \t\n;&|()<>]+/y;
const CONTINUATION = /\\\n/y;
const RESERVED =
  /(?:if|then|elif|else|fi|do|done|case|esac|while|until|for|select|in|function|time|coproc|\[\[|\]\]|\{|\}|!|--|-p)(?![^\s;&|()<>])/y;
const COMMENT = /#[^\n]*/y;
const HEREDOC_DASH = /-/y;
const TEST_OPERATOR = /-[A-Za-z]{1,2}|[=!]=?~?|&&|\|\|/y;

/**
 * Checks that between the leaves of a script there is nothing but blanks, operators, reserved words and comments. What
 * else stands there was passed over by the parser, and bash may run it.
 */
export function checkGaps(region: Region, leaves: Leaves, start: number, end: number): void {
  const spans =
    leaves.spans.length > 1 && !isSorted(leaves.spans) ? leaves.spans.toSorted((a, b) => a[0] - b[0]) : leaves.spans;
  let at = start;
  let open = 0;
  for (const [from, to] of [...spans, [end, end] as const]) {
    if (from > at) open += checkGap(region, leaves, at, from);
    if (to > at) at = to;
  }
  if (open > 0) note(region, "syntax-error", "a parenthesis that nothing closes", start, end);
}

function isSorted(spans: Leaves["spans"]): boolean {
  for (let i = 1; i < spans.length; i++) if ((spans[i]?.[0] ?? 0) < (spans[i - 1]?.[0] ?? 0)) return false;
  return true;
}

/** Checks one gap; gives how many more parentheses it opens than it closes. */
function checkGap(region: Region, leaves: Leaves, start: number, end: number): number {
  const { text } = region;
  if (start + 1 === end && text[start] === " ") return 0;
  // bash 5.2 keeps `$( … )` as a tree and prints it again before it runs it; behind a here-document it loses a `;`.
  if (region.reprinted && end > leaves.heredoc && text.slice(Math.max(start, leaves.heredoc), end).includes(";"))
    opaque(region, "a `;` after a here-document inside a substitution", start, end);
  let open = 0;
  for (let i = start; i < end; ) {
    const next = Math.min(end, glueEnd(text, i, start) ?? testOperatorEnd(text, i, leaves) ?? -1);
    if (next <= i) {
      opaque(region, "text that the parser passed over", i, Math.min(end, i + 20));
      return 0;
    }
    if (text[i] === "\\") checkContinuation(region, i, next);
    else if (text[i] !== "#") open += balance(text, i, next);
    i = next;
  }
  if (region.reading.oddCharacters && hasOddCharacter(text.slice(start, end)))
    opaque(region, "a carriage return or control character between words", start, end);
  return open;
}

function balance(text: string, start: number, end: number): number {
  let open = 0;
  for (let i = start; i < end; i++) open += text[i] === "(" ? 1 : text[i] === ")" ? -1 : 0;
  return open;
}

/** A line continuation inside an operator: bash joins the two halves, the parser reads two operators. */
function checkContinuation(region: Region, start: number, end: number): void {
  if ("&|;<>".includes(region.text[start - 1] ?? " ") && "&|;<>(-".includes(region.text[end] ?? " "))
    opaque(region, "a line continuation inside an operator", start, end);
}

function glueEnd(text: string, i: number, start: number): number | undefined {
  const glue = take(GLUE, text, i) ?? take(CONTINUATION, text, i) ?? take(RESERVED, text, i);
  if (glue !== undefined) return glue;
  const before = text[i - 1];
  if (text[i] === "#" && beginsComment(text, i, start)) return take(COMMENT, text, i);
  return before === "<" && text[i - 2] === "<" ? take(HEREDOC_DASH, text, i) : undefined;
}

/** bash begins a comment only where a word could begin. */
function beginsComment(text: string, i: number, start: number): boolean {
  let before = i - 1;
  while (before >= 1 && text[before] === "\n" && text[before - 1] === "\\") before -= 2;
  return before < 0 || before < start || " \t\n;&|()<>`".includes(text[before] ?? "");
}

function testOperatorEnd(text: string, i: number, leaves: Leaves): number | undefined {
  return leaves.tests.some(([from, to]) => i >= from && i < to) ? take(TEST_OPERATOR, text, i) : undefined;
}

function take(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
