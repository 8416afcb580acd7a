import { describe, expect, test } from "vitest";
import type { Reason } from "../../src/policy/index.ts";
import { judge, policyOf, type RuleLine } from "./judge.ts";

type Row = readonly [rules: readonly RuleLine[], otherwise: string, decision: string, ...texts: string[]];

function table(name: string, rows: readonly Row[], order = "first-match"): void {
  describe(name, () => {
    for (const [rules, otherwise, decision, ...texts] of rows) {
      test.each(texts)(`${[...rules, `else ${otherwise}`].join(", ")}: %s → ${decision}`, (text) => {
        expect(judge(text, policyOf(rules, otherwise, order)).decision).toBe(decision);
      });
    }
  });
}

const reasonsOf = (text: string, rules: readonly RuleLine[], otherwise = "ask"): string[] =>
  judge(text, policyOf(rules, otherwise)).verdicts.map(({ because }) => shown(because[0]));

function shown(reason: Reason): string {
  if ("rule" in reason) return `${reason.kind} ${reason.rule.pattern}`;
  return reason.kind === "finding" ? `${reason.kind} ${reason.finding.code}` : reason.kind;
}

table("the first rule that matches decides", [
  [["deny rm *", "allow *"], "ask", "deny", "rm x", "rm", "ls && rm x", "echo $(rm x)", "if true; then rm x; fi"],
  [["allow *", "deny rm *"], "ask", "allow", "rm x"],
  [["allow git status*", "deny git *"], "ask", "allow", "git status", "git status -s"],
  [["allow git status*", "deny git *"], "ask", "deny", "git push", "git status; git push"],
  [[], "deny", "deny", "ls"],
  [[], "allow", "allow", "ls | wc"],
]);

table(
  "the last rule that matches decides, in OpenCode's order",
  [
    [["allow *", "deny rm *"], "ask", "deny", "rm x"],
    [["deny rm *", "allow *"], "ask", "allow", "rm x"],
    [["ask *", "allow git *", "deny git push *"], "ask", "deny", "git push origin"],
    [["ask *", "allow git *", "deny git push *"], "ask", "allow", "git log"],
  ],
  "last-match",
);

table("every part of a text needs its own leave", [
  [
    ["allow git status*"],
    "ask",
    "ask",
    "git status && rm x",
    "git status; rm x",
    "git status | tee",
    "git status & rm x",
  ],
  [["allow git *", "allow head *"], "ask", "allow", "git log | head -3", "git status && git diff | head"],
  [["allow echo *"], "ask", "ask", "echo $(id)", "echo `id`", "cat <(id)", "echo hi\nid"],
]);

table("deny looks through the program's path, options before the verb, assignments and wrappers", [
  [
    ["deny rm *"],
    "allow",
    "deny",
    "/bin/rm x",
    "./rm x",
    "A=1 rm x",
    "sudo rm x",
    "sudo -u u timeout 5 rm x",
    "env -i rm x",
  ],
  [
    ["deny git push *"],
    "allow",
    "deny",
    "git -C d push",
    "git --no-pager push origin",
    "/usr/bin/git -C d push x",
    "A=1 git -C d push",
  ],
  [["deny git -C d *"], "allow", "deny", "git -C d status"],
]);

table("allow strips as little as possible", [
  [
    ["allow git status*"],
    "ask",
    "allow",
    "git status",
    "git -C d status",
    "/bin/git status",
    "A=1 git status",
    "timeout 5 git status",
  ],
  [["allow git status*"], "ask", "ask", "./git status", "/tmp/git status", "git -c a.b=c status", "sudo git status"],
  [["allow echo*"], "ask", "ask", "echo/run.sh", "echo'/run.sh'"],
  [["allow git status"], "ask", "ask", "'git status'"],
  [["allow ./tool *"], "ask", "allow", "./tool x"],
  [["allow tool *"], "ask", "ask", "./tool x"],
]);

