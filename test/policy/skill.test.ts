import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, checkRequest, openGuard } from "../../src/guard.ts";
import { frontMatterField } from "../../src/policy/front-matter.ts";
import { parseSkill } from "../../src/policy/index.ts";
import { DiagnosticError } from "../../src/text/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { CWD, ENV, HOME, policyOf } from "./judge.ts";

const setting = { home: HOME, env: ENV, windows: false };
const skillOf = (value: string) =>
  parseSkill({ name: "SKILL.md", text: `---\nname: x\n${value}\n---\n# X\n` }, setting);

/** The rules as `tool pattern`. */
const rulesIn = (value: string) => skillOf(value)?.documents[0]?.rules.map(({ tool, pattern }) => `${tool} ${pattern}`);

describe("allowed-tools", () => {
  const wanted = ["file_read *", "bash git *", "bash npm run test *", "Grep *"];
  test.each([
    "allowed-tools: Read Bash(git:*) Bash(npm run test:*) Grep",
    "allowed-tools: Read, Bash(git:*), Bash(npm run test:*), Grep",
    'allowed-tools: "Read Bash(git:*) Bash(npm run test:*) Grep"',
    "allowed-tools: [Read, Bash(git:*), 'Bash(npm run test:*)', Grep]",
    'allowed-tools:\n  - Read\n  - "Bash(git:*)"\n  - Bash(npm run test:*)\n  - Grep',
    "allowed-tools:\n- Read # files\n- Bash(git:*)\n\n- Bash(npm run test:*)\n# more\n- Grep\nlicense: MIT",
    "allowed-tools: >-\n  Read Bash(git:*)\n  Bash(npm run test:*) Grep",
    "allowed-tools: Read Bash(git:*)\n  Bash(npm run test:*) Grep",
    "'allowed-tools': Read Bash(git:*) Bash(npm run test:*) Grep",
  ])("%j is read", (value) => expect(rulesIn(value)).toEqual(wanted));

  test.each([
    ["allowed-tools: Bash", ["bash *"]],
    ["allowed-tools: Bash(git status)", ["bash git status"]],
    ["allowed-tools: Edit(src/**) Write MultiEdit", ["file_write src/**", "file_write *", "file_write *"]],
    ["allowed-tools: WebFetch(domain:example.com)", ["webfetch https://example.com/*"]],
    ["allowed-tools: mcp__server__tool", ["mcp__server__tool *"]],
    ["allowed-tools: []", []],
    ["allowed-tools:", []],
  ])("%j", (value, rules) => expect(rulesIn(value)).toEqual(rules));

  test.each(["license: MIT", "description: allowed-tools are none", "x: 1\n  allowed-tools: Read"])(
    "%j limits nothing",
    (value) => expect(skillOf(value)).toBeUndefined(),
  );

  test("only the front matter counts", () => {
    expect(parseSkill({ name: "SKILL.md", text: "# X\n---\nallowed-tools: Read\n---\n" }, setting)).toBeUndefined();
  });

  test.each([
    "allowed-tools: {a: b}",
    "allowed-tools: *anchor",
    "allowed-tools: [Read, Bash(git:*)",
    "allowed-tools:\n  - [Read]\n  - x: y\n  nested:\n    - z",
    "allowed-tools: Bash(git:*",
    "allowed-tools: Bash()",
    'allowed-tools: "Read',
  ])("%j cannot be read: an error, never everything", (value) => {
    expect(() => skillOf(value)).toThrow(DiagnosticError);
  });

  test("an error says where", () => {
    expect(() => skillOf("allowed-tools: Read Bash()")).toThrow("SKILL.md:3:21: bad-pattern: `Bash()` is no tool");
  });

  test("a field is found with its place", () => {
    expect(frontMatterField("---\r\na: 1\r\nb: x y\r\n---\r\n", "b")).toEqual({
      items: ["x y"],
      list: false,
      start: 11,
      end: 17,
    });
  });
});

describe("a running skill", () => {
  const folder = temporaryFolder("guarded-sh-skill-");
  mkdirSync(join(folder, "release"));
  writeFileSync(join(folder, "release/SKILL.md"), "---\nallowed-tools: Read Bash(git:*) Bash(ls:*)\n---\n");
  const guardOf = (lines: readonly string[], skill = join(folder, "release")) =>
    openGuard({ cwd: CWD, env: Object.fromEntries(ENV), policy: policyOf(lines), skill });
  const decided = (line: string, lines: readonly string[]) => check(guardOf(lines), line).evaluation.decision;

  test.each([
    // both must allow
    ["git log", ["allow git *"], "allow"],
    ["git log && ls", ["allow git *", "allow ls *"], "allow"],
    ["git log", ["ask git *"], "ask"],
    ["git log", [], "ask"],
    ["git log", ["deny git *"], "deny"],
    ["npm test", ["allow npm *"], "deny"],
    ["git log && npm test", ["allow *"], "deny"],
    ["git log > x", ["allow *"], "deny"],
    ["[ -f x ] && A=1 && git log", ["allow git *"], "allow"],
    ["echo $(rm x)", ["allow *"], "deny"],
  ])("%s under %j → %s", (line, lines, decision) => expect(decided(line, lines)).toBe(decision));

  test("limits where there is no policy at all", () => {
    const guard = openGuard({
      cwd: CWD,
      env: Object.fromEntries(ENV),
      policy: { documents: [] },
      skill: join(folder, "release"),
    });
    expect(check(guard, "git log").evaluation.decision).toBe("allow");
    expect(check(guard, "rm x").evaluation.decision).toBe("deny");
    expect(check(guard, "git log").result.off).toBeUndefined();
  });

  test("limits other tools", () => {
    const guard = guardOf(["allow *: *"]);
    expect(checkRequest(guard, "read", "src/a.ts").decision).toBe("allow");
    expect(checkRequest(guard, "edit", "src/a.ts").decision).toBe("deny");
    expect(checkRequest(guard, "webfetch", "https://example.com/").decision).toBe("deny");
  });

  test("is named by its file or its folder, and has to exist", () => {
    expect(check(guardOf(["allow *"], join(folder, "release/SKILL.md")), "npm test").evaluation.decision).toBe("deny");
    expect(() => guardOf(["allow *"], join(folder, "none"))).toThrow(DiagnosticError);
  });
});
