import { parse, type Statement } from "../syntax/index.ts";
import { LIMITS, type Span } from "../text/index.ts";
import { addFinding, type Collection, type Place } from "./collect.ts";
import { checkDialect } from "./dialect.ts";
import type { Ends, Flow } from "./flow.ts";
import { walkLines } from "./lines.ts";
import type { Dynamic } from "./value.ts";
import { definitionsIn, mayChange } from "./writers.ts";

/**
 * Reads a text as a script and goes through it. What cannot be read is a finding: for the command line itself on the
 * whole text, for a script inside it on the segment that runs it.
 */
export function walkScript(
  collection: Collection,
  text: string,
  name: string,
  flow: Flow,
  place: Place,
): Ends | undefined {
  const span = place.fixed ?? { start: 0, end: text.length };
  // A followed file is as long as it is; what stands in the text itself can only be read over so often.
  if (place.origin === "script") collection.scriptBudget -= text.length;
  if (place.scripts > LIMITS.nesting || collection.scriptBudget < 0) {
    addFinding(collection, "limit-exceeded", "too many scripts inside each other", span, place.parent);
    return undefined;
  }
  checkDialect(collection, text, flow.dialect, place);
  const script = parse(place.parent === undefined ? collection.source : { name, text });
  for (const diagnostic of script.diagnostics) {
    if (place.parent === undefined) collection.diagnostics.push(diagnostic);
    if (isParseCode(diagnostic.code))
      noteDiagnostic(collection, diagnostic.code, diagnostic.message, place.fixed ?? diagnostic.span, place.parent);
  }
  // What a script inside changes in the shell around it, that one changes for it as well.
  const all = place.script.length === 0 ? script.statements : [...place.script, ...script.statements];
  const known = withFunctionsOf(collection, script.statements, flow);
  return walkLines(collection, text, script.statements, known, { ...place, script: all });
}

/** What stands in front may call a function that is defined behind it, once it is called itself: each of them may be there. */
function withFunctionsOf(collection: Collection, statements: readonly Statement[], flow: Flow): Flow {
  const defined = definitionsIn(statements);
  if (defined.length === 0) return flow;
  const functions = new Map(flow.functions);
  for (const { name, body } of defined) {
    collection.writers.define(name, mayChange(collection, [{ command: body, background: false }]));
    if (!functions.has(name)) functions.set(name, false);
  }
  return { ...flow, functions };
}

/** What a script inside another command cannot be read as is that command's matter: bash reads the text around it. */
function noteDiagnostic(
  collection: Collection,
  code: ParseCode,
  message: string,
  span: Span,
  parent: number | undefined,
): void {
  if (parent === undefined || code === "limit-exceeded") addFinding(collection, code, message, span, parent);
  else addFinding(collection, "opaque-script", `a script that cannot be read: ${message}`, span, parent);
}

type ParseCode = "syntax-error" | "limit-exceeded" | "nul-byte" | "opaque-text";

function isParseCode(code: string): code is ParseCode {
  return code === "syntax-error" || code === "limit-exceeded" || code === "nul-byte" || code === "opaque-text";
}

const UNKNOWN_TEXT = "$" + "{_}";

/** A script text with its holes as expansions of a variable nobody knows, so that the known part can be judged. */
export function openScript(text: Dynamic): string {
  return text.pieces.map((piece) => (typeof piece === "string" ? piece : UNKNOWN_TEXT)).join("");
}
