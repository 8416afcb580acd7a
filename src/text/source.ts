/** A named text that spans point into: the command line, a policy file, a script that was followed. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** A half-open range of UTF-16 offsets into one source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place in a source as people count it: line and column start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The line and column of an offset; an offset past the end is the end. */
export function positionOf(source: Source, offset: number): Position {
  const at = Math.min(Math.max(offset, 0), source.text.length);
  const lineStart = source.text.lastIndexOf("\n", at - 1) + 1;
  let line = 1;
  for (let i = source.text.indexOf("\n"); i >= 0 && i < lineStart; i = source.text.indexOf("\n", i + 1)) line++;
  return { line, column: at - lineStart + 1 };
}

/** The text that a span covers. */
export function textAt(source: Source, span: Span): string {
  return source.text.slice(span.start, span.end);
}
