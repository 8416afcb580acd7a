/** The words of an example line: split at blanks, quotes and backslashes as in the shell, nothing expanded. */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)) {
    words.push(
      word.replace(
        /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
        (_, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped,
      ),
    );
  }
  return words;
}
