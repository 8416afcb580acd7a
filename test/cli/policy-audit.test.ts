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
    expect(sum).toMatch(/^guarded-sh\.toml: \d+ texts for 1 rule, 1 judged weaker$/);
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
          skipped: null,
        },
      ],
    ]);
  });

  test("a rule that cannot be tried is named on one line, and in --json", async () => {
    const text = `${HEAD}[[permissions.rule]]\ntool = "mcp_*"\npattern = "*"\naction = "deny"\n`;
    const project = new Project({ "rules.toml": text });
    const { status, stdout } = await project.call("policy", "audit", "rules.toml");
    expect([status, stdout.split("\n")]).toEqual([
      0,
      [
        "rules.toml:4: not tried: deny `mcp_* *`: no command line does what its tool does",
        "rules.toml: 0 texts for 0 rules, 0 judged weaker, 1 rule not tried",
        "",
      ],
    ]);
    const json = await project.call("policy", "audit", "--json", "rules.toml");
    expect(JSON.parse(json.stdout)).toEqual([
      {
        ...{ source: "/project/rules.toml:4", tool: "mcp_*", pattern: "*", action: "deny" },
        ...{ example: null, way: null, text: null, wanted: null, decision: null },
        skipped: "no command line does what its tool does",
      },
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
