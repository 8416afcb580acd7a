// Control characters move the cursor, bidirectional ones reorder what is read: both can make a person approve
// something other than what will run. Zero-width and unusual blanks hide where a word ends.
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb]/g;

const NAMED = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escapeCharacter(character: string): string {
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Outside text on one line with everything invisible made visible: `\n`, `\x1b`, `\u202e`. */
export function escapeText(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

/** The same for text of several lines: newlines stay, tabs become one blank. */
export function escapeLines(text: string): string {
  return text
    .split("\n")
    .map((line) => escapeText(line.replaceAll("\t", " ")))
    .join("\n");
}

/** Cuts text to `width` columns (UTF-16 units), the cut marked with `…`. */
export function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
