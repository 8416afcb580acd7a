import { describe, expect, test } from "vitest";
import { TABLE } from "../../src/cli/main.ts";
import { loadAll } from "../../src/cli/resolve.ts";
import { Project, widest } from "./call.ts";

const verbs = await loadAll(TABLE);
const project = new Project();

describe("the help", () => {
  test("names every verb of the table", async () => {
    const { stdout } = await project.call("--help");
    expect(TABLE.filter(({ name }) => !stdout.includes(`\n  ${name.padEnd(2)}`))).toEqual([]);
    expect(widest(stdout)).toBeLessThanOrEqual(100);
  });

  test.each(verbs.map(({ name }) => name))("%s: two examples, every option, at most 100 columns", async (name) => {
    const { status, stdout } = await project.call(...name.split(" "), "--help");
    expect(status).toBe(0);
    const verb = verbs.find((known) => known.name === name);
    expect(verb?.examples.length).toBeGreaterThanOrEqual(2);
    expect(verb?.options.filter((option) => !stdout.includes(`--${option.name}`))).toEqual([]);
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  test("help VERB is VERB --help", async () => {
    expect(await project.call("help", "check")).toEqual(await project.call("check", "--help"));
    expect(await project.call("help", "policy", "show")).toEqual(await project.call("policy", "show", "--help"));
  });
});
