/** Columns of a line that people read. */
export const WIDTH = 100;

/** Columns that a text gets however deep its margin is. */
const LEAST = 40;

const HANG = "  ";

/**
 * A text in lines of at most so many columns, parted at blanks, and behind the commas of a word that is wider. Nothing is cut: what has
 * neither stands whole on a line of its own.
 */
export function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of text.split(/(?<= )/).flatMap((word) => (word.length > columns ? word.split(/(?<=,)/) : word))) {
    if (line === "" || (line + piece).trimEnd().length <= columns) line += piece;
    else {
      lines.push(line.trimEnd());
      line = piece;
    }
  }
  return [...lines, line];
}

/** The lines of a text that starts in a column; those behind the first are set in, so that it is told from the next one. */
export function wrapFrom(column: number, text: string): readonly string[] {
  const lines = wrapText(text, Math.max(LEAST, WIDTH - column - HANG.length));
  return lines.map((line, i) => (i === 0 ? line : `${HANG}${line}`));
}

/** `head text` on as many lines as it takes, the text in one column. */
export function wrapBehind(head: string, text: string): string {
  const lines = wrapText(text, Math.max(LEAST, WIDTH - head.length));
  return head + lines.join(`\n${" ".repeat(head.length)}`);
}
