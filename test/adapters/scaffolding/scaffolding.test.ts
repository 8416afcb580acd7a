import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FRAME_FILES, recogniseScaffold } from "../../../src/adapters/scaffolding/index.ts";
import { staticWord } from "../../../src/adapters/scaffolding/static-word.ts";

const place = mkdtempSync("/tmp/guarded-sh-frames-");
const home = join(place, "home");
const claude = join(home, ".claude/shell-snapshots");
const codex = join(home, ".codex/shell_snapshots");

beforeAll(() => {
  for (const folder of [claude, codex, join(place, "gemini-shell-aB3")]) mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const env = new Map([
  ["HOME", home],
  ["TMPDIR", `${place}/`],
  ["PATH", "/usr/bin:/bin"],
]);

function payloadOf(text: string, parameters: readonly string[] = []): string | undefined {
  const found = recogniseScaffold({ text, parameters, cwd: "/work", env });
  return found?.kind === "framed" ? found.payload : found?.kind;
}

const UNSET = "{ \\builtin unalias -- 'unsetenv'; \\builtin unset -f -- 'unsetenv'; } >/dev/null 2>&1 || true && ";
const SNAPSHOT = join(claude, "snapshot-bash-1785137321325-37gn94.sh");
const tail = " < /dev/null && pwd -P >| /tmp/claude-00ff-cwd";
const GEMINI = "shopt -u promptvars nullglob extglob nocaseglob dotglob; ";
const RC = "[[ -f ~/.bashrc ]] && source ~/.bashrc >/dev/null 2>&1 || true";

describe("a frame to the character: the command inside it", () => {
  test.each([
    ["eval", `eval 'git status'${tail}`, "git status"],
    ["options", `shopt -u extglob 2>/dev/null || true && eval 'git status'${tail}`, "git status"],
    ["zsh's options", `setopt NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL 2>/dev/null || true && eval ls${tail}`, "ls"],
    ["longer preamble", `shopt -u extglob 2>/dev/null || true && ${UNSET}eval 'a'"'"'b'\\'c${tail}`, "a'b'c"],
    ["snapshot", `source ${SNAPSHOT} 2>/dev/null || true && ${UNSET}eval "echo \\$X"${tail}`, "echo $X"],
    ["exports", `export A='1'\nexport B_C='x y'\n: && eval 'ls'${tail}`, "export A='1'\nexport B_C='x y'\n:\nls"],
    [
      "the frame's own end inside",
      `eval 'echo && pwd -P >| /tmp/claude-1-cwd'${tail}`,
      "echo && pwd -P >| /tmp/claude-1-cwd",
    ],
    ["TMPDIR", `eval ls < /dev/null && pwd -P >| ${place}/claude-00ff-cwd`, "ls"],
  ])("Claude Code: %s", (_name, text, payload) => {
    expect(payloadOf(text)).toBe(payload);
  });

  test.each([
    ["options", `${GEMINI}ls -l`, "ls -l"],
    [
      "processes",
      `${GEMINI}{ ls -l; }; __code=$?; pgrep -g 0 >/tmp/shell_pgrep_7ad66c54c43b.tmp 2>&1; exit $__code;`,
      "ls -l;",
    ],
    [
      "older",
      "{ sleep 1 & }; __code=$?; pgrep -g 0 >/tmp/shell_pgrep_7ad66c54c43b.tmp 2>&1; exit $__code;",
      "sleep 1 &",
    ],
    [
      "jobs",
      `${GEMINI}_bgpids_file=${place}/gemini-shell-aB3/bgpids.tmp\n(\n  trap 'jobs -p > "$_bgpids_file"' EXIT\ncat <<E\nx\nE\n)\n__code=$?\nexit $__code`,
      "cat <<E\nx\nE",
    ],
  ])("Gemini: %s", (_name, text, payload) => {
    expect(payloadOf(text)).toBe(payload);
  });

  test("Codex: a snapshot in front of another bash", () => {
    const text = `if . '${codex}/u-1.sh' >/dev/null 2>&1; then :; fi\n\nexec '/bin/bash' -c 'echo '\\''a'\\'''`;
    expect(payloadOf(text)).toBe("echo 'a'");
  });

  test.each([
    [
      "parameter",
      `\n        shopt -s expand_aliases\n        ${RC}\n        cd -- "$1"\n        eval "ls -l"\n      `,
      ["/work"],
    ],
    ["variable", `\n  __oc_cwd=$PWD\n  shopt -s expand_aliases\n  ${RC}\n  cd "$__oc_cwd"\n  eval "ls -l"\n`, []],
    ["neither", `\n  shopt -s expand_aliases\n  ${RC}\n  eval "ls -l"\n`, []],
  ])("OpenCode and Kilo: directory in a %s", (_name, text, parameters) => {
    expect(payloadOf(text, parameters)).toBe("ls -l");
  });
});

describe("almost a frame is no frame", () => {
  test.each([
    ["something in front", `rm x; eval 'ls'${tail}`],
    ["something behind", `eval 'ls'${tail}; rm x`],
    ["a line behind", `eval 'ls'${tail}\nrm x`],
    ["another operator", `eval 'ls' < /dev/null ; pwd -P >| /tmp/claude-00ff-cwd`],
    ["two words", `eval 'ls' 'rm x'${tail}`],
    ["a word that expands", `eval "$(rm x)"${tail}`],
    ["an unquoted operator", `eval ls;rm${tail}`],
    ["a glob", `eval *${tail}`],
    ["another file", "eval 'ls' < /dev/null && pwd -P >| /etc/passwd"],
    ["a way out of the folder", "eval 'ls' < /dev/null && pwd -P >| /tmp/claude-../x-cwd"],
    ["an option more", `shopt -u extglob nullglob 2>/dev/null || true && eval 'ls'${tail}`],
    ["set, not unset", `shopt -s extglob 2>/dev/null || true && eval 'ls'${tail}`],
    ["another function unset", `${UNSET.replaceAll("unsetenv", "git")}eval 'ls'${tail}`],
    ["a snapshot elsewhere", `source /tmp/snapshot-bash-1-a.sh 2>/dev/null || true && eval 'ls'${tail}`],
    ["exports that expand", `export A="$(rm x)"\n: && eval 'ls'${tail}`],
    [
      "Gemini's file elsewhere",
      "{ ls; }; __code=$?; pgrep -g 0 >/etc/shell_pgrep_7ad66c54c43b.tmp 2>&1; exit $__code;",
    ],
    [
      "its own variable set",
      `${GEMINI}_bgpids_file=/tmp/gemini-shell-a/b\n(\n  trap 'jobs -p > "$_bgpids_file"' EXIT\n_bgpids_file=x\n)\n__code=$?\nexit $__code`.replace(
        GEMINI,
        "",
      ),
    ],
    ["Codex with another shell", `if . '${codex}/u.sh' >/dev/null 2>&1; then :; fi\n\nexec '/bin/zsh' -c 'ls'`],
    ["OpenCode with an alias", `\n  shopt -s expand_aliases\n  ${RC}\n  eval "alias ls=rm"\n`],
    ["OpenCode with an expansion", `\n  shopt -s expand_aliases\n  ${RC}\n  eval "echo $X"\n`],
  ])("%s", (_name, text) => {
    expect(payloadOf(text)).toBeUndefined();
  });

  test.each([
    "alias ls=rm",
    "BASH_ALIASES[ls]=rm; ev''al ls",
    "BASH_ALIASES[ls]=rm; cat <(ls)",
    "BASH_ALIASES[ls]=rm; . ./f",
    "BASH_ALIASES[ls]=rm\nls",
    "ev{a,}l ls",
    "BASH_ALIASES[ls]=rm; echo \\$(ls)",
  ])("OpenCode's frame switches aliases on: %j could be read again", (command) => {
    expect(payloadOf(`\n shopt -s expand_aliases\n ${RC}\n eval "${command}"\n`)).toBeUndefined();
  });

  test("another directory than the call's", () => {
    const text = `\n shopt -s expand_aliases\n ${RC}\n cd -- "$1"\n eval "ls"\n`;
    expect([payloadOf(text, ["/elsewhere"]), payloadOf(text, [])]).toEqual([undefined, undefined]);
  });

  test("a link in the place of the file that the frame writes", () => {
    symlinkSync("/etc/passwd", join(place, "claude-dead-cwd"));
    expect(payloadOf(`eval ls < /dev/null && pwd -P >| ${place}/claude-dead-cwd`)).toBeUndefined();
  });
});

describe("a file that a frame reads may change nothing", () => {
  test.each([
    [
      "# Snapshot file\nunalias -a 2>/dev/null || true\nshopt -u nullglob\nset -o hashall\n\nexport PATH='/usr/bin:/bin'\n",
      "ls",
    ],
    ["declare -x PATH=/usr/bin:/bin\n", "ls"],
    ["export PATH='/evil'\n", undefined],
    ["export NEW='x'\n", undefined],
    ["git() { rm -rf x; }\n", undefined],
    ["alias ls='rm'\n", undefined],
    ["shopt -s expand_aliases\n", undefined],
    ["shopt -s extglob\n", undefined],
    ["shopt -u extquote\n", undefined],
    ["set -o posix\n", undefined],
    ["# ok\nrm x # ok\n", undefined],
  ])("a snapshot %j", (text, payload) => {
    writeFileSync(SNAPSHOT, text);
    expect(payloadOf(`source ${SNAPSHOT} 2>/dev/null || true && eval 'ls'${tail}`)).toBe(payload);
    rmSync(SNAPSHOT);
  });

  test.each([
    ["# comment\n\n", "ls"],
    ["# ~/.bashrc\ncase $- in\n    *i*) ;;\n      *) return;;\nesac\nalias ls=rm\n", "ls"],
    ["[[ $- != *i* ]] && return\nalias ls=rm\n", "ls"],
    ["if [[ $- != *i* ]] ; then\n\t# not interactive\n\treturn\nfi\nalias ls=rm\n", "ls"],
    ["alias ls=rm\n[[ $- != *i* ]] && return\n", undefined],
    ["export A=1\n", undefined],
    ["# case $- in *i*) ;; *) return;; esac\nrm x\n", undefined],
  ])("a start-up file %j", (text, payload) => {
    writeFileSync(join(home, ".bashrc"), text);
    expect(payloadOf(`\n shopt -s expand_aliases\n ${RC}\n eval "ls"\n`)).toBe(payload);
    rmSync(join(home, ".bashrc"));
  });
});

test("a snapshot of the user's shell is not taken, whatever its script is", () => {
  expect(payloadOf(`SNAPSHOT_FILE=${SNAPSHOT}\nsource "$HOME/.bashrc"\n…`)).toBe("declined");
  expect(payloadOf(`SNAPSHOT_FILE='${SNAPSHOT}'\nx`)).toBe("declined");
  expect(payloadOf("SNAPSHOT_FILE=/etc/x\nrm y")).toBeUndefined();
});

test("without a home, or with one that needs quotes, no frame that names it is known", () => {
  for (const HOME of ["", "/home/a b", "/home/$x"]) {
    const call = {
      text: `SNAPSHOT_FILE=${HOME}/.claude/shell-snapshots/snapshot-bash-1-a.sh`,
      parameters: [],
      cwd: "/",
    };
    expect(recogniseScaffold({ ...call, env: new Map([["HOME", HOME]]) })).toBeUndefined();
  }
});

test("what cannot be a frame is found out without trying every way", () => {
  const texts = ["eval ", "{ ", "source ", `${GEMINI}{ `, "export A='"].map(
    (start) => start + "a'\"\\ ".repeat(24_000),
  );
  for (const text of texts) expect([undefined, text.slice(GEMINI.length)]).toContain(payloadOf(text));
});

test.each([
  ["'a b'", "a b"],
  [`"a \\"b\\" \\$c \\! \\\\"`, 'a "b" $c \\! \\'],
  ["a\\ b", "a b"],
  [`'a'"'"'b'`, "a'b"],
  ["''", ""],
  ["", undefined],
  ["$x", undefined],
  ["`x`", undefined],
  ['"$x"', undefined],
  ["a b", undefined],
  ["a;b", undefined],
  ["~", undefined],
  ["'a", undefined],
  ['"a', undefined],
  ["a\\", undefined],
  ["{a,b}", undefined],
  ["a#b", undefined],
])("the static word %j is %j", (text, value) => {
  expect(staticWord(text)).toBe(value);
});

test("every frame says how it begins, and a frame that runs has one command in it", () => {
  for (const { agents, frames } of FRAME_FILES) {
    expect(agents.length).toBeGreaterThan(0);
    for (const { name, starts, parts, declined } of frames) {
      expect(starts.length, name).toBeGreaterThan(0);
      const text = JSON.stringify(parts);
      expect(text.match(/"payload"/g)?.length ?? 0, name).toBe(declined === undefined ? 1 : 0);
      expect(text.includes('"rest"'), name).toBe(declined !== undefined);
    }
  }
});
