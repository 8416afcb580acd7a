import { parse as parseText } from "unbash";
import { type Diagnostic, type DiagnosticCode, LIMITS, type Source } from "../text/index.ts";
import { type Reading, type Region, TooMuch } from "./reader.ts";
import { readScript } from "./script.ts";
import type { Script } from "./tree.ts";
import { hasOddCharacter } from "./words.ts";

/**
 * Reads a text as bash would. Whatever is not surely read so is a diagnostic: `syntax-error`, `limit-exceeded` or
 * `nul-byte` when bash would not run all of it, `opaque-text` when bash and the parser may differ. Never throws.
 */
export function parse(source: Source): Script {
  const refusal = refuse(source);
  if (refusal !== undefined) return { source, statements: [], diagnostics: [refusal] };
  try {
    return parseWhole(source);
  } catch (error) {
    if (error instanceof TooMuch) {
      const { message, span } = error;
      return { source, statements: [], diagnostics: [diagnose(source, "limit-exceeded", message, span.start)] };
    }
    if (error instanceof RangeError)
      return {
        source,
        statements: [],
        diagnostics: [diagnose(source, "limit-exceeded", "constructs too deep to follow", 0)],
      };
    throw error;
  }
}

function parseWhole(source: Source): Script {
  const { text } = source;
  const script = parseText(text);
  const reading: Reading = {
    source,
    diagnostics: [],
    extglobFrom: extglobFrom(text),
    oddCharacters: hasOddCharacter(text),
    rereads: Math.max(100_000, text.length * 4),
    counted: 0,
    words: 0,
    depth: 0,
  };
  const region: Region = { reading, text, fixed: undefined, shift: 0, reprinted: false };
  const statements = readScript(region, script, 0, text.length);
  return { source, statements, diagnostics: reading.diagnostics };
}

/** bash reads line by line: an option is in force from the line after the one that sets it. */
function extglobFrom(text: string): number {
  const named = text.indexOf("extglob");
  const line = named < 0 ? -1 : text.indexOf("\n", named);
  return line < 0 ? Number.POSITIVE_INFINITY : line;
}

/** The reasons not to parse at all, cheapest first. */
function refuse(source: Source): Diagnostic | undefined {
  const { text } = source;
  if (
    text.length > LIMITS.textBytes ||
    (text.length > LIMITS.textBytes / 3 && Buffer.byteLength(text) > LIMITS.textBytes)
  )
    return diagnose(source, "limit-exceeded", `the text is longer than ${LIMITS.textBytes} bytes`, 0);
  const nul = text.indexOf("\0");
  if (nul >= 0) return diagnose(source, "nul-byte", "a NUL character cannot be given to bash", nul);
  const deep = deepestAt(text);
  if (deep !== undefined)
    return diagnose(source, "limit-exceeded", "too many constructs inside each other or left open", deep);
  const documents = [...text.matchAll(HERE_DOCUMENT)];
  const last = documents.length > LIMITS.hereDocuments ? documents.at(-1) : undefined;
  return last && diagnose(source, "limit-exceeded", `more than ${LIMITS.hereDocuments} here-documents`, last.index);
}

function diagnose(source: Source, code: DiagnosticCode, message: string, at: number): Diagnostic {
  return { code, severity: "error", message, source, span: { start: at, end: Math.min(at + 1, source.text.length) } };
}

// The parser takes quadratic time on those whose bodies have not come yet.
const HERE_DOCUMENT = /(?<!<)<<(?!<)/g;

const OPEN = /[({]|\$\[/;

/**
 * Where more brackets are open than any honest text has, counted without regard to quotes. The parser takes quadratic
 * time on openers that nothing closes, and a recursive reader runs out of stack on deep ones.
 */
function deepestAt(text: string): number | undefined {
  if (!OPEN.test(text)) return undefined;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 40 || c === 123 || (c === 91 && text.charCodeAt(i - 1) === 36)) {
      if (++depth > LIMITS.openersOfRefused) return i;
    } else if ((c === 41 || c === 125 || (c === 93 && depth > 0)) && depth > 0) depth--;
  }
  return undefined;
}