table("assignments", [
  [["allow cat *"], "ask", "allow", "A=1 cat x"],
  [["allow cat *"], "ask", "ask", "PATH=/tmp:$PATH cat x", "LD_PRELOAD=x.so cat y"],
  [["allow A=1 rm *"], "ask", "allow", "A=1 rm x", "A=1\trm x"],
  [["allow A=1 rm *"], "ask", "ask", "rm x", "A=2 rm x", "A=1 B=2 rm x", "A='1 rm y' dd"],
  [["allow PYTHONPATH=/x python3 *"], "ask", "allow", "PYTHONPATH=/x python3 -V"],
  [["deny A=1 rm *"], "allow", "deny", "A=1 rm x"],
  [["allow *"], "deny", "allow", "A=1", "A=1; B=$A"],
  [["deny *"], "allow", "deny", "A=1"],
  [[], "ask", "allow", "A=1"],
]);

table("options by meaning", [
  [
    ["deny rm -rf *"],
    "allow",
    "deny",
    "rm -rf x",
    "rm -fr x",
    "rm -r -f x",
    "rm --recursive --force x",
    "rm -Rf x",
    "rm -rfv x",
    "rm x -rf",
    "rm --rec --forc x",
    "\\rm -f -- x -r; rm -rf y",
    "sudo rm -f -r x",
  ],
  [["deny rm -rf *"], "allow", "allow", "rm -r x", "rm -f x", "rm -- -rf", "rmdir x", "echo rm -rf x"],
  [["deny rm -rf*"], "allow", "deny", "rm -fr x", "rm -rfv x"],
  [["deny rm -rf /"], "allow", "deny", "rm -rf /", "rm -fr /", "rm -rf --no-preserve-root /", "rm -rf -- /"],
  [["deny rm -rf /"], "allow", "allow", "rm -rf /srv/x"],
  [
    ["deny git push --force", "deny git push --force *"],
    "allow",
    "deny",
    "git push --force",
    "git push -f",
    "git push origin --force",
    "git -C d push -f origin",
  ],
  [["deny git push --force", "deny git push --force *"], "allow", "allow", "git push --force-with-lease", "git push"],
  [["deny git push --force*"], "allow", "deny", "git push --force-with-lease", "git push origin -f"],
  [["deny tool -abc *"], "allow", "deny", "tool -cab x", "tool x -abc"],
  [["deny tool --method DELETE *"], "allow", "deny", "tool --method DELETE x", "tool x --method=DELETE"],
  [["deny tool --method DELETE *"], "allow", "allow", "tool --method GET x"],
  [["allow rm -rf *"], "ask", "ask", "rm -fr x", "rm -r -f x"],
]);

table("flags of a rule", [
  [
    ["deny git push * [--force -f]"],
    "allow",
    "deny",
    "git push -f",
    "git push origin --force",
    "git push origin main -f",
    "git push -uf o",
  ],
  [["deny git push * [--force -f]"], "allow", "allow", "git push", "git push --force-with-lease", "git push -u o"],
  [["deny go test * [-exec]"], "allow", "deny", "go test -exec x", "go test -exec=x"],
  [["deny tool * [--user]"], "allow", "deny", "tool --user x", "tool x --user=1"],
  [["deny tool * [--user]"], "allow", "ask", "tool --us", "tool --use=1"],
  [["deny tool * [--user]"], "allow", "allow", "tool --usher", "tool --user-agent x", "tool us"],
  [["allow tool * [--user]"], "ask", "ask", "tool --us"],
  [["allow rm * [-i]"], "ask", "allow", "rm -i x", "rm -vi x"],
  [["allow rm * [-i]"], "ask", "ask", "rm x"],
]);

table("words nobody knows", [
  [["deny rm *"], "allow", "ask", "$x foo", "$(x)m foo"],
  [["deny rm -rf *"], "allow", "ask", "rm $x", 'rm "$x"', "rm $(cat list)"],
  [["deny rm -rf *"], "allow", "deny", 'rm -rf "$x"', "rm -rf $x"],
  [["deny rm -rf /"], "allow", "ask", 'rm -rf "$x"'],
  [["allow rm *"], "ask", "allow", 'rm "$x"'],
  [["allow rm build"], "ask", "ask", 'rm "$x"'],
  [["deny git push --force*"], "allow", "ask", "git push origin $x"],
  [["deny git push --force*"], "allow", "allow", "git push -- $x", 'git commit -m "$x"'],
  [["deny rm a"], "allow", "deny", "for f in a b; do rm $f; done"],
  [["deny rm c"], "allow", "allow", "for f in a b; do rm $f; done"],
  [["allow rm a", "allow rm b"], "ask", "allow", "for f in a b; do rm $f; done"],
  [["allow rm a"], "ask", "ask", "for f in a b; do rm $f; done"],
]);

