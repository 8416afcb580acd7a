import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { logDecision } from "../../src/ask/log.ts";
import { Project, widest } from "./call.ts";

// Directories without a blank are longer than a line may be together with what is said of them.
const FOLDER = "a-folder-with-quite-a-long-name/and-another-folder-inside-it/with-the-policies";
const FILE = `${FOLDER}/the-policy-of-the-team.toml`;
const POLICY = `[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git push * origin refs/heads/main and-some-more-words-for-a-pattern that-is-longer than-a-line of-the-terminal *"
action = "deny"
reason = "a long reason"

[[permissions.rule]]
tool = "bash"
pattern = "git diff*"
action = "allow"

[[permissions.rule]]
tool = "file_write"
pattern = "**/{.env,.env.*,.envrc,.netrc,.pgpass,.pypirc,.boto,.git-credentials,id_rsa,id_dsa,id_ecdsa,id_ed25519}"
action = "deny"
match = ["x/.env"]
`;

const project = new Project({
  [FILE]: POLICY,
  "cases.toml": '[[case]]\ncommand = "git difftool x"\ndecision = "allow"\n',
});

/** Lines joined again, so that it can be looked for what was wrapped. */
const joined = (text: string) =>
  text
    .replaceAll(/(?: :\d+)?$/gm, "")
    .replaceAll(/,\n +/g, ",")
    .replaceAll(/\s*\n[\s│]*/g, " ");

describe("nothing that is said is cut, and no line is wider than 100 columns", () => {
  test.each([
    [["check", "ls"], `no rule speaks about it, the default of ${FILE} is ask (prefix \`ls\`)`],
    [["check", "a && b && (c; d $(e))"], `no rule speaks about it, the default of ${FILE} is ask (prefix \`e\`)`],
    [["check", "git difftool x"], `and rule \`git diff*\` (${FILE}:10) does not name it`],
    [["check", "echo x > deep/.env"], `deny file_write deep/.env: rule \`file_write **/{.env,.env.*,.envrc,.netrc,`],
    [
      ["check", "git push x"],
      `and-some-more-words-for-a-pattern that-is-longer than-a-line of-the-terminal *\` → deny`,
    ],
    [["check", "--explain", "git difftool x"], `and rule \`git diff*\` (${FILE}:10) does not name it`],
    [["policy", "explain", "git push x"], `that-is-longer than-a-line of-the-terminal *\` → deny (${FILE}:4): `],
    [["policy", "show"], "and-some-more-words-for-a-pattern that-is-longer than-a-line of-the-terminal *"],
    [["policy", "show"], ".git-credentials,id_rsa,id_dsa,id_ecdsa,id_ed25519}"],
    [["test", "cases.toml"], `ask, expected allow, decided by \`git diff*\` (${FILE}:10)`],
    [["test", "cases.toml", "--coverage"], "that-is-longer than-a-line of-the-terminal *"],
  ])("%j", async (argv, whole) => {
    const { stdout } = await project.call(...argv, "--policy", FILE);
    expect(joined(stdout)).toContain(whole);
    expect(stdout).not.toContain("…");
    // A path cannot be parted.
    expect(widest(stdout.replaceAll(FILE, FILE.slice(0, 70)))).toBeLessThanOrEqual(100);
  });

  test.each([
    [["arity", "show", "git"], "verbs of git"],
    [["arity", "explain", "docker run -v /a:/b --privileged --pid host --network host image sh -c 'ls /'"], ""],
    [["policy", "lint", "--all", FILE], ""],
    [["policy", "audit", FILE], ""],
  ])("%j", async (argv) => {
    const { stdout } = await project.call(...argv);
    expect(widest(stdout.replaceAll(FILE, ""))).toBeLessThanOrEqual(100);
  });

  test("the log cuts the text, and never what a person said of it", async () => {
    const logged = new Project();
    const feedback = `${"not like this ".repeat(9)}end`;
    const entry = { version: 1, session: "s", project: "", cwd: "/", tool: "bash", parts: [] } as const;
    const text = "echo word ".repeat(30);
    logDecision(join(logged.home, ".local/state/guarded-sh"), {
      ...entry,
      at: "2026-01-02T03:04:05.000Z",
      text,
      outcome: "corrected",
      feedback,
    });
    const { stdout } = await logged.call("log");
    expect([joined(stdout).endsWith(`${feedback} `), widest(stdout)]).toEqual([true, 100]);
  });
});
