import { describe, expect, test } from "vitest";
import { Screen } from "../../src/exec/screen.ts";

function shown(input: string, size = { columns: 20, rows: 5 }, pieces: readonly string[] = [input]): string {
  let text = "";
  const screen = new Screen(size, (part) => {
    text += part;
  });
  for (const piece of pieces) screen.write(piece);
  screen.finish();
  return text;
}

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`);
const printed = (count: number) => `${lines(1, count).join("\r\n")}\r\n`;

const CASES: readonly (readonly [string, string, string])[] = [
  // what, written, read
  ["text stays as it is", "hi", "hi"],
  ["CR LF becomes LF", "a\r\nb\r\n", "a\nb\n"],
  ["blank lines are kept", "\r\na\r\n\r\n\r\n", "\na\n\n\n"],
  ["a tab is kept", "a\tb\t\tc\r\n", "a\tb\t\tc\n"],
  ["a trailing blank is kept", "a  \r\n", "a  \n"],
  ["colours vanish", "\x1b[1;31mred\x1b[0m \x1b[38;5;9mx\x1b[m \x1b[38:2::1:2:3my\x1b[m", "red x y"],
  ["a title vanishes", "\x1b]0;title\x07a\x1b]2;t\x1b\\b", "ab"],
  ["a link keeps its text", "\x1b]8;;http://x/\x1b\\text\x1b]8;;\x1b\\", "text"],
  ["a device string vanishes", "a\x1bPq#0;1\r\nxx\x1b\\b", "ab"],
  ["bell, NUL and delete vanish", "a\x07\0b\x7fc", "abc"],
  ["a progress line ends as its last frame", "10%\r50%\r100%\r\ndone\r\n", "100%\ndone\n"],
  ["a shorter frame leaves the rest of the longer", "abcdef\rxy", "xycdef"],
  ["erase to the end of the line", "abcdef\rxy\x1b[K", "xy"],
  ["erase the line", "abcdef\x1b[2K\rxy", "xy"],
  ["a spinner by backspace", "|\b/\b-\b\\\bok", "ok"],
  ["frames of several lines", "a 1\r\nb 1\r\n\x1b[2Aa 2\r\nb 2\r\n", "a 2\nb 2\n"],
  ["one line above is rewritten", "a 1\r\nb 1\r\n\x1b[2A\x1b[2Ka 22\x1b[2B\r", "a 22\nb 1\n"],
  ["cursor to a column", "abc\x1b[2GX", "aXc"],
  ["cursor forward leaves blanks", "a\x1b[3Cb", "a   b"],
  ["clear, then text", "old\r\nold\r\n\x1b[H\x1b[2J\x1b[3Jnew\r\n", "new\n"],
  ["an addressed screen ends as its last", "\x1b[H\x1b[Ja\r\nb\r\n\x1b[H\x1b[Jc\r\nd\r\n", "c\nd"],
  ["positions", "\x1b[2J\x1b[2;3Hx\x1b[1;1Hy", "y\n  x"],
  [
    "a full-screen program leaves its last screen",
    "a\r\n\x1b[?1049h\x1b[Hone\x1b[H\x1b[2Jtwo\x1b[?1049lb\r\n",
    "a\ntwo\nb\n",
  ],
  ["a full-screen program that is killed", "a\r\n\x1b[?1049h\x1b[3;2Htwo", "a\n\n\n two\n"],
  ["save and restore the cursor", "a\x1b7b\x1b8c", "ac"],
  ["delete and insert characters", "abcd\r\x1b[2P\x1b[1@", " cd"],
  ["repeat a character", "a\x1b[3b", "aaaa"],
  ["insert and delete lines", "a\r\nb\r\nc\x1b[2A\x1b[L\x1b[3B\x1b[M", "\na\nb"],
  ["box drawing", "\x1b(0lqk\x1b(B-", "┌─┐-"],
  ["wide characters take two columns", "你好\rab", "ab好"],
  ["half of a wide character becomes a blank", "你好\ra", "a 好"],
  ["a combining mark stays on its letter", "e\u0301x\rE", "Ex"],
  ["a tab that is written over becomes blanks", "a\tb\rxyz", "xyz     b"],
  ["an unknown sequence vanishes", "a\x1b[?2004h\x1b[>4;2mb\x1b[5n\x1b=c", "abc"],
  ["a title without an end does not hide the next line", "\x1b]0;never ends\nshown", "\nshown"],
  ["a sequence without an end does not hide the text", `\x1b[${"1".repeat(300)}shown`, `${"1".repeat(44)}shown`],
  ["invalid positions do not grow the screen", "\x1b[99999;99999Hx", "\n\n\n\n                   x"],
  ["8-bit controls vanish", "a\u0085\u009bb", "ab"],
  ["more lines than the screen has", printed(12), `${lines(1, 12).join("\n")}\n`],
  [
    "what scrolled away is out of reach",
    `${printed(8)}\x1b[99AX`,
    "line 1\nline 2\nline 3\nline 4\nXine 5\nline 6\nline 7\nline 8\n",
  ],
  ["a long line stays one line", `${"x".repeat(50)}\r\n`, `${"x".repeat(50)}\n`],
  ["a long progress line too", `${"x".repeat(50)}\r${"y".repeat(50)}`, "y".repeat(50)],
  ["on an addressed screen the edge breaks it, and it is read as one", `\x1b[1;1H${"x".repeat(50)}`, "x".repeat(50)],
  ["a scroll region keeps its frame", "\x1b[2;3rtop\r\na\r\nb\r\nc", "top\nb\nc"],
];

describe("the screen", () => {
  test.each(CASES)("%s", (_, written, read) => {
    expect(shown(written)).toBe(read);
  });

  test.each(CASES)("reads the same a character at a time: %s", (_, written, read) => {
    expect(shown(written, undefined, [...written])).toBe(read);
  });

  test("reads lines the same whole and in pieces of any size", () => {
    const text = Array.from({ length: 200 }, (_, at) => `${"ab\t".repeat(at % 7)}${at}`).join("\r\n");
    const expected = text.replaceAll("\r\n", "\n");
    for (const size of [1, 2, 3, 7, 100, 4_095]) {
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      expect(shown(text, undefined, pieces)).toBe(expected);
    }
  });

  test("gives the line of a question", () => {
    const screen = new Screen({ columns: 80, rows: 24 }, () => {});
    screen.write("a\r\nSure? [y/N] ");
    expect(screen.currentLine()).toBe("Sure? [y/N]");
  });

  test("keeps no more than its rows and one piece of a line", () => {
    let longest = 0;
    let bytes = 0;
    const screen = new Screen({ columns: 80, rows: 24 }, (part) => {
      longest = Math.max(longest, part.length);
      bytes += part.length;
    });
    for (let at = 0; at < 2_000; at += 1) screen.write("x".repeat(4_096));
    screen.finish();
    expect({ bytes, small: longest < 65_536 }).toEqual({ bytes: 2_000 * 4_096, small: true });
  });
});
