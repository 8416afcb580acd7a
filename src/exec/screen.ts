import { EscapeParser, type TerminalActions } from "./escapes.ts";
import type { Size } from "./launch.ts";
import {
  deleteColumns,
  emptyRow,
  eraseColumns,
  insertColumns,
  putTab,
  putText,
  type Row,
  rowText,
  textRow,
} from "./row.ts";

/** A line that is still written to is given out in pieces once it is this long, in UTF-16 units. */
const MAX_LINE = 32_768;
const BOX = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";

interface Cursor {
  row: number;
  column: number;
}

/**
 * A terminal screen that is read afterwards: what scrolls off its top goes to `emit` as final text, the rest at
 * `finish`. Lines that are only printed have no right edge, so that a long line stays one line; the edge begins
 * to count when a program addresses the screen. A full-screen program leaves its last screen behind.
 */
export class Screen implements TerminalActions {
  readonly #size: Size;
  readonly #emit: (text: string) => void;
  readonly #parser: EscapeParser;
  #rows: Row[] = [emptyRow()];
  #cursor: Cursor = { row: 0, column: 0 };
  #saved: Cursor = { row: 0, column: 0 };
  #region: { top: number; bottom: number };
  #addressed = false;
  #boxCharset = false;
  #lastCharacter = "";
  /** Final text that was not given out yet. */
  #final = "";
  #main: { rows: Row[]; cursor: Cursor; addressed: boolean } | undefined;

  constructor(size: Size, emit: (text: string) => void) {
    this.#size = size;
    this.#emit = emit;
    this.#parser = new EscapeParser(this);
    this.#region = { top: 0, bottom: size.rows - 1 };
  }

