import { describe, expect, test } from "vitest";
import { Project, widest } from "./call.ts";

const rule = (action: string, pattern: string, match: string) =>
  `[[permissions.rule]]\ntool = "bash"\npattern = "${pattern}"\naction = "${action}"\nmatch = ["${match}"]\n`;
const HEAD = '[permissions]\ndefault_action = "allow"\n\n';

describe("policy audit", () => {
  test("says what gets past which rule; exit status 1", async () => {
    const text =
      HEAD + rule("allow", "git -C . push *", "git -C . push") + rule("deny", "git push *", "git push origin");
    const { status, stdout } = await new Project({ "guarded-sh.toml": text }).call("policy", "audit");
    const [head, line, blank, sum] = stdout.split("\n");
    expect({ status, head, line, blank }).toEqual({
      status: 1,
      head: "guarded-sh.toml:9: deny `git push *`, by the example `git push origin`",
      line: "  allow git -C . push origin   (-C . in front of the verb)",
      blank: "",
    });
    expect(sum).toMatch(/^guarded-sh\.toml: \d+ texts for 1 rules, 1 judged weaker$/);
  });

  test("--json has one entry a text", async () => {
    const text = HEAD + rule("allow", "git *", "git log") + rule("deny", "git push *", "git push");
    const { status, stdout } = await new Project({ "rules.toml": text }).call(
      "policy",
      "audit",
      "--json",
      "rules.toml",
    );
    expect([status, JSON.parse(stdout)]).toEqual([
      1,
      [
        {
          source: "/project/rules.toml:9",
          tool: "bash",
          pattern: "git push *",
          action: "deny",
          example: "git push",
          way: null,
          text: "git push",
          wanted: "deny",
          decision: "allow",
        },
      ],
    ]);
  });

  test("nothing to say ends in 0, a file that does not load in 2", async () => {
    const project = new Project({
      "rules.toml": HEAD + rule("deny", "rm *", "rm x"),
      "broken.toml": "[permissions]\n",
    });
    expect((await project.call("policy", "audit", "rules.toml")).status).toBe(0);
    expect((await project.call("policy", "audit", "broken.toml")).status).toBe(2);
    expect((await project.call("policy", "audit")).stdout).toBe("there is no policy: everything runs\n");
  });

  test("the help fits a terminal", async () => {
    expect(widest((await new Project().call("policy", "audit", "--help")).stdout)).toBeLessThanOrEqual(110);
  });
});
