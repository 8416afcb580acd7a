import type { Redirection } from "unbash";
import type { Leaves } from "./gaps.ts";
import { countOne, type FoundAt, findExpansions, note, opaque, type Region, spanIn } from "./reader.ts";
import type { Redirect, Word } from "./tree.ts";
import { emptyWord, readWord } from "./words.ts";

/**
 * Reads one redirect. `end` is where it ends when something glued to it belongs to its target, `before` where a word
 * begins that may be its descriptor.
 */
export function readRedirect(
  region: Region,
  node: Redirection,
  leaves: Leaves,
  end = node.end,
  found?: () => FoundAt,
  before = node.pos,
): Redirect {
  countOne(region, node.pos);
  const glued = /^\{[A-Za-z_]\w*\[.*\]\}$/s.test(region.text.slice(before, node.pos)) ? before : node.pos;
  leaves.spans.push([glued, end]);
  const descriptor = glued < node.pos ? subscripted(region, glued, node.pos) : readDescriptor(region, node);
  const span = spanIn(region, glued, end);
  const lookup = found ?? (() => findExpansions([node]));
  if (node.type === "HereDoc")
    return { operator: node.operator, ...descriptor, span, target: readHeredoc(region, node, leaves) };
  const target =
    node.target === undefined ? emptyWord(region, end) : readWord(region, node.target.pos, end, "word", lookup);
  noteOddRedirect(region, node, end);
  return { operator: node.operator, ...descriptor, span, target };
}

function readDescriptor(
  region: Region,
  node: Redirection,
): { readonly descriptor: string; readonly subscript: Word | undefined } {
  const { descriptor } = node;
  if (descriptor === undefined) return { descriptor: "", subscript: undefined };
  const text = region.text.slice(descriptor.pos, descriptor.end);
  // bash takes a number that does not fit for a word.
  if (descriptor.type === "FileDescriptor" && text.length > 9)
    opaque(region, "a descriptor too large for bash", descriptor.pos, descriptor.end);
  if (descriptor.type === "FileDescriptor" || !text.includes("[")) return { descriptor: text, subscript: undefined };
  return subscripted(region, descriptor.pos, descriptor.end);
}

function subscripted(
  region: Region,
  start: number,
  end: number,
): { readonly descriptor: string; readonly subscript: Word } {
  const text = region.text.slice(start, end);
  const subscript = readWord(
    region,
    start + text.indexOf("[") + 1,
    start + text.lastIndexOf("]"),
    "subscript",
    () => new Map(),
  );
  return { descriptor: text, subscript };
}

/** `>&-x`: bash closes the descriptor and reads the rest as a word. */
function noteOddRedirect(region: Region, node: Redirection, end: number): void {
  if (node.type !== "Redirect" || node.target === undefined || !/^[<>]&$/.test(node.operator)) return;
  const text = region.text.slice(node.target.pos, end);
  if (/^-.|^\d+-./.test(text)) opaque(region, "text after `>&-`", node.pos, end);
}

type ParsedHeredoc = Extract<Redirection, { type: "HereDoc" }>;

function readHeredoc(region: Region, node: ParsedHeredoc, leaves: Leaves): Word {
  const { body, delimiter, closing } = node;
  leaves.heredoc = Math.min(leaves.heredoc, node.pos);
  leaves.spans.push([body.pos, body.end]);
  if (closing) leaves.spans.push([closing.pos, closing.end]);
  if (delimiter !== undefined && isOpenQuote(delimiter.text))
    note(region, "syntax-error", "a quote that nothing closes", node.pos, node.end);
  if (closing === undefined && region.reading.depth > 0)
    opaque(region, "a here-document that its substitution cuts off", node.pos, node.end);
  // bash compares the line as it is, and without its tabs: either ends the text.
  if (node.operator === "<<-" && /\t|\$'/.test(delimiter?.text ?? ""))
    opaque(region, "a tab in the delimiter of a here-document that drops tabs", node.pos, node.end);
  const quoted = delimiter?.quoted === true;
  const raw = region.text.slice(body.pos, body.end);
  if (closing === undefined && delimiter === undefined)
    note(region, "syntax-error", "a here-document without a delimiter", node.pos, node.end);
  const word = quoted
    ? {
        text: raw,
        span: spanIn(region, body.pos, body.end),
        parts: [{ kind: "literal", value: raw, quoted: true } as const],
        braces: undefined,
      }
    : readWord(region, body.pos, body.end, "heredoc", () => findExpansions([body]));
  return node.operator === "<<-" ? withoutTabs(word) : word;
}

function isOpenQuote(text: string): boolean {
  return /["'`]/.test(text.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`/gs, ""));
}

/** `<<-` drops the tabs in front of every line. */
function withoutTabs(word: Word): Word {
  const parts = word.parts.map((part) =>
    part.kind === "literal" ? { ...part, value: part.value.replace(/^\t+/gm, "") } : part,
  );
  return { ...word, parts };
}
