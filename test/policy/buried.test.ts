import { describe, expect, test } from "vitest";
import { agentNamed, type Agent, importRules, renderToml } from "../../src/policy/import/index.ts";
import type { Document } from "../../src/policy/index.ts";
import { lintDocument } from "../../src/policy/lint/index.ts";
import { CWD, ENV, HOME, judge, policyOf, policyOfToml } from "./judge.ts";

const lastMatch = (...lines: string[]) => policyOf(lines, "ask", "last-match");

describe("where the last match decides, a deny in front of a wider allow", () => {
  test.each([
    [["deny git push *", "allow git *"], "git push origin main"],
    [["ask *", "deny git push *", "allow git *"], "sudo git push"],
    [["deny find * -delete*", "allow find *"], "find . -name x -delete"],
    [["allow rm *", "deny rm -rf *", "allow rm *"], "rm -fr x"],
  ])("%j still counts for `%s`", (lines, text) => {
    const { decision, verdicts } = judge(text, lastMatch(...lines));
    const kinds = verdicts.flatMap(({ because }) => because.map(({ kind }) => kind));
    expect([decision, kinds.includes("buried-deny")]).toEqual(["deny", true]);
  });

  test.each([
    [["deny git push *", "allow *"], "git push", "allow"], // `*` undoes all
    [["deny git push *", "allow git push *"], "git push", "allow"], // as does the same pattern
    [["deny git push *", "allow git push origin *"], "git push origin main", "allow"], // an exception
    [["ask git push *", "allow git *"], "git push", "allow"], // a question is no refusal
    [["deny git push *", "allow git *"], "git status", "allow"],
  ])("%j: `%s` → %s", (lines, text, decision) => {
    expect(judge(text, lastMatch(...lines)).decision).toBe(decision);
  });

  test("where the first match decides, order is all", () => {
    expect(judge("git push", policyOf(["allow git *", "deny git push *"])).decision).toBe("allow");
  });

  test("is imported in front of it", () => {
    const source = JSON.stringify({ permission: { bash: { "git push *": "deny", "git *": "allow" } } });
    const policy = policyOfToml(renderToml(importRules(agentNamed("opencode") as Agent, source), "opencode.json"));
    expect(judge("git push origin", policy).decision).toBe("deny");
    expect(judge("git status", policy).decision).toBe("allow");
  });

  test("is named by lint", () => {
    const document = lastMatch("deny git push *", "allow git *").documents[0] as Document;
    const found = lintDocument(document, { cwd: CWD, home: HOME, env: ENV });
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      ["shadowed-rule", expect.stringContaining("stands in front of allow `git *`")],
    ]);
  });
});