table("a deny or ask without a wildcard that names an action means all of it", [
  [["deny rm"], "allow", "deny", "rm", "rm x", "/bin/rm x"],
  [["ask git commit"], "allow", "ask", "git commit", "git commit -m x"],
  [["ask git commit"], "allow", "allow", "git commit-tree x", "git log"],
  [["allow git commit"], "ask", "ask", "git commit -m x"],
]);

table("escapes turn an allow into an ask", [
  [["allow sort *"], "ask", "ask", "sort --compress-program=sh x", "sort --compress-prog sh x", "sort -o out x"],
  [["allow sort *"], "ask", "allow", "sort x", "sort -r x"],
  [["allow sort -o *"], "ask", "allow", "sort -o out x"],
  [["allow sort * [-o]"], "ask", "allow", "sort -o out x"],
  [["allow git diff*"], "ask", "ask", "git diff --output=x", "git difftool"],
  [["allow *"], "ask", "allow", "sort -o out x"],
  [[], "allow", "allow", "sort -o out x"],
  [["allow find *"], "ask", "ask", "find . -delete"],
  [["allow find * -delete*"], "ask", "allow", "find . -delete"],
]);

table("redirects that write are requests of their own", [
  [
    ["allow echo *"],
    "ask",
    "ask",
    "echo a > f",
    "echo a >> f",
    "echo a 2> f",
    "echo a &> f",
    "echo a >| f",
    "echo a 3> f",
  ],
  [
    ["allow echo *"],
    "ask",
    "allow",
    "echo a > /dev/null",
    "echo a 2>&1",
    "echo a >&2",
    "echo a 2>/dev/null",
    "echo a < f",
  ],
  [["allow echo *"], "deny", "deny", "echo a > f"],
  [["allow *"], "deny", "allow", "echo a > f"],
  [["allow echo *", "allow file_write: /work/project/**"], "ask", "allow", "echo a > f", "echo a > d/f"],
  [
    ["allow echo *", "allow file_write: /work/project/**"],
    "ask",
    "ask",
    "echo a > /etc/f",
    "echo a > ../f",
    "echo a > d/../../f",
  ],
  [
    ["allow echo *", "allow echo * > /tmp/*"],
    "ask",
    "allow",
    "echo a > /tmp/f",
    "echo a > /tmp/f 2>&1",
    "echo a > /tmp/f 2>/dev/null",
  ],
  [
    ["allow echo *", "allow echo * > /tmp/*"],
    "ask",
    "ask",
    "echo a > /etc/f",
    "echo a > /tmp/../etc/f",
    "echo a > /etc/f > /tmp/f",
    "echo 'a > /tmp/x' > /etc/f",
    "echo a >> /tmp/f",
    'echo a > "/tmp/$x"',
  ],
  [["allow npm test*", "allow npm test* > out.log"], "ask", "allow", "npm test >out.log 2>&1"],
  [["deny ls *>*", "allow *"], "ask", "deny", "ls a > b", "ls > b"],
  [
    ["allow *", "deny file_write: *.env"],
    "ask",
    "deny",
    "echo a > .env",
    "echo a > d/prod.env",
    "tee .env",
    "cp a .env",
  ],
  [["deny *"], "ask", "deny", ">> f"],
  [["allow echo *"], "ask", "ask", "> f"],
]);

table("operands only tighten", [
  [
    ["deny file_read: **/.env"],
    "allow",
    "deny",
    "cat .env",
    "cat d/../.env",
    "cat < .env",
    "/bin/cat .env",
    "cp .env x",
    "echo $(cat .env)",
    "sh -c 'cat .env'",
    "cd d && cat .env",
    "cat $HOME/.env",
  ],
  [["deny file_read: **/.env"], "allow", "allow", "cat x", "cat .envrc", "echo .env", "cat *.ts"],
  [["deny file_read: **/.env"], "allow", "ask", 'cat "$x"', "cat $d/.e*", "cat *.env", "grep -r x ."],
  [["allow cat *"], "deny", "allow", "cat f"],
  [["deny file_read: ~/.ssh/**"], "allow", "deny", "cat ~/.ssh/id", "cat $HOME/.ssh/id", "cat /home/u/.ssh/id"],
  [["deny edit: src/**"], "allow", "deny", "rm src/a", "sed -i s/a/b/ src/a"],
  [["deny file_write: /work/project/.git/**"], "allow", "ask", "rm -rf /work/project", "rm -rf ."],
  [["ask *: *", "allow *"], "ask", "ask", "cat f"],
  [
    ["allow *", "deny external_directory: *"],
    "ask",
    "deny",
    "cat /etc/passwd",
    "echo k >> ~/.ssh/x",
    "cd ..",
    "ls /tmp",
  ],
  [["allow *", "deny external_directory: *"], "ask", "allow", "cat a", "ls d", "cd d"],
  [
    ["allow *", "allow external_directory: /tmp/**", "deny external_directory: *"],
    "ask",
    "allow",
    "ls /tmp",
    "cat /tmp/x",
  ],
  [["deny webfetch: https://bad.test/*"], "allow", "deny", "git clone https://bad.test/x"],
]);

