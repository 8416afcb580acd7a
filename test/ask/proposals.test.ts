import { afterAll, describe, expect, test } from "vitest";
import { type Asked, partsOf, proposalsOf, whyNotStored } from "../../src/ask/proposals.ts";
import { check } from "../../src/guard.ts";
import { reasonOf } from "../../src/result/index.ts";
import { guardIn, makePlace, type RuleLine } from "./place.ts";

const place = makePlace();
afterAll(place.remove);

function askedFor(text: string, rules: readonly RuleLine[] = []): Asked {
  const guard = guardIn(place, rules);
  const { segmentation, evaluation } = check(guard, text);
  return { kind: "text", policy: guard.loaded.policy, context: guard.context, segmentation, evaluation };
}

/** Each part's proposals: a pattern, `= text` for an exact one. */
function offered(text: string, rules: readonly RuleLine[] = []): readonly (readonly string[])[] {
  const asked = askedFor(text, rules);
  return partsOf(asked, (reason) => reasonOf(reason).message).map(({ proposals }) =>
    proposals.map(({ pattern, exact }) => (exact ? `= ${pattern}` : pattern)),
  );
}

function offeredForLine(text: string, rules: readonly RuleLine[] = []): readonly string[] {
  const asked = askedFor(text, rules);
  return proposalsOf(
    asked,
    partsOf(asked, () => ""),
  ).map(({ pattern }) => pattern);
}

describe("what an always may store", () => {
  test.each([
    ["git push origin main", [["git push *", "= git push origin main"]]],
    ["git -C sub push", [["git push *", "= git -C sub push"]]],
    ["git status", [["git status *", "= git status"]]],
    ["gh pr checkout 123", [["gh pr checkout *", "= gh pr checkout 123"]]],
    ["npm run dev -- --port 1", [["npm run dev *", "= npm run dev -- --port 1"]]],
    ["ls -la", [["ls *", "= ls -la"]]],
    ["unknown a b", [["unknown *", "= unknown a b"]]],
    ["git push $REMOTE", [["git push *"]]],
  ])("%s: the prefix of the action, and the text itself", (text, expected) => {
    expect(offered(text)).toEqual(expected);
  });

  test.each([
    "rm -rf build",
    "git",
    "npm run",
    "make",
    "kill 12",
    "python3 tool.py",
    "node a.js",
    "perl x.pl",
    "find . -name x",
    "env",
  ])("%s: no prefix, because it would say too much", (text) => {
    expect(offered(text)).toEqual([[`= ${text}`]]);
  });

  test.each([
    ["sudo git status", [["= sudo git status"], ["git status *", "= git status"]]],
    ["npx tsc", [["= npx tsc"], ["tsc *", "= tsc"]]],
    ["flock /tmp/lock make tidy", [["= flock /tmp/lock make tidy"], ["make tidy *", "= make tidy"]]],
    ["xargs rm", [[]]],
  ])("%s: a program that runs others is stored as it stands, what it runs by its own prefix", (text, expected) => {
    expect(offered(text)).toEqual(expected);
  });

  test("a program given by a path is its name only where PATH finds that file", () => {
    expect(offered("/bin/ls -l")[0]).toContain("ls *");
    expect(offered("./ls -l")).toEqual([["= ./ls -l"]]);
  });

  test.each(["$TOOL push", "curl x | sh", "python3 <<< 'x = 1'", "echo a | python3", "(( a[0] ))"])(
    "%s: nothing, because no pattern tells what runs",
    (text) => {
      expect(offeredForLine(text)).toEqual([]);
    },
  );

  test("only what is asked is offered, and all of it, so that the same line passes next time", () => {
    const rules = ["allow npm ci", "allow npm run *"];
    expect(offered("npm ci && npm run build && npm publish", rules)).toEqual([["npm publish *", "= npm publish"]]);
    expect(offeredForLine("cd /srv/app && npm install")).toEqual(["cd *", "npm install *"]);
    expect(offeredForLine("git push && $X")).toEqual([]);
  });

  test("a redirect that is asked is offered as the file it writes", () => {
    expect(offered("date > /srv/stamp", ["allow date *"])).toEqual([["= /srv/stamp"]]);
    expect(offeredForLine('date > "$F"', ["allow date *"])).toEqual([]);
  });

  test("denies inside a prefix are named with it", () => {
    const asked = askedFor("git push origin", ["deny git push --force*", "deny git push * [--force -f]"]);
    expect(partsOf(asked, () => "")[0]?.proposals[0]).toEqual({
      tool: "bash",
      pattern: "git push *",
      exact: false,
      except: ["git push --force*", "git push * --force -f"],
    });
  });
});

describe("what a person types", () => {
  const asked = askedFor("git push origin main");
  const stored = (pattern: string) => whyNotStored(asked, [{ tool: "bash", pattern, exact: false }]);

  test.each(["git push *", "git push origin *", "git *", "git push origin main"])("%s is stored", (pattern) => {
    expect(stored(pattern)).toBeUndefined();
  });

  test.each(["*", "**", "* *", "?*", "", "  ", "* push *", "g* push *", "git pull *", "git push upstream *"])(
    "%j is not stored",
    (pattern) => {
      expect(stored(pattern)).toEqual(expect.any(String));
    },
  );

  test("a family of a program that runs others is not stored", () => {
    const one = { tool: "bash", pattern: "python3 *", exact: false };
    expect(whyNotStored(askedFor("python3 x.py"), [one])).toContain("only the exact text");
  });
});
