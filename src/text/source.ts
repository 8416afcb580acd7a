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
  const starts = lineStarts(source);
  let line = 1;
  // Halves: a policy is asked for the lines of its rules as often as they speak.
  for (let last = starts.length; line < last; ) {
    const middle = Math.ceil((line + last) / 2);
    if ((starts[middle - 1] ?? 0) <= at) line = middle;
    else last = middle - 1;
  }
  return { line, column: at - (starts[line - 1] ?? 0) + 1 };
}

const known = new WeakMap<Source, readonly number[]>();

function lineStarts(source: Source): readonly number[] {
  const found = known.get(source);
  if (found !== undefined) return found;
  const starts = [0];
  for (let i = source.text.indexOf("\n"); i >= 0; i = source.text.indexOf("\n", i + 1)) starts.push(i + 1);
  known.set(source, starts);
  return starts;
}

/** The text that a span covers. */
export function textAt(source: Source, span: Span): string {
  return source.text.slice(span.start, span.end);
}
