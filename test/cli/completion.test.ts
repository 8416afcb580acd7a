import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { TABLE } from "../../src/cli/main.ts";
import { Project } from "./call.ts";

const script = async (shell: string) => (await new Project().call("completion", shell)).stdout;

/** What bash would offer for these words, the last one being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const text = `${await script("bash")}
COMP_WORDS=(guarded-sh "$@"); COMP_CWORD=$#; _guarded_sh; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, status } = spawnSync("bash", ["--norc", "-c", text, "bash", ...words], { encoding: "utf8" });
  expect(status).toBe(0);
  return stdout.split("\n").filter((line) => line !== "");
}

describe("completion for bash", () => {
  test("offers every verb", async () => {
    expect(await offered("")).toEqual([...TABLE.map(({ name }) => name), "--help", "--version"]);
  });

  test.each([
    [["pol"], ["policy"]],
    [["policy", "sh"], ["show"]],
    [["policy", "show", "--j"], ["--json"]],
    [["check", "--exp"], ["--explain"]],
    [["arity", "add", "--pre"], ["--prefix"]],
    [["test", "--cov"], ["--coverage"]],
    [["nothing", "--x"], []],
  ])("%j", async (words, expected) => expect(await offered(...words)).toEqual(expected));
});

test.each(["bash", "zsh", "fish"])("the completion for %s names each verb and its options", async (shell) => {
  const text = await script(shell);
  for (const word of ["policy", "explain", "stdin-jsonl", "coverage", "arity", "trust"]) expect(text).toContain(word);
});

test.each([
  ["zsh", ["-n"]],
  ["fish", ["--no-execute"]],
  ["bash", ["-n"]],
])("%s reads its completion, where it is installed", async (shell, options) => {
  const { status, error } = spawnSync(shell, options, { input: await script(shell), encoding: "utf8" });
  if (error === undefined) expect(status).toBe(0);
});

test("an unknown shell is answered with the nearest", async () => {
  const { status, stderr } = await new Project().call("completion", "fis");
  expect({ status, first: stderr.split("\n")[0] }).toEqual({
    status: 2,
    first: "guarded-sh: no completion for `fis`, did you mean `fish`?",
  });
});
