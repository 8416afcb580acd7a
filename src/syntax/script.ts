import { type ParsedScript, parse } from "unbash";
import { readStatements } from "./commands.ts";
import { checkGaps, noLeaves } from "./gaps.ts";
import { hasErrors, note, opaque, type Region, spanIn } from "./reader.ts";
import type { Statement } from "./tree.ts";

/** Reads a parsed script that stands from `start` to `end` of its region, and checks that nothing in between was passed over. */
export function readScript(region: Region, script: ParsedScript, start: number, end: number): readonly Statement[] {
  for (const error of script.errors ?? []) noteError(region, error);
  const leaves = noLeaves();
  const statements = readStatements(region, script.commands, leaves);
  checkGaps(region, leaves, start, end);
  // The body of a here-document that begins inside a substitution and ends outside of it: bash warns, and reads on.
  if (leaves.spans.some(([, to]) => to > end)) opaque(region, "text of a script that stands outside of it", start, end);
  return statements;
}

function noteError(region: Region, { message, pos }: { readonly message: string; readonly pos: number }): void {
  const at = Math.min(pos, Math.max(0, region.text.length - 1));
  note(region, "syntax-error", message, at, Math.min(at + 1, region.text.length));
}

/**
 * Reads text that bash rewrote before reading it (the body of backquotes). Where backslashes were removed its offsets
 * are not those of the region, so all of it stands where the body stands.
 */
export function readScriptText(
  region: Region,
  text: string,
  start: number,
  end: number,
  rewritten: boolean,
): readonly Statement[] {
  region.reading.rereads -= text.length;
  if (region.reading.rereads < 0) {
    opaque(region, "too many texts inside backquotes", start, end);
    return [];
  }
  const script = parse(text);
  const inner: Region = rewritten
    ? { ...region, text, fixed: spanIn(region, start, end), shift: 0, reprinted: false }
    : { ...region, text, shift: region.shift + start, reprinted: false };
  // bash finds an error in backquotes only when it runs them; the commands around them have run by then.
  if (hasErrors(script)) opaque(region, "backquotes whose text bash cannot read", start, end);
  return readScript(inner, { ...script, errors: undefined } as ParsedScript, 0, text.length);
}
