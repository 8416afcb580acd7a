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
    ["env -u A", ["reveals"]],
    ["env ls", ["runs"]],
    ["git gc", ["writes"]],
    ["git gc --prune", ["writes"]],
    ["git gc --prune=now", ["deletes"]],
    ["git gc --prune --prune=now", ["deletes"]],
    ["git checkout main", ["writes"]],
    ["git checkout -b x main", ["writes"]],
    ["git checkout main a", ["writes", "deletes"]],
    ["git checkout --nobody-knows main", ["writes", "deletes"]],
    ["git restore", ["looks"]],
    ["git restore a -h", ["looks"]],
    ["git restore -S a", ["writes"]],
    ["git restore -SW a", ["deletes"]],
    ["kubectl delete pod x --dry-run=client", ["looks"]],
    ["kubectl delete pod x --dry-run=server", ["fetches"]],
    ["kubectl delete pod x --dry-run=none", ["deletes", "sends"]],
    ["kubectl delete pod x --dry-run=client --dry-run=none", ["deletes", "sends"]],
    ["kubectl delete pod x --dry-run=$x", ["deletes", "sends"]],
    ["terraform state rm -dry-run a", ["looks"]],
    ["terraform state rm -dry-run=false a", ["rewrites", "deletes"]],
    ["bash -n a.sh", ["looks"]],
    ["bash -n -i a.sh", ["runs"]],
    ["bash -n +n a.sh", ["runs"]],
    ["python3 -c 'print(1)'", ["looks"]],
    ["python3 -c 'print(1)' $x", ["looks"]],
    ["python3 -i -c 'print(1)'", ["runs"]],
    ["python3 -c 'f()'", ["runs"]],
    ["python3 -c $x", ["runs"]],
    ["node -pe 1", ["looks"]],
    ["node -r ./x.js -pe 1", ["runs"]],
    ["perl -e 'print 1' $x", ["runs"]],
    ["perl -i -pe 'print 1' a", ["runs"]],
    ["psql -tAc 'SELECT 1' db", ["fetches"]],
    ["psql -c 'SELECT 1' -f a.sql", ["runs", "sends"]],
    ["psql -c 'SELECT 1' -c 'DROP TABLE a'", ["runs", "sends"]],
    ["psql $x -c 'SELECT 1'", ["runs", "sends"]],
    ["psql db", ["runs", "sends"]],
    ["mysql -G -e 'SELECT 1'", ["runs", "sends"]],
    ["sqlite3 -cmd 'SELECT 1' a.db", ["runs"]],
    ["sqlite3 a.db 'SELECT 1'", ["looks"]],
    ["sqlite3 a.db 'SELECT 1' .shell", ["runs"]],
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