table("a wrapper that stands for its command is not judged by the default", [
  [["allow grep *"], "ask", "allow", "nice -n 10 grep x", "timeout 5 grep x", "time grep x", "nohup grep x"],
  [["ask *", "allow grep *"], "ask", "ask", "nice grep x"],
  [["allow grep *", "ask *"], "ask", "allow", "nice grep x"],
  [["deny timeout *"], "allow", "deny", "timeout 5 ls"],
  [["allow timeout *"], "ask", "ask", "timeout 5 ls"],
  [["allow env *"], "deny", "deny", "env bash -c id"],
]);

table("an allow of what runs a command covers the command it names", [
  [["allow xargs grep *"], "ask", "allow", "xargs grep x"],
  [["allow xargs *"], "ask", "ask", "xargs grep x"],
  [["allow xargs grep *", "deny grep *"], "ask", "deny", "xargs grep x"],
  [["allow npx *"], "ask", "allow", "npx tsc"],
  [["allow poetry *"], "ask", "allow", "poetry run pytest -q"],
  [["allow npx *"], "ask", "ask", "npx sh -c 'id'"],
  [["allow npx *", "deny tsc *"], "ask", "deny", "npx tsc"],
  [["allow sudo apt *"], "ask", "allow", "sudo apt update"],
]);

table("what runs nothing", [
  [[], "ask", "allow", "[ -f x ]", "test -d y", "true", ":"],
  [[], "ask", "ask", "# a comment", "[[ a ]]", ""],
  [[], "deny", "deny", "# a comment", ""],
  [[], "allow", "ask", "", "  \n "],
  [[], "allow", "allow", "# a comment"],
  [["allow *"], "ask", "allow", "[[ a > b ]]"],
  [["allow git commit *"], "ask", "allow", "git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\""],
  [["deny *"], "ask", "deny", "true"],
]);

table("findings are floors", [
  [["allow *"], "allow", "ask", "$x", 'eval "$x"', "PATH=/x ls", 'bash -c "$x"'],
  [["allow *"], "allow", "deny", "echo 'a", "ls; ("],
]);

table("functions of the text", [
  [["allow echo *"], "ask", "allow", "f() { echo a; }; f"],
  [["allow echo *"], "ask", "ask", "f() { id; }; f"],
  [["deny rm *"], "allow", "deny", "f() { rm x; }; f"],
]);

test("reasons say which rule, finding or default decided", () => {
  expect(reasonsOf("git status && rm -rf x | tee log", ["allow git *", "deny rm *"])).toEqual([
    "rule git *",
    "rule rm *",
    "default",
  ]);
  expect(reasonsOf("rm $x", ["deny rm -rf *"], "allow")).toEqual(["possible-deny rm -rf *"]);
  expect(reasonsOf("sort -o x y", ["allow sort *"])).toEqual(["escape sort *"]);
  expect(reasonsOf("timeout 5 ls", ["allow ls"])).toEqual(["transparent", "rule ls"]);
  expect(reasonsOf("A=1", [])).toEqual(["assignment"]);
  expect(reasonsOf("npx tsc", ["allow npx *"])).toEqual(["rule npx *", "covered npx *"]);
  expect(reasonsOf("$x", [], "allow")).toEqual(["finding dynamic-program"]);
});

test("no document at all lets everything run", () => {
  expect(judge("rm -rf x", { documents: [] })).toMatchObject({
    decision: "allow",
    verdicts: [{ because: [{ kind: "off" }] }],
  });
});
