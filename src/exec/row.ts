import { columnsOf } from "./width.ts";

/**
 * One row of a screen. Most rows are only ever appended to: those stay one string. A row that is written over
 * becomes cells; a cell holds a character with its combining marks, "" the rest of a wide character or tab.
 */
export interface Row {
  text: string;
  /** Columns in use. */
  width: number;
  cells: (string | undefined)[] | undefined;
  /** The next row continues this line: the terminal's edge broke it, not a newline. */
  wrapped: boolean;
}

/** A row with nothing in it. */
export function emptyRow(): Row {
  return { text: "", width: 0, cells: undefined, wrapped: false };
}

/** A row that holds a line of printable text and tabs. */
export function textRow(text: string): Row {
  const row = { ...emptyRow(), text, width: text.length };
  if (!/^[ -~\u00a0-\u02ff]*$/.test(text)) row.width = cellsOf({ ...row }).length;
  return row;
}

/** The row as text; columns that were jumped over are blanks. */
export function rowText(row: Row): string {
  return row.cells === undefined ? row.text : Array.from(row.cells, (cell) => cell ?? " ").join("");
}

/** Writes printable text from a column on and returns the column behind it. */
export function putText(row: Row, column: number, text: string, narrow: boolean): number {
  if (row.cells === undefined && column === row.width) {
    row.text += text;
    row.width += narrow ? text.length : textColumns(text);
    return row.width;
  }
  // A progress bar writes the whole line again: no need for cells when the new text covers the old.
  if (narrow && column === 0 && text.length >= row.width) {
    row.text = text;
    row.cells = undefined;
    row.width = text.length;
    return row.width;
  }
  return putCells(row, column, text);
}

/** Writes a tab: at the end of a row it is kept as one, since files are read through here. */
export function putTab(row: Row, column: number, limit: number): number {
  const stop = Math.max(column, Math.min((Math.floor(column / 8) + 1) * 8, limit));
  if (column !== row.width) return stop;
  if (row.cells === undefined) {
    row.text += "\t";
  } else if (stop > column) {
    row.cells.push("\t", ...new Array<string>(stop - column - 1).fill(""));
  }
  row.width = stop;
  return stop;
}

/** Blanks the columns from `from` up to `to`; a row that is blanked to its end becomes shorter. */
export function eraseColumns(row: Row, from: number, to: number): void {
  if (from >= row.width) return;
  const cells = cellsOf(row);
  splitGlyphs(cells, from);
  if (to >= row.width) {
    cells.length = from;
  } else {
    splitGlyphs(cells, to);
    cells.fill(undefined, from, to);
  }
  row.width = cells.length;
}

/** Removes `count` columns; what follows moves left. */
export function deleteColumns(row: Row, column: number, count: number): void {
  if (column >= row.width) return;
  const cells = cellsOf(row);
  splitGlyphs(cells, column);
  splitGlyphs(cells, column + count);
  cells.splice(column, count);
  row.width = cells.length;
}

/** Inserts `count` blank columns; what follows moves right. */
export function insertColumns(row: Row, column: number, count: number): void {
  if (column >= row.width) return;
  const cells = cellsOf(row);
  splitGlyphs(cells, column);
  cells.splice(column, 0, ...new Array<undefined>(count).fill(undefined));
  row.width = cells.length;
}

function textColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOf(character.codePointAt(0) ?? 0);
  return columns;
}

function putCells(row: Row, start: number, text: string): number {
  const cells = cellsOf(row);
  let column = start;
  for (const character of text) {
    const columns = columnsOf(character.codePointAt(0) ?? 0);
    if (columns === 0) {
      appendMark(cells, column - 1, character);
      continue;
    }
    splitGlyphs(cells, column);
    splitGlyphs(cells, column + columns);
    while (cells.length < column) cells.push(undefined);
    cells[column] = character;
    if (columns === 2) cells[column + 1] = "";
    column += columns;
  }
  row.width = cells.length;
  return column;
}

function appendMark(cells: (string | undefined)[], column: number, mark: string): void {
  let lead = column;
  while (lead > 0 && cells[lead] === "") lead -= 1;
  if (lead >= 0) cells[lead] = (cells[lead] ?? " ") + mark;
}

/** If a column is the rest of a wide character or tab, the whole of it turns into blanks. */
function splitGlyphs(cells: (string | undefined)[], column: number): void {
  if (cells[column] !== "") return;
  let first = column;
  while (first > 0 && cells[first] === "") first -= 1;
  let last = column;
  while (cells[last + 1] === "") last += 1;
  cells.fill(undefined, first, last + 1);
}

function cellsOf(row: Row): (string | undefined)[] {
  if (row.cells !== undefined) return row.cells;
  const cells: (string | undefined)[] = [];
  for (const character of row.text) {
    const columns = character === "\t" ? 8 - (cells.length % 8) : columnsOf(character.codePointAt(0) ?? 0);
    if (columns === 0) appendMark(cells, cells.length - 1, character);
    else cells.push(character, ...new Array<string>(columns - 1).fill(""));
  }
  row.cells = cells;
  row.text = "";
  return cells;
}
