import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type SubjectWord, subjectWord } from "../../src/policy/subject.ts";
import { compileWildcard, matchesWildcard, matchWords } from "../../src/policy/wildcard.ts";
import { holeValue, type Value, valueFrom } from "../../src/segment/value.ts";

const matches = (pattern: string, text: string, windows = false) =>
  matchesWildcard(compileWildcard(pattern, windows), text);

describe("a wildcard", () => {
  test.each([
    // pattern, texts it matches, texts it does not
    ["*", ["", "a", "a b/c\nd"], []],
    ["rm", ["rm"], ["rm x", "xrm", ""]],
    ["rm *", ["rm", "rm ", "rm x", "rm a b\nc"], ["rmdir", "arm x"]],
    ["rm **", ["rm", "rm x"], ["rmdir"]],
    ["ls*", ["ls", "lsof", "ls -l"], ["als"]],
    ["git * main", ["git checkout main", "git  main"], ["git main", "git checkout dev"]],
    ["git *", ["git", "git push origin"], ["gitk"]],
    ["git * *", ["git x", "git x y"], ["git", "gitk"]],
    ["file?.txt", ["file1.txt", "file😀.txt", "file/.txt"], ["file.txt", "file12.txt"]],
    ["?", ["a", "😀", "\n"], ["", "ab"]],
    ["*?b*", ["ab", "😀b", "xxabyy"], ["b", "a"]],
    ["*.ts", ["a.ts", "a/b.ts", ".ts"], ["a.tsx"]],
    ["a.b+c", ["a.b+c"], ["aXb+c", "a.bbc"]],
    ["(x|y)[z]{1}^$", ["(x|y)[z]{1}^$"], ["x"]],
    ["a*a*b", ["aab", "axaxb"], ["ab", "aaba"]],
    ["*a*", ["a", "bab"], ["", "b"]],
    ["a\\b", ["a\\b"], ["a/b"]],
  ] as const)("%s", (pattern, yes, no) => {
    expect(yes.filter((text) => !matches(pattern, text))).toEqual([]);
    expect(no.filter((text) => matches(pattern, text))).toEqual([]);
  });

  test("on Windows takes backslash for slash and ignores case", () => {
    expect(matches("C:/Windows/*", "c:\\windows\\system32", true)).toBe(true);
    expect(matches("C:\\Windows\\*", "C:/Windows/x", true)).toBe(true);
    expect(matches("C:/Windows/*", "c:\\windows\\system32")).toBe(false);
  });

  test("with many stars answers for a long text", () => {
    expect(matches(`${"a*".repeat(40)}b`, "a".repeat(100_000))).toBe(false);
    expect(matches(`${"*?".repeat(20)}b`, "a".repeat(100_000))).toBe(false);
  });

  test("agrees with a regular expression of the same meaning", () => {
    const piece = fc.constantFrom("*", "?", " ", "a", "b", "/", ".", " *");
    const text = fc.array(fc.constantFrom(" ", "a", "b", "/", ".", "\n", "😀"), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), text, (pieces, characters) => {
        const pattern = pieces.join("");
        expect(matches(pattern, characters.join(""))).toBe(model(pattern).test(characters.join("")));
      }),
      { numRuns: 3000 },
    );
  });
});

function model(pattern: string): RegExp {
  const escaped = pattern
    .replace(/\*{2,}/g, "*")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${escaped.endsWith(" .*") ? `${escaped.slice(0, -3)}( .*)?` : escaped}$`, "su");
}

const hole = { cause: "variable", text: "$x" } as const;
const words = (...values: Value[]): SubjectWord[] => values.map(subjectWord);
const quoted = (...pieces: (string | undefined)[]) =>
  valueFrom(
    pieces.map((piece) => piece ?? hole),
    false,
  );
const split = holeValue(hole, true);

describe("a wildcard and words with holes", () => {
  test.each([
    // pattern, words, answer
    ["rm *", words("rm", quoted(undefined)), "certainly"],
    ["rm *", words("rm", split), "certainly"],
    ["rm -rf *", words("rm", quoted(undefined)), "possibly"],
    ["rm -rf *", words("rm", "-rf", split), "certainly"],
    ["rm -rf /", words("rm", "-rf", quoted(undefined)), "possibly"],
    ["rm ?", words("rm", quoted(undefined)), "possibly"],
    ["rm", words("rm", split), "possibly"],
    ["rm", words("rm", quoted(undefined)), "no"],
    ["git *", words("rm", quoted(undefined)), "no"],
    ["git push*", words("git", split, "push"), "possibly"],
    ["git push *", words("git", split, "push"), "possibly"],
    ["rm x", words(split, "rm", "x"), "possibly"],
    ["*", words(split), "certainly"],
    ["* x", words(split, "x"), "possibly"],
    ["*.ts", words("cat", quoted("src/", undefined, ".ts")), "certainly"],
    ["*.ts", words("cat", quoted("src/", undefined, ".js")), "no"],
    ["* a*b *", words("x", quoted("a", undefined, "b"), "c"), "certainly"],
  ] as const)("%s against %j: %s", (pattern, subject, answer) => {
    expect(matchWords(compileWildcard(pattern), subject)).toBe(answer);
  });

  test("no filling turns a no into a match, nor a certainty into a miss", () => {
    const literal = fc.constantFrom("a", "b", "rm", "-r", "/", "x.ts");
    const piece = fc.oneof(literal, fc.constant(undefined));
    const word = fc.record({ pieces: fc.array(piece, { minLength: 1, maxLength: 3 }), splits: fc.boolean() });
    const filling = fc.array(fc.constantFrom("", "a", "b", " ", "rm", "-r", "/", "a b"), {
      minLength: 12,
      maxLength: 12,
    });
    const pattern = fc.array(fc.constantFrom("a", "b", "rm", "-r", "*", "?", " ", " *", "/"), { maxLength: 6 });
    fc.assert(
      fc.property(
        pattern,
        fc.array(word, { minLength: 1, maxLength: 4 }),
        filling,
        fc.boolean(),
        (parts, line, texts, drop) => {
          const wildcard = compileWildcard(parts.join(""));
          const subject = line.map(({ pieces, splits }) =>
            subjectWord(
              valueFrom(
                pieces.map((part) => part ?? hole),
                splits,
              ),
            ),
          );
          const answer = matchWords(wildcard, subject);
          const filled = matchesWildcard(wildcard, fill(line, texts, drop));
          if (answer === "no") expect(filled).toBe(false);
          if (answer === "certainly") expect(filled).toBe(true);
        },
      ),
      { numRuns: 6000 },
    );
  });

  test("has an answer when there is too much to search", () => {
    const long = quoted("a".repeat(60_000), undefined);
    expect(matchWords(compileWildcard(`${"a*".repeat(100)}b`), words(long))).toBe("possibly");
  });
});

interface Line {
  readonly pieces: readonly (string | undefined)[];
  readonly splits: boolean;
}

/** The words with texts in place of holes; a word of empty unquoted holes is no word. */
function fill(line: readonly Line[], texts: readonly string[], drop: boolean): string {
  let next = 0;
  const filled = line.flatMap(({ pieces, splits }) => {
    const onlyHoles = pieces.every((piece) => piece === undefined);
    const text = pieces.map((piece) => piece ?? texts[next++ % texts.length]).join("");
    return splits && onlyHoles && (drop || text === "") ? [] : [text];
  });
  return filled.join(" ");
}
