import { afterAll, describe, expect, test } from "vitest";
import { applyGrants } from "../../src/ask/apply-grants.ts";
import { grantRule } from "../../src/ask/grant-rules.ts";
import { settingOf } from "../../src/ask/proposals.ts";
import { check } from "../../src/guard.ts";
import { guardIn, makePlace, type RuleLine } from "./place.ts";

const place = makePlace();
afterAll(place.remove);

/** The decision on a text when `grants` are there: a pattern, `= text` for an exact one, `tool: pattern`. */
function decided(text: string, grants: readonly string[], rules: readonly RuleLine[] = [], otherwise = "ask") {
  const guard = guardIn(place, rules, otherwise);
  const { segmentation, evaluation } = check(guard, text);
  const given = grants.map((line) => {
    const [, equal, tool = "bash", pattern = ""] = /^(= )?(?:(\w+): )?(.*)$/s.exec(line) ?? [];
    return grantRule({ tool, pattern, exact: equal !== undefined }, settingOf(guard.context));
  });
  return applyGrants({ segmentation, evaluation, context: guard.context }, given).evaluation.decision;
}

describe("a grant answers an ask", () => {
  test.each([
    ["git push", ["git push *"]],
    ["git push origin main", ["git push *"]],
    ["git push $BRANCH", ["git push *"]],
    ["cd sub && git push | cat", ["cd *", "git push *", "cat *"]],
    ["/bin/ls -l", ["ls *"]],
    ["FOO=1 git push", ["git push *"]],
    ["echo 'a*b'", ["= echo a*b"]],
    ["PYTHONPATH=lib python3 t.py", ["= PYTHONPATH=lib python3 t.py"]],
    ["sort --compress-program=gzip f", ["= sort --compress-program=gzip f", "gzip *"]],
    ["sudo git status", ["= sudo git status", "git status *"]],
    ["date > log.txt", ["date", "file_write: log.txt"]],
    ["date > log.txt", ["date", "date > log.txt"]],
  ])("%s with %j", (text, grants) => {
    expect(decided(text, grants)).toBe("allow");
  });

  test("an ask by rule as well as one by default", () => {
    expect(decided("git push", ["git push *"], ["ask git push *"], "allow")).toBe("allow");
  });
});

describe("a grant does not answer", () => {
  test.each([
    ["a segment it does not cover", "git push && rm x", ["git push *"]],
    ["what is inside a substitution", "git push $(rm x)", ["git push *"]],
    ["another program that begins so", "git-push x", ["git push *"]],
    ["a hole that only perhaps matches", "git $VERB x", ["git push *"]],
    ["an option that makes it do more", "sort --compress-program=gzip f", ["sort *", "gzip *"]],
    ["a variable that changes what runs", "LD_PRELOAD=x.so git push", ["git push *"]],
    ["a program whose name is computed", "$TOOL push", ["* push"]],
    ["another path of the same name", "./git push", ["git push *"]],
    ["a text that only a star of an exact text would match", "echo a; rm -rf b", ["= echo a*b"]],
    ["a longer text than the exact one", "echo axxb", ["= echo a*b"]],
    ["the file of a redirect", "date > /etc/x", ["date *"]],
    ["a redirect elsewhere", "date > ../src/log.txt", ["date *", "file_write: src/log.txt"]],
    ["a wrapper", "sudo git status", ["git status *"]],
  ])("%s", (_, text, grants) => {
    expect(decided(text, grants)).toBe("ask");
  });

  test.each([
    ["a deny", "git push", ["git *"], ["deny git push *"]],
    ["a deny next to it", "git push && rm x", ["git *", "rm *"], ["deny rm *"]],
    ["a deny inside it", "git push --force", ["git *"], ["deny git push * [--force]"]],
    ["a deny by default of another text", "git push", ["= git status"], ["deny git push"]],
    ["a text that bash cannot read", "git push 'x", ["git *"], []],
  ])("%s", (_, text, grants, rules) => {
    expect(decided(text, grants, rules)).toBe("deny");
  });

  test("a deny that may match: what a hole is filled with is not known", () => {
    expect(decided("git push $X", ["git *"], ["deny git push --force"])).toBe("ask");
  });

  test("a deny of a file, whatever is granted for the program", () => {
    const rules = ["deny file_write: *.env"];
    expect(decided("date > .env", ["date *", "date > *", "file_write: *.env"], rules)).toBe("deny");
  });
});
