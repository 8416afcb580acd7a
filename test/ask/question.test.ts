import { describe, expect, test } from "vitest";
import type { AskPart, AskRequest, RequestId } from "../../src/ask/asker.ts";
import { questionLines } from "../../src/ask/question.ts";

function request(text: string, open: readonly string[], reason = "no rule speaks about it"): AskRequest {
  const parts = open.map((subject): AskPart => {
    const start = text.indexOf(subject);
    return { tool: "bash", subject, span: { start, end: start + subject.length }, reason, proposals: [] };
  });
  return {
    id: "r" as RequestId,
    session: "s1",
    project: "/p",
    tool: "bash",
    text,
    cwd: "/p",
    parts,
    reasons: [reason],
    proposals: [],
    policyFiles: [],
    createdAt: "",
  };
}

/** The lines of the text itself. */
function textLines(text: string, open: readonly string[], columns = 80): readonly string[] {
  return questionLines(request(text, open), columns).lines.filter((line) => /^[│╎]|^ +\^/.test(line));
}

describe("what a person reads", () => {
  test("the whole text with carets under what is open, where it is and why it is asked", () => {
    const { lines, elided } = questionLines(request("npm ci && npm publish", ["npm publish"]), 80);
    expect(elided).toBe(false);
    expect(lines).toEqual([
      "guarded-sh: may this run?",
      "  in /p, session s1",
      "│ npm ci && npm publish",
      "            ^^^^^^^^^^^",
      "  · npm publish: no rule speaks about it",
    ]);
  });

  test("control and direction characters as what they are", () => {
    expect(textLines("echo \u001b[2K\u202egnp.exe\u0007", [])).toEqual(["│ echo \\x1b[2K\\u202egnp.exe\\x07"]);
  });

  test("runs of blanks and empty lines collapsed, so that nothing is pushed out of sight", () => {
    expect(textLines(`ls${" ".repeat(500)}; rm -rf x`, ["rm -rf x"])).toEqual([
      "│ ls [500 blanks] ; rm -rf x",
      "                    ^^^^^^^^",
    ]);
    expect(textLines(`ls${"\n".repeat(300)}rm -rf x`, ["rm -rf x"])).toEqual([
      "│ ls",
      "│ [299 empty lines]",
      "│ rm -rf x",
      "  ^^^^^^^^",
    ]);
  });

  test("long lines over several, marked as going on, none wider than the terminal", () => {
    const lines = textLines(`echo ${"x".repeat(200)} && rm y`, ["rm y"], 80);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.map((line) => line[0])).toEqual(["│", "╎", "╎", " "]);
    expect(lines.at(-1)?.trim()).toBe("^^^^");
  });

  test("carets stand under wide characters and behind them", () => {
    expect(textLines("echo 日本 && rm 本", ["rm 本"])).toEqual(["│ echo 日本 && rm 本", "               ^^^^^"]);
  });

  test("a text that looks like the screen stands behind a bar like any other", () => {
    const lines = textLines("cat <<E\n◆  your answer\n  ^^^^ allowed\nE", []);
    expect(lines.every((line) => line.startsWith("│ "))).toBe(true);
  });

  test("a very long text around what is open, and in full when it is wanted", () => {
    const text = [...Array.from({ length: 400 }, (_, i) => `echo ${i}`), "rm x", "echo end"].join("\n");
    const short = questionLines(request(text, ["rm x"]), 80);
    expect(short.elided).toBe(true);
    expect(short.lines).toContain("│ rm x");
    expect(short.lines.length).toBeLessThan(20);
    expect(questionLines(request(text, ["rm x"]), 80, true).lines.length).toBeGreaterThan(400);
  });
});
