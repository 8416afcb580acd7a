import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, quoteWords, type SimpleCommand } from "../../src/syntax/index.ts";

function diagnosticCodes(text: string): string[] {
  return [...new Set(parse({ name: "t", text }).diagnostics.map(({ code }) => code))];
}

describe.each([
  [
    "syntax-error",
    [
      "ls )",
      "ls (",
      "'a",
      '"a',
      "a ;; b",
      "if a",
      "for x in; do",
      "$(a",
      "`a",
      "a | | b",
      "ls +(a)",
      "{ a",
      "case x in",
      "a &&",
      '<<"',
      "echo $(if)",
    ],
  ],
  ["nul-byte", ["\0", "a\0b"]],
  [
    "limit-exceeded",
    [
      "x".repeat(1024 * 1024 + 1),
      "é".repeat(600_000),
      "(".repeat(401),
      `${"$(".repeat(100)}a${")".repeat(100)}`,
      "{1..5000}",
      `a ${"b ".repeat(100_001)}`,
      "a;".repeat(40_001),
    ],
  ],
  [
    "opaque-text",
    [
      "a\rb",
      "a 2\\\n>f",
      "((a\n<<E\nE\n); b)",
      "a >&-b",
      "a >&1-b",
      "a <<-'\tE'\n\tE\nb",
      "a <<-\\\tE\n\tE\nb",
      "a <<-$'\\tE'\n\tE\nb",
    ],
  ],
] as const)("%s", (code, texts) => {
  test.each(texts.map((text) => [text.length > 40 ? `${text.slice(0, 20)}… (${text.length})` : text, text]))(
    "%j",
    (_shown, text) => {
      expect(diagnosticCodes(text)).toContain(code);
    },
  );
});

test.each([
  "",
  "# only a comment",
  "a",
  "a; b\n",
  "cat <<E\nx\nE",
  'echo "$(a "b")"',
  "[[ a == *.[ch] ]]",
  "[[ a =~ ^(x|y)$ ]]",
  "case a in (a|b) c;; esac",
  "x=(1 2)",
  "echo a#b # c",
  "a \\\n  b",
  "echo 'nbsp\u00a0here'",
  "shopt -s extglob\nls +(a|b)",
  "! a",
  "time -p a",
])("%j is read without a doubt", (text) => expect(diagnosticCodes(text)).toEqual([]));

test("an error names its place", () => {
  const [diagnostic] = parse({ name: "t", text: "ls\n  )" }).diagnostics;
  expect([diagnostic?.code, diagnostic?.span.start]).toEqual(["syntax-error", 5]);
});

test("no text makes it throw", () => {
  const piece = fc.constantFrom(
    "$(",
    ")",
    "((",
    "`",
    "'",
    '"',
    "<<E\n",
    "E\n",
    "${",
    "}",
    "{",
    "a",
    " ",
    "\\",
    "\n",
    ";",
    "&",
    "|",
    ">",
    "<(",
    "[[ ",
    " ]]",
    "case x in ",
    "esac",
    "x=(",
    "#",
    "\u0000",
    "\ud800",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      parse({ name: "t", text: pieces.join("") });
    }),
    { numRuns: 2000 },
  );
});

test("words that are quoted are read back as they were", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { minLength: 1, maxLength: 4 }), (given) => {
      const words = given.map((word) => word.replaceAll("\0", ""));
      const script = parse({ name: "t", text: quoteWords(["e", ...words]) });
      const command = script.statements[0]?.command as SimpleCommand;
      const read = command.words
        .slice(1)
        .map((word) => word.parts.map((part) => (part.kind === "literal" ? part.value : "?")).join(""));
      expect(read).toEqual(words);
    }),
    { numRuns: 500 },
  );
});
