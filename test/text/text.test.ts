import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DIAGNOSTIC_CODES,
  escapeLines,
  escapeText,
  nearestWord,
  positionOf,
  renderDiagnostic,
  shorten,
  wrapBehind,
  wrapFrom,
  wrapText,
} from "../../src/text/index.ts";

const source = { name: "policy.toml", text: 'a = 1\n  decision = "permit"\nlast' };

test("a position counts lines and columns from 1", () => {
  expect([0, 6, 21, 999].map((offset) => positionOf(source, offset))).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 1 },
    { line: 2, column: 16 },
    { line: 3, column: 5 },
  ]);
});

test("a diagnostic shows place, code, line, caret and help", () => {
  const span = { start: source.text.indexOf("permit"), end: source.text.indexOf("permit") + 6 };
  const diagnostic = {
    code: "unknown-decision",
    severity: "error",
    message: "`permit` is not a decision",
    help: "use allow, ask or deny",
    source,
    span,
  } as const;
  expect(renderDiagnostic(diagnostic).split("\n")).toEqual([
    "policy.toml:2:15: unknown-decision: `permit` is not a decision",
    '2 |   decision = "permit"',
    "  |               ^^^^^^",
    "help: use allow, ask or deny",
  ]);
});

test("a long line is cut around the span", () => {
  const text = `${"x".repeat(500)}HERE${"y".repeat(500)}`;
  const shown = renderDiagnostic({
    code: "bad-request",
    severity: "error",
    message: "m",
    source: { name: "n", text },
    span: { start: 500, end: 504 },
  }).split("\n");
  expect(shown.every((line) => line.length <= 100)).toBe(true);
  expect(shown[1]?.slice(shown[2]?.indexOf("^"), (shown[2]?.lastIndexOf("^") ?? 0) + 1)).toBe("HERE");
});

describe("text from outside is shown with everything invisible made visible", () => {
  test.each([
    ["a\u001b[31mb", "a\\x1b[31mb"],
    ["a\rb\nc\td", "a\\rb\\nc\\td"],
    ["a\u202eb", "a\\u202eb"],
    ["a\u200bb\u00a0c\ufeff", "a\\u200bb\\xa0c\\ufeff"],
    ["grün", "grün"],
  ])("%j", (text, shown) => expect(escapeText(text)).toBe(shown));

  test("lines stay lines", () => expect(escapeLines("a\n\tb\u0007")).toBe("a\n b\\x07"));

  test("nothing that moves a cursor is left", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => !/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(escapeText(text)),
      ),
    );
  });
});

test("the nearest word is offered when it is close", () => {
  const valid = ["allow", "ask", "deny"];
  expect(["alow", "DENY", "permit", "x"].map((word) => nearestWord(word, valid))).toEqual([
    "allow",
    "deny",
    undefined,
    undefined,
  ]);
});

test.each([
  ["claude", "claude-code"],
  ["amaz", "amazon-q"],
  ["am", undefined],
  ["cod", undefined],
])("%s is the beginning of one word: %s", (word, nearest) =>
  expect(nearestWord(word, ["claude-code", "code-x-and-more", "code-y-and-more", "amazon-q"])).toBe(nearest),
);

describe("wrapped text loses nothing", () => {
  const a = (count: number) => "a".repeat(count);
  test.each([
    ["one two three", 9, ["one two", "three"]],
    ["one two three", 7, ["one two", "three"]],
    ["one  two", 20, ["one  two"]],
    ["", 20, [""]],
    [`b ${a(30)} c`, 10, ["b", a(30), "c"]],
    ["x {bb,cccc,dddd}", 8, ["x {bb,", "cccc,", "dddd}"]],
    ["a,b c,d", 4, ["a,b", "c,d"]],
  ])("%j in %i columns", (text, columns, lines) => expect(wrapText(text, columns)).toEqual(lines));

  test("what follows a head stands under its text, what follows a margin further in", () => {
    expect(wrapBehind("help: ", `${a(50)} ${a(50)}`)).toBe(`help: ${a(50)}\n      ${a(50)}`);
    expect(wrapFrom(4, `${a(50)} ${a(50)}`)).toEqual([a(50), `  ${a(50)}`]);
  });
});

test("shortened text says so", () => expect([shorten("abc", 3), shorten("abcd", 3)]).toEqual(["abc", "ab…"]));

test("every code has a sentence", () => {
  expect(Object.values(DIAGNOSTIC_CODES).filter((sentence) => sentence.length < 10)).toEqual([]);
});
