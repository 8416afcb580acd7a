import { describe, expect, test } from "vitest";
import { split } from "./split.ts";

const does = (line: string) => split(line).segments[0]?.reading?.does;

describe("an option or the number of operands says what is done", () => {
  test.each([
    ["git branch", ["looks"]],
    ["git branch --list x", ["looks"]],
    ["git branch --show", ["looks"]],
    ["git branch --list --nobody-knows", ["writes"]],
    ["git branch -a -D x", ["writes"]],
    ["git branch x", ["writes"]],
    ["git branch $x", ["writes"]],
    ["git config a.b", ["looks"]],
    ['git config "a.$b"', ["looks"]],
    ["git config a.$b", ["writes"]],
    ["git config a.b c", ["writes"]],
    ["git config a.b c --get", ["writes"]],
    ["git config --get a.b c", ["looks"]],
    ["git config --unset a.b", ["writes"]],
    ["git rm --cached a", ["writes"]],
    ["git rm a", ["deletes"]],
    ["uniq a", ["looks"]],
    ["uniq a b", ["writes"]],
    ["env -u A", ["looks"]],
    ["env ls", ["runs"]],
    ["crontab -l", ["looks"]],
    ["crontab a", ["runs", "administers"]],
  ] as const)("%s", (line, doings) => expect(does(line)).toEqual(doings));
});

describe("commands in the words of programs that have their own spelling for them are seen", () => {
  const run = (line: string) => split(line).segments.map(({ argv }) => argv.join(" "));

  test.each([
    "cmake -E env victim",
    "cmake -E env A=1 victim",
    "make SHELL=victim all",
    "make --eval 'x:;victim' x",
    "make X='$(shell victim)' all",
    "sqlite3 :memory: '.shell victim'",
    "vi +'!victim'",
    "vim -c ':!victim'",
    "gdb -ex 'shell victim' -batch",
    "git clone ext::victim d",
    "git -c alias.x='!victim' x",
    "apt-get -o APT::Update::Pre-Invoke::=victim update",
    "wget -e use_askpass=victim https://example.com",
    "tar --checkpoint-action=exec=victim -cf a b",
    "ssh -o ProxyCommand=victim host",
    "env = victim",
    "env =x victim",
    "/proc/self/exe -c victim",
  ])("%s", (line) => expect(run(line)).toContain("victim"));

  test("a directory of scripts cannot be read", () => {
    expect(split("run-parts d").findings.map(({ code }) => code)).toEqual(["opaque-script"]);
  });
});
