import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Project } from "./call.ts";

const POLICY = `extends = ["preset:catastrophe"]

[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "make *"
action = "allow"
`;

const decided = async (project: Project) => {
  const { stdout } = await project.call("check", "--json", "make");
  return JSON.parse(stdout).decision;
};

describe("trust", () => {
  test("shows the rules, records the file, and its allow counts until it changes", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    expect(await decided(project)).toBe("ask");
    const { status, stdout } = await project.call("trust");
    expect({ status, lines: stdout.split("\n") }).toEqual({
      status: 0,
      lines: [
        "project: guarded-sh.toml",
        "  the first rule that matches decides, default ask",
        `  allow make *${" ".repeat(51)}:6`,
        "  extends preset:catastrophe",
        expect.stringMatching(/^trusted as it is now, sha256 [0-9a-f]{16}…; a change ends it$/),
        "",
      ],
    });
    expect(await decided(project)).toBe("allow");
    project.write("guarded-sh.toml", `${POLICY}# one more line\n`);
    expect(await decided(project)).toBe("ask");
  });

  test("lists what is trusted, what has changed since and what is gone", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY, "other.toml": POLICY });
    expect((await project.call("trust", "--list")).stdout).toBe("nothing is trusted\n");
    await project.call("trust");
    await project.call("trust", "other.toml");
    project.write("other.toml", "");
    const { stdout } = await project.call("trust", "--list");
    expect(stdout.replace(/\d{4}-[^ ]+/g, "TIME")).toBe(
      "/project/guarded-sh.toml  TIME  trusted\n/project/other.toml  TIME  changed\n",
    );
    const { files } = JSON.parse((await project.call("trust", "--list", "--json")).stdout);
    expect(files.map(({ path, state }: { path: string; state: string }) => [path, state])).toEqual([
      ["/project/guarded-sh.toml", "trusted"],
      ["/project/other.toml", "changed"],
    ]);
  });

  test("forgets a file", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    await project.call("trust");
    expect(await project.call("trust", "--revoke")).toEqual({
      status: 0,
      stdout: "guarded-sh.toml: no longer trusted\n",
      stderr: "",
    });
    expect(await decided(project)).toBe("ask");
    expect((await project.call("trust", "--revoke")).status).toBe(1);
  });

  test("a file that does not load is not trusted", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY.replace("allow", "permit") });
    const { status, stderr } = await project.call("trust");
    expect({ status, first: stderr.split("\n")[0] }).toEqual({
      status: 2,
      first: "/project/guarded-sh.toml:9:10: unknown-decision: `permit` is not a decision",
    });
    expect((await project.call("trust", "--list")).stdout).toBe("nothing is trusted\n");
  });

  test("without a file of the project it says what to do", async () => {
    const { status, stderr } = await new Project().call("trust");
    expect({ status, first: stderr.split("\n")[0] }).toEqual({
      status: 2,
      first: "guarded-sh: there is no guarded-sh.toml from here up to the repository root: name a FILE",
    });
  });

  test("records that cannot be read trust nothing", async () => {
    const project = new Project({ "guarded-sh.toml": POLICY });
    await project.call("trust");
    const record = join(project.home, ".local/state/guarded-sh/trust.json");
    writeFileSync(record, readFileSync(record, "utf8").slice(1));
    expect(await decided(project)).toBe("ask");
  });
});
