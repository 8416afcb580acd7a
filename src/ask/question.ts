import { escapeText, shorten } from "../text/index.ts";
import { type AskPart, type AskRequest, OWN_SESSION, type Proposal } from "./asker.ts";

/** Lines of text after which only the surroundings of what is open are shown at first. */
const MOST_LINES = 120;
const AROUND = 2;

export interface Shown {
  readonly lines: readonly string[];
  /** Something was left out. */
  readonly elided: boolean;
}

/**
 * A question for a terminal of so many columns: the whole text with carets under what is open, everything invisible escaped,
 * runs of blanks collapsed, and why no rule allowed it. `whole`: nothing is left out, however long it is.
 */
export function questionLines(request: AskRequest, columns: number, whole = false): Shown {
  const width = Math.max(20, columns - 2);
  const text = markedText(request.text, request.parts, width);
  const shown = whole || text.length <= MOST_LINES ? { lines: text.flatMap(rowLines), elided: false } : elide(text);
  const head = request.tool === "bash" ? "may this run?" : `may ${escapeText(request.tool)} do this?`;
  return {
    lines: [
      `guarded-sh: ${head}`,
      ...wrap(`in ${request.cwd}${sessionNote(request)}`, width, "  "),
      ...shown.lines,
      ...request.parts.flatMap((part) => reasonLines(part, request, width)),
      ...extraReasons(request).flatMap((reason) => wrap(reason, width, "  ")),
    ],
    elided: shown.elided,
  };
}

function sessionNote({ session }: AskRequest): string {
  return session.startsWith(OWN_SESSION) ? "" : `, session ${session}`;
}

/** One line for a list of requests. */
export function questionSummary({ tool, text }: AskRequest, columns: number): string {
  const line = escapeText(text.replace(/\s+/g, " ").trim());
  return shorten(tool === "bash" ? line : `${tool}: ${line}`, columns);
}

/** A proposal as a person reads it. */
export function proposalText({ tool, pattern, exact }: Proposal): string {
  const named = tool === "bash" ? "" : `${tool} `;
  return escapeText(`${exact ? "exactly " : ""}${named}${pattern}`);
}

function reasonLines({ subject, reason, tool }: AskPart, request: AskRequest, width: number): string[] {
  const named = tool === request.tool ? "" : `${tool} `;
  const what = subject === request.text ? "" : `${named}${shorten(subject.replace(/\s+/g, " "), 60)}: `;
  return wrap(`· ${what}${reason}`, width, "  ");
}

function extraReasons({ reasons, parts }: AskRequest): readonly string[] {
  return reasons.filter((reason) => parts.every((part) => part.reason !== reason)).map((reason) => `· ${reason}`);
}

/** Prose on lines of so many columns, everything invisible escaped. */
function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of escapeText(text).split(" ")) {
    for (const piece of pieces(word, width - indent.length)) {
      if (line !== "" && columnsOf(line) + 1 + columnsOf(piece) > width - indent.length) {
        lines.push(indent + line);
        line = piece;
      } else line = line === "" ? piece : `${line} ${piece}`;
    }
  }
  return [...lines, indent + line];
}

function pieces(word: string, width: number): string[] {
  return word.length <= width ? [word] : (word.match(new RegExp(`.{1,${width}}`, "gsu")) ?? []);
}

/** One line of the screen: what stands on it, and which of it is open. */
interface Row {
  readonly text: string;
  readonly marks: string;
  readonly continued: boolean;
}

interface Cell {
  readonly text: string;
  readonly open: boolean;
}

function markedText(text: string, parts: readonly AskPart[], width: number): readonly Row[] {
  const spans = parts.flatMap(({ span }) => span ?? []);
  const rows: Row[] = [];
  let offset = 0;
  for (const line of collapsedLines(text)) {
    if (line.note !== undefined) rows.push({ text: line.note, marks: "", continued: false });
    else rows.push(...rowsOf(cellsOf(line.text, offset, spans), width - 2));
    offset += line.length;
  }
  return rows;
}

interface Line {
  readonly text: string;
  /** With its newline. */
  readonly length: number;
  /** Stands for lines that are left out. */
  readonly note?: string;
}

const MOST_EMPTY = 2;

/** The lines of a text, many empty ones in a row as one note: they would push what follows off the screen. */
function collapsedLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let empty: Line[] = [];
  const flush = () => {
    const length = empty.reduce((sum, line) => sum + line.length, 0);
    if (empty.length > MOST_EMPTY) lines.push({ text: "", length, note: `[${empty.length} empty lines]` });
    else lines.push(...empty);
    empty = [];
  };
  for (const line of text.split("\n")) {
    const one = { text: line, length: line.length + 1 };
    if (line.trim() === "") empty.push(one);
    else {
      flush();
      lines.push(one);
    }
  }
  flush();
  return lines;
}

const MOST_BLANKS = 7;

/** The characters of a line as they are shown, runs of blanks as one. */
function cellsOf(
  line: string,
  offset: number,
  spans: readonly { readonly start: number; readonly end: number }[],
): Cell[] {
  const cells: Cell[] = [];
  for (const found of line.matchAll(/[ \t]+|[^ \t]/gsu)) {
    const at = offset + found.index;
    const open = spans.some(({ start, end }) => at >= start && at < end);
    const [text] = found;
    if (!/^[ \t]/.test(text)) for (const part of escapeText(text)) cells.push({ text: part, open });
    else
      for (const part of text.length > MOST_BLANKS ? ` [${text.length} blanks] ` : " ")
        cells.push({ text: part, open });
  }
  return cells;
}

function rowsOf(cells: readonly Cell[], width: number): Row[] {
  const rows: Row[] = [];
  let text = "";
  let marks = "";
  let used = 0;
  const flush = () => {
    rows.push({ text, marks: marks.trimEnd(), continued: rows.length > 0 });
    text = "";
    marks = "";
    used = 0;
  };
  for (const cell of cells) {
    const columns = columnsOf(cell.text);
    if (used + columns > width) flush();
    text += cell.text;
    marks += (cell.open ? "^" : " ").repeat(columns);
    used += columns;
  }
  flush();
  return rows;
}

// The text cannot draw these: every line of it stands behind one.
function rowLines({ text, marks, continued }: Row): string[] {
  const line = `${continued ? "╎" : "│"} ${text}`;
  return marks === "" ? [line] : [line, `  ${marks}`];
}

function elide(rows: readonly Row[]): Shown {
  const keep = rows.map((_, i) =>
    rows.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ marks }) => marks !== ""),
  );
  const lines: string[] = [];
  let left = 0;
  let shown = 0;
  const flush = () => {
    if (left > 0) lines.push(`  … ${left} lines`);
    left = 0;
  };
  rows.forEach((row, i) => {
    if ((i === 0 || keep[i]) && shown < MOST_LINES) {
      flush();
      shown++;
      lines.push(...rowLines(row));
    } else left++;
  });
  flush();
  return { lines, elided: true };
}

// East Asian wide characters and emoji take two columns.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : /\p{Mn}/u.test(character) ? 0 : 1;
  return columns;
}
