import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mayMove } from "../../src/exec/prologue.ts";
import { launch, run, temporaryDirectory } from "./terminal.ts";

const { path: directory, remove } = temporaryDirectory();
afterAll(remove);
mkdirSync(join(directory, "a b"));

describe.concurrent("the directory after a run", () => {
  test.each([
    ["echo hi", ""],
    ["(cd /usr)", ""],
    ["cd /usr", "/usr"],
    ["cd /usr; cd bin; exit 3", "/usr/bin"],
    ["cd 'a b'", "a b"],
    ["c''d /usr", "/usr"],
    ["x=cd; $x /usr", "/usr"],
    ["pushd /usr >/dev/null", "/usr"],
    ["set -e; cd /usr; false", "/usr"],
    ["trap 'exit 7' EXIT; cd /usr", "/usr"],
    ["trap 'cd /usr/bin; true' EXIT; cd /usr", "/usr/bin"],
    ["cd /usr && exec true", "/usr"],
    ["cd /usr && exec sh -c 'cd /'", "/usr"],
    ["cd /usr; kill -TERM $$", "/usr"],
    ["set -x; cd /usr", "/usr"],
    ["set -o noclobber; cd /usr", "/usr"],
    ["pwd() { echo /wrong; }; printf() { :; }; cd /usr", "/usr"],
    ["mkdir gone-$$; cd gone-$$; rmdir ../gone-$$; cd /usr", "/usr"],
  ])("is known: %s", async (text, expected) => {
    const { cwd, cwdKnown } = await run(directory, text);
    expect({ cwd, cwdKnown }).toEqual({
      cwd: expected.startsWith("/") ? expected : join(directory, expected).replace(/\/$/, ""),
      cwdKnown: true,
    });
  });

  test("is said to be unknown when the shell could not tell", async () => {
    const { cwd, cwdKnown } = await run(directory, "cd /usr; kill -9 $$");
    expect({ cwd, cwdKnown }).toEqual({ cwd: directory, cwdKnown: false });
  });
});

describe("what cannot change the directory", () => {
  test.each(["git status", "npm test && echo 'done'", "kill -9 $$", "make -j4 a/b.c", "echo $?"])("%s", (text) => {
    expect(mayMove(text)).toBe(false);
  });

  test.each([
    "cd x",
    "c\\d x",
    'c"d" x',
    "c\\\nd x",
    ". x",
    "a;. x",
    "source x",
    "eval x",
    "$x",
    "`x`",
    "{c,x}d",
    "[c]d",
    "popd",
  ])("and what might: %s", (text) => {
    expect(mayMove(text)).toBe(true);
  });
});

describe.concurrent("the shell is a plain bash -c", () => {
  // What runs must not notice the prologue: the same text in bare bash gives the same lines and the same status.
  test.each([
    "cd /; echo $LINENO $- $0 $? $#",
    "nosuchprogram; cd /",
    "cd /; echo a; if",
    "cd /; echo $((1/0)); echo x",
    "cd /usr; exec nosuchprogram; echo y",
    'f() { caller; return 5; }; f; echo $? $_; echo "$BASH_EXECUTION_STRING"',
    "x=1; trap 'echo bye $?' EXIT; cd /; true a b; echo $_; (exit 3); echo $?; true | false | true; echo $PIPESTATUS",
    "set -x; cd /; echo $HOME",
    "trap 'echo err $LINENO' ERR; cd /; false; echo z",
    "trap 'echo debug' DEBUG; cd /usr; echo q",
    "set -eu; cd /; echo $-; false",
    "shopt -p; set -o; declare -F; alias; cd /",
    "cd /; set -- a b; shift; echo $1 $#; trap 'echo t' TERM; kill -TERM $$; echo after",
    "exec 3>&1; cd /; echo hi >&3; exec >/dev/null; echo no; exec 1>&3; echo yes",
    "trap 'cd /usr; echo in $PWD' EXIT; cd /; echo $BASH_COMMAND",
    "cd /; cat <<E\n$SHLVL $BASH_ENV\nE",
    'echo "note !** end"; ! false && echo ok; cd /',
    "-x", // without `--` this would be an option
    "+e; cd /",
  ])("%s", async (text) => {
    const { env } = launch(directory, text);
    const bare = spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", "--", text], {
      cwd: directory,
      env: { ...env, PWD: directory },
      encoding: "utf8",
    });
    const { exit, output } = await run(directory, text);
    const sorted = (lines: string) => lines.split("\n").sort().join("\n");
    expect({ exit, lines: sorted(output) }).toEqual({
      exit: { kind: "exited", code: bare.status },
      lines: sorted(bare.stdout + bare.stderr),
    });
  });

  test("with $0, parameters and options", async () => {
    const more = { name: "zero", parameters: ["a b", ""], shellArguments: ["-e", "-o", "pipefail", "+O", "extglob"] };
    const { output } = await run(directory, 'echo "$0" "$1" $# $-; shopt -o pipefail; false; echo no', more);
    expect(output).toBe("zero a b 2 ehBc\npipefail       \ton\n");
  });

  test("behind a prefix", async () => {
    const { output } = await run(directory, "echo $A; cd /usr", { prefix: ["/usr/bin/env", "A=through"] });
    expect(output).toBe("through\n");
  });

  test("reports exports when asked", async () => {
    const text = "export A='x\ny' B=2; C=3; cd /usr; export PATH";
    const { exports, cwd } = await run(directory, text, { captureState: { exports: true } });
    expect(exports).toMatchObject({ A: "x\ny", B: "2", PATH: process.env.PATH });
    expect(Object.keys(exports ?? {})).not.toEqual(expect.arrayContaining(["C"]));
    for (const name of ["BASH_ENV", "GUARDED_SH_RUN", "SHLVL", "_", "PWD"]) expect(exports).not.toHaveProperty(name);
    expect(cwd).toBe("/usr");
  });

  test("in a directory given through a link", async () => {
    const { output } = await run(directory, "ln -s 'a b' link; cd link; pwd; pwd -P");
    expect(output).toBe(`${directory}/link\n${realpathSync(directory)}/a b\n`);
  });
});
