import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Project, widest } from "./call.ts";

const POLICY = `[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "rm *"
action = "deny"

[[permissions.rule]]
tool = "bash"
pattern = "ls *"
action = "allow"
`;

type Answer = readonly [outcome: string, text: string, feedback?: string];

/** The rules that come out of these answers, one a line. */
async function suggested(answers: readonly Answer[], ...argv: readonly string[]): Promise<string[]> {
  const project = new Project({ "rules.toml": POLICY });
  const folder = join(project.home, ".local/state/guarded-sh");
  mkdirSync(folder, { recursive: true });
  const lines = answers.map(([outcome, text, feedback]) =>
    JSON.stringify({
      version: 1,
      at: "",
      session: "s",
      project: "",
      cwd: project.cwd,
      tool: "bash",
      text,
      outcome,
      parts: [],
      feedback,
    }),
  );
  writeFileSync(join(folder, "decisions.jsonl"), `${lines.join("\n")}\n`);
  const { status, stdout } = await project.call("policy", "suggest", "--policy", "rules.toml", "--json", ...argv);
  expect(status).toBe(0);
  const rules: readonly { action: string; pattern: string; times: number; reason?: string }[] = JSON.parse(stdout);
  return rules.map(
    ({ action, pattern, times, reason }) =>
      `${times} × ${action} ${pattern}${reason === undefined ? "" : `: ${reason}`}`,
  );
}

describe("policy suggest", () => {
  test.each<[string, readonly Answer[], string[]]>([
    [
      "the text itself, when it was always the same",
      [
        ["once", "npm run build"],
        ["always", "npm run build"],
      ],
      ["2 × allow npm run build"],
    ],
    ["once is not often enough", [["once", "npm run build"]], []],
    [
      "what all have in common",
      [
        ["once", "git log --oneline -5"],
        ["once", "git log --oneline --all"],
        ["once", "git log --oneline"],
      ],
      ["3 × allow git log --oneline *"],
    ],
    [
      "no less than the action",
      [
        ["once", "npm run build"],
        ["once", "npm run lint"],
      ],
      [],
    ],
    [
      "each command of a line",
      [
        ["once", "git log && git status"],
        ["once", "git status | ls"],
      ],
      ["2 × allow git status"],
    ],
    [
      "not what a rule asks about",
      [
        ["once", "git push"],
        ["once", "git push"],
      ],
      [],
    ],
    [
      "not what a rule denies",
      [
        ["once", "rm x"],
        ["once", "rm x"],
      ],
      [],
    ],
    [
      "not what is allowed already",
      [
        ["once", "ls x"],
        ["once", "ls x"],
      ],
      [],
    ],
    [
      "no program that runs others",
      [
        ["once", "python3 x.py"],
        ["once", "python3 x.py"],
        ["once", "env ls"],
        ["once", "env ls"],
      ],
      [],
    ],
    [
      "nothing that was ever refused",
      [
        ["once", "git log a"],
        ["once", "git log b"],
        ["rejected", "git log c"],
      ],
      [],
    ],
    [
      "a deny for what was refused each time, with what was said",
      [
        ["rejected", "make deploy"],
        ["corrected", "make deploy", "the pipeline does that"],
      ],
      ["2 × deny make deploy: the pipeline does that"],
    ],
    [
      "nothing for other outcomes",
      [
        ["ask-unavailable", "make x"],
        ["denied", "make x"],
        ["granted", "make x"],
      ],
      [],
    ],
  ])("%s", async (_, answers, expected) => {
    expect(await suggested(answers)).toEqual(expected);
  });

  test("--least says how often", async () => {
    expect(await suggested([["once", "npm run build"]], "--least", "1")).toEqual(["1 × allow npm run build"]);
  });

  test("prints rules that load, or says that there are none", async () => {
    const project = new Project({ "rules.toml": POLICY });
    expect(await project.call("policy", "suggest")).toEqual({
      status: 0,
      stdout: "",
      stderr: "guarded-sh: nothing to suggest: no command was answered the same way often enough\n",
    });
    expect((await project.call("policy", "suggest", "--least", "0")).status).toBe(2);
    expect(widest((await project.call("policy", "suggest", "--help")).stdout)).toBeLessThanOrEqual(100);
  });
});