  write(text: string): void {
    if (!this.#writePlain(text)) this.#parser.write(text);
    this.#flush();
  }

  /** Gives out everything that is still on the screen. */
  finish(): void {
    if (this.#main !== undefined) this.#leaveFullScreen();
    this.#final += this.#visibleText();
    this.#flush();
    this.#rows = [emptyRow()];
    this.#cursor = { row: 0, column: 0 };
  }

  /** The line the cursor is on, or the last one above it that is not blank. */
  currentLine(): string {
    for (let at = Math.min(this.#cursor.row, this.#rows.length - 1); at >= 0; at -= 1) {
      const text = rowText(this.#rows[at] ?? emptyRow()).trim();
      if (text !== "") return text.slice(0, 1_000);
    }
    return "";
  }

  text(text: string, narrow: boolean): void {
    const shown = this.#boxCharset ? boxes(text) : text;
    this.#lastCharacter = shown.slice(-1);
    if (this.#addressed) this.#putWithinEdge(shown);
    else this.#putLine(shown, narrow && !this.#boxCharset);
  }

  control(code: number): void {
    switch (code) {
      case 0x08:
        this.#cursor.column = Math.max(0, this.#cursor.column - 1);
        break;
      case 0x09:
        this.#cursor.column = putTab(this.#row(), this.#cursor.column, this.#edge());
        break;
      case 0x0a:
      case 0x0b:
      case 0x0c:
        this.#lineFeed();
        break;
      case 0x0d:
        this.#cursor.column = 0;
        break;
    }
  }

  escape(final: string, intermediate: string): void {
    if (intermediate === "(") this.#boxCharset = final === "0";
    if (intermediate !== "") return;
    switch (final) {
      case "7":
        this.#saved = { ...this.#cursor };
        break;
      case "8":
        this.#cursor = { ...this.#saved };
        break;
      case "D":
        this.#lineFeed();
        break;
      case "E":
        this.#cursor.column = 0;
        this.#lineFeed();
        break;
      case "M":
        this.#reverseLineFeed();
        break;
      case "c":
        this.#reset();
        break;
    }
  }

  sequence(final: string, parameters: readonly number[], mark: string): void {
    if (mark === "?" && (final === "h" || final === "l")) {
      if (parameters.some((mode) => mode === 47 || mode === 1047 || mode === 1049)) this.#switchScreen(final === "h");
      return;
    }
    if (mark !== "") return;
    if (this.#moveCursor(final, parameters)) return;
    this.#change(final, parameters);
  }

  #moveCursor(final: string, [first = 0, second = 0]: readonly number[]): boolean {
    const count = Math.max(1, first);
    const { row, column } = this.#cursor;
    switch (final) {
      case "A":
        return this.#moveTo(row - count, column);
      case "B":
      case "e":
        return this.#moveTo(row + count, column);
      case "C":
      case "a":
        return this.#moveTo(row, Math.max(column, Math.min(column + count, this.#size.columns - 1)));
      case "D":
        return this.#moveTo(row, column - count);
      case "E":
        return this.#moveTo(row + count, 0);
      case "F":
        return this.#moveTo(row - count, 0);
      case "G":
      case "`":
        return this.#moveTo(row, count - 1);
      case "d":
        this.#addressed = true;
        return this.#moveTo(count - 1, column);
      case "H":
      case "f":
        this.#addressed = true;
        return this.#moveTo(count - 1, Math.max(1, second) - 1);
      case "s":
        this.#saved = { ...this.#cursor };
        return true;
      case "u":
        this.#cursor = { ...this.#saved };
        return true;
    }
    return false;
  }

  #change(final: string, [first = 0, second = 0]: readonly number[]): void {
    const count = Math.min(Math.max(1, first), Math.max(this.#size.columns, this.#size.rows));
    const { column } = this.#cursor;
    switch (final) {
      case "J":
        this.#eraseScreen(first);
        break;
      case "K":
        eraseColumns(this.#row(), first === 0 ? column : 0, first === 1 ? column + 1 : Number.POSITIVE_INFINITY);
        break;
      case "X":
        eraseColumns(this.#row(), column, column + count);
        break;
      case "P":
        deleteColumns(this.#row(), column, count);
        break;
      case "@":
        insertColumns(this.#row(), column, count);
        break;
      case "L":
        this.#scrollDown(this.#cursor.row, count);
        break;
      case "M":
        this.#removeRows(this.#cursor.row, count);
        break;
      case "S":
        this.#removeRows(this.#region.top, count);
        break;
      case "T":
        this.#scrollDown(this.#region.top, count);
        break;
      case "b":
        if (this.#lastCharacter !== "") this.text(this.#lastCharacter.repeat(count), false);
        break;
      case "r":
        this.#setRegion(first, second);
        break;
    }
  }

  #flush(): void {
    if (this.#final !== "") this.#emit(this.#final);
    this.#final = "";
  }

  /**
   * Most output is lines of text. A chunk of more lines than the screen has pushes everything off it: only its last
   * lines need to become rows. False if the chunk is anything else.
   */
  #writePlain(input: string): boolean {
    const { rows } = this.#size;
    if (this.#addressed || this.#boxCharset || !this.#parser.inText || this.#region.bottom !== rows - 1) return false;
    if (this.#cursor.row !== this.#rows.length - 1 || this.#cursor.column !== this.#row().width) return false;
    if (NOT_PLAIN.test(input)) return false;
    const lines = input.replaceAll("\r\n", "\n");
    const cut = startOfLastLines(lines, rows);
    if (cut < 0) return false;
    this.#final += this.#rows.slice(0, -1).map(finalText).join("") + rowText(this.#row()) + lines.slice(0, cut);
    this.#rows = lines.slice(cut).split("\n").map(textRow);
    this.#cursor = { row: this.#rows.length - 1, column: this.#rows.at(-1)?.width ?? 0 };
    return true;
  }

  #row(): Row {
    while (this.#rows.length <= this.#cursor.row) this.#rows.push(emptyRow());
    return this.#rows[this.#cursor.row] as Row;
  }

  #edge(): number {
    return this.#addressed ? this.#size.columns - 1 : Number.POSITIVE_INFINITY;
  }

  #moveTo(row: number, column: number): true {
    this.#cursor.row = Math.min(Math.max(0, row), this.#size.rows - 1);
    const right = this.#addressed ? this.#size.columns - 1 : Math.max(this.#size.columns - 1, this.#row().width);
    this.#cursor.column = Math.min(Math.max(0, column), right);
    return true;
  }

  #putLine(text: string, narrow: boolean): void {
    const row = this.#row();
    this.#cursor.column = putText(row, this.#cursor.column, text, narrow);
    if (row.text.length > MAX_LINE || (row.cells?.length ?? 0) > MAX_LINE) this.#emitPart();
  }

  /** A line without an end is given out in pieces; a carriage return then goes back to the last piece only. */
  #emitPart(): void {
    const done = this.#rows.splice(0, this.#cursor.row);
    this.#cursor.row = 0;
    this.#final += done.map(finalText).join("") + rowText(this.#row());
    this.#rows[0] = emptyRow();
    this.#cursor.column = 0;
  }

  /** Prints with the terminal's edge: a full row breaks when the next character comes, not before. */
  #putWithinEdge(text: string): void {
    let rest = [...text];
    while (rest.length > 0) {
      if (this.#cursor.column >= this.#size.columns) {
        this.#row().wrapped = true;
        this.#cursor.column = 0;
        this.#lineFeed();
      }
      const fits = Math.max(1, Math.floor((this.#size.columns - this.#cursor.column) / 2));
      const part = rest.length <= fits ? rest : rest.slice(0, fits);
      this.#cursor.column = putText(this.#row(), this.#cursor.column, part.join(""), false);
      rest = rest.slice(part.length);
    }
  }

  #lineFeed(): void {
    if (this.#cursor.row === this.#region.bottom) this.#scrollUp();
    else if (this.#cursor.row < this.#size.rows - 1) this.#cursor.row += 1;
    this.#row();
  }

  #scrollUp(): void {
    if (this.#main !== undefined || this.#region.top > 0) {
      this.#removeRows(this.#region.top, 1);
      return;
    }
    const top = this.#rows.shift();
    if (top !== undefined) this.#final += finalText(top);
    if (this.#rows.length > this.#region.bottom) this.#rows.splice(this.#region.bottom, 0, emptyRow());
  }

  #reverseLineFeed(): void {
    if (this.#cursor.row === this.#region.top) this.#scrollDown(this.#region.top, 1);
    else this.#moveTo(this.#cursor.row - 1, this.#cursor.column);
  }

  #removeRows(from: number, count: number): void {
    if (from >= this.#rows.length || from > this.#region.bottom) return;
    const removed = Math.min(count, this.#region.bottom - from + 1);
    this.#rows.splice(from, removed);
    if (this.#region.bottom - removed < this.#rows.length) {
      const blanks = Array.from({ length: removed }, emptyRow);
      this.#rows.splice(this.#region.bottom - removed + 1, 0, ...blanks);
    }
  }

  #scrollDown(from: number, count: number): void {
    if (from >= this.#rows.length || from > this.#region.bottom) return;
    const added = Math.min(count, this.#region.bottom - from + 1);
    this.#rows.splice(from, 0, ...Array.from({ length: added }, emptyRow));
    this.#rows.splice(this.#region.bottom + 1, added);
  }

  #setRegion(top: number, bottom: number): void {
    const last = bottom === 0 ? this.#size.rows : Math.min(bottom, this.#size.rows);
    const first = Math.max(1, top);
    if (first >= last) return;
    this.#region = { top: first - 1, bottom: last - 1 };
    this.#addressed = true;
    this.#cursor = { row: 0, column: 0 };
  }

  #eraseScreen(kind: number): void {
    const { row, column } = this.#cursor;
    if (kind === 0) {
      eraseColumns(this.#row(), column, Number.POSITIVE_INFINITY);
      this.#rows.length = Math.min(this.#rows.length, row + 1);
    } else if (kind === 1) {
      for (let at = 0; at < row; at += 1) this.#rows[at] = emptyRow();
      eraseColumns(this.#row(), 0, column + 1);
    } else if (kind === 2) {
      this.#rows = [emptyRow()];
      // `clear`, and then ordinary output again
      if (row === 0 && column === 0 && this.#main === undefined) this.#addressed = false;
    }
  }

  #switchScreen(full: boolean): void {
    if (full === (this.#main !== undefined)) return;
    if (!full) {
      this.#leaveFullScreen();
      return;
    }
    this.#main = { rows: this.#rows, cursor: { ...this.#cursor }, addressed: this.#addressed };
    this.#rows = [emptyRow()];
    this.#cursor = { row: 0, column: 0 };
    this.#addressed = true;
  }

  /** Back to the ordinary screen, with the last full screen printed on it. */
  #leaveFullScreen(): void {
    const lines = this.#visibleText().split("\n");
    if (this.#main !== undefined) {
      this.#rows = this.#main.rows;
      this.#cursor = this.#main.cursor;
      this.#addressed = this.#main.addressed;
      this.#main = undefined;
    }
    this.#region = { top: 0, bottom: this.#size.rows - 1 };
    if (lines.length === 1 && lines[0] === "") return;
    if (this.#row().width > 0) this.#newLine();
    for (const line of lines) {
      this.#cursor.column = putText(this.#row(), 0, line, false);
      this.#newLine();
    }
  }

  #newLine(): void {
    this.#cursor.column = 0;
    this.#lineFeed();
  }

  #reset(): void {
    if (this.#main !== undefined) this.#leaveFullScreen();
    this.#rows = [emptyRow()];
    this.#cursor = { row: 0, column: 0 };
    this.#region = { top: 0, bottom: this.#size.rows - 1 };
    this.#addressed = false;
    this.#boxCharset = false;
  }

  #visibleText(): string {
    const rows = this.#rows.slice(0, -1).map(finalText).join("") + rowText(this.#rows.at(-1) ?? emptyRow());
    // A screen that was drawn on ends where its last character is; printed text keeps its last newlines.
    return this.#addressed ? rows.replace(/[ \t]+$/gm, "").trimEnd() : rows;
  }
}

/** Anything but printable text, tabs and lines that end in CR LF. */
const NOT_PLAIN = /[^\t\n\r\x20-\x7e\u00a0-\uffff]|\r(?!\n)|(?<!\r)\n/;

/** Where the last `rows` lines begin (an unfinished one counts); -1 if there are not more than that. */
function startOfLastLines(text: string, rows: number): number {
  let at = text.length;
  for (let count = 0; count < rows; count += 1) {
    at = text.lastIndexOf("\n", at - 1);
    if (at < 0) return -1;
    if (at === 0) return count === rows - 1 ? 1 : -1;
  }
  return at + 1;
}

function finalText(row: Row): string {
  return row.wrapped ? rowText(row) : `${rowText(row)}\n`;
}

/** The drawing character set of VT100 (`ESC ( 0`): lines and boxes of dialogs. */
function boxes(text: string): string {
  return text.replace(/[`-~]/g, (character) => BOX[character.charCodeAt(0) - 0x60] ?? character);
}
