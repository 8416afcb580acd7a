import { describe, expect, test } from "vitest";
import { scrubEnvironment, terminalEnvironment, withTerminalDefaults } from "../../src/exec/index.ts";

const INHERITED = {
  PATH: "/bin",
  HOME: "/h",
  FOO: "1",
  GITHUB_TOKEN: "t",
  AWS_SECRET_KEY: "s",
  BASH_ENV: "/x",
  ENV: "/x",
  SHELLOPTS: "xtrace",
  BASHOPTS: "extglob",
  "BASH_FUNC_ls%%": "() { :; }",
  PROMPT_COMMAND: "x",
  CDPATH: "/",
  GLOBIGNORE: "*",
  PS4: "$(x)",
  POSIXLY_CORRECT: "",
  LD_PRELOAD: "/x.so",
  LD_LIBRARY_PATH: "/lib",
  UNSET: undefined,
};

describe("the environment", () => {
  test("loses what runs code in bash or changes how bash reads", () => {
    expect(scrubEnvironment(INHERITED)).toEqual({
      PATH: "/bin",
      HOME: "/h",
      FOO: "1",
      GITHUB_TOKEN: "t",
      AWS_SECRET_KEY: "s",
      LD_LIBRARY_PATH: "/lib",
    });
  });

  test.each([
    ["drops what a pattern says", { drop: ["*_TOKEN", "AWS_*"] }, ["PATH", "HOME", "FOO", "LD_LIBRARY_PATH"]],
    ["drops in the middle", { drop: ["A*SECRET*Y", "LD_*"] }, ["PATH", "HOME", "FOO", "GITHUB_TOKEN"]],
    ["passes a name that is written out", { drop: ["*"], pass: ["*", "FOO"] }, ["FOO"]],
    ["passes only what is listed, and the essentials", { pass: ["FOO"] }, ["PATH", "HOME", "FOO"]],
    ["passes a loader variable that is written out", { pass: ["LD_PRELOAD"] }, ["PATH", "HOME", "LD_PRELOAD"]],
    ["never passes bash's own", { pass: ["BASH_ENV", "SHELLOPTS", "PS4"] }, ["PATH", "HOME"]],
  ])("%s", (_, rules, names) => {
    expect(Object.keys(scrubEnvironment(INHERITED, rules)).sort()).toEqual([...names].sort());
  });

  test("has defaults for pagers and questions that a set variable overrides", () => {
    expect(withTerminalDefaults({ GIT_PAGER: "delta", GIT_SSH: "x" })).toMatchObject({
      GIT_PAGER: "delta",
      PAGER: "cat",
      MANPAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      GIT_EDITOR: "true",
      DEBIAN_FRONTEND: "noninteractive",
    });
    expect(withTerminalDefaults({ GIT_SSH: "x" })).not.toHaveProperty("GIT_SSH_COMMAND");
    expect(withTerminalDefaults({}).GIT_SSH_COMMAND).toContain("-oBatchMode=yes");
  });

  test("names the terminal the command gets, unless the caller names another", () => {
    expect(terminalEnvironment({ TERM: "xterm-kitty" }).TERM).toBe("dumb");
    expect(terminalEnvironment({ TERM: "xterm-kitty" }, {}, { TERM: "xterm" }).TERM).toBe("xterm");
  });

  test("takes the caller's values, but no code of theirs before the text", () => {
    const set = { PAGER: "less", BASH_ENV: "/x", A_TOKEN: "1" };
    const result = terminalEnvironment({}, { drop: ["*_TOKEN"] }, set);
    expect(result).toMatchObject({ PAGER: "less", A_TOKEN: "1" });
    expect(result).not.toHaveProperty("BASH_ENV");
  });
});
