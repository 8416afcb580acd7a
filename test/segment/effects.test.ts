import { describe, expect, test } from "vitest";
import { effects } from "./split.ts";

function cases(
  name: string,
  rows: readonly (readonly [texts: readonly string[], expected: readonly string[]])[],
): void {
  describe(name, () => {
    for (const [texts, expected] of rows)
      for (const text of texts) test(JSON.stringify(text), () => expect(effects(text)).toEqual(expected));
  });
}

cases("redirects read and write", [
  [
    [
      "e > f",
      "e >f",
      "e >> f",
      "e >| f",
      "e &> f",
      "e &>> f",
      "e >& f",
      "e 2> f",
      "e {fd}> f",
      "e <> f",
      "> f",
      "e > ./x/../f",
      "e > /repo/f",
      "e > 'f'",
    ],
    ["write /repo/f"],
  ],
  [["e < f"], ["read /repo/f"]],
  [["e 2>&1", "e >&-", "e > /dev/null", "e 2>/dev/null", "e <<< x", "e < /dev/null", "e 3<&0"], []],
  [["e > ~/f", "e > $HOME/f"], ["write /home/ada/f"]],
  [["e > '~/f'"], ["write /repo/~/f"]],
  [["e > $x"], ["write $x"]],
  [["{ e; } > f", "(e) > f", "if e; then :; fi > f", "while e; do :; done > f"], ["write /repo/f"]],
]);

cases("the directory is followed", [
  [
    ["cd d && e > f", "{ cd d && e > f; }", "cd d || exit; e > f"],
    ["list /repo/d", "write /repo/d/f"],
  ],
  [["cd d; e > f"], ["list /repo/d", "write /repo/d/f or /repo/f"]],
  [
    ["(cd d); e > f", "cd d | e > f", "cd d & e > f"],
    ["list /repo/d", "write /repo/f"],
  ],
  [["cd $x && e > f"], ["list $x", "write ?/f"]],
  [["cd $x && cd /d && e > f"], ["list $x", "list /d", "write /d/f"]],
  [["popd && e > f"], ["write ?/f"]],
  [["pushd d && popd && e > f"], ["list /repo/d", "write /repo/f"]],
  [["for x in 1 2; do cd d; done; e > f"], ["list ?/d", "write ?/f"]],
]);

cases("operands of known programs are used as they say", [
  [["cat f", "/bin/cat f", "timeout 5 cat f", "sudo cat f"], ["read /repo/f"]],
  [["cp a b"], ["read /repo/a", "write /repo/b or /repo/b/a"]],
  [["mv a b"], ["edit /repo/a", "write /repo/b or /repo/b/a"]],
  [["rm -rf a"], ["edit /repo/a"]],
  [["tee f"], ["write /repo/f"]],
  [["sed -i s/a/b/ f"], ["edit /repo/f"]],
  [["sed s/a/b/ f"], ["read /repo/f"]],
  [["curl -o f https://x.test"], ["write /repo/f", "net https://x.test"]],
]);

cases("what is used when no word says it", [
  [["ls", "ls -la", "tree -L 2", "du -sh", "find", "find -name x", "fd x", "exa -l"], ["list /repo"]],
  [["rg x", "rg -n x -g '*.ts'", "rg --files", "ag x", "ack x"], ["search /repo"]],
  [["grep -r x", "grep -Rne x --include='*.ts'", "rgrep x", "git grep x", "true | grep -r x"], ["search /repo"]],
  [["git -C d grep x"], ["search /repo/d"]],
  [["fd --base-directory d x"], ["list /repo/d"]],
  [["find -name x -delete"], ["edit /repo"]],
  [["grep x", "rg --version", "rg --type-list", "true | rg x", "rg x <<< y", "true | ack x", "ls --help"], []],
  [["rg x < f", "cat f | rg x", "grep x f"], ["read /repo/f"]],
  [["rg x f", "true | rg x f"], ["search /repo/f"]],
  [["cd d && ls"], ["list /repo/d", "list /repo/d"]],
]);

cases("copies are written under the names of what is copied", [
  [["cp x d/y"], ["read /repo/x", "write /repo/d/y or /repo/d/y/x"]],
  [
    ["cp s/x d", "cp -p s/x d/"],
    ["read /repo/s/x", "write /repo/d or /repo/d/x"],
  ],
  [
    ["cp s/x .", "cp s/x ./", "cp s/x /repo/d/.."],
    ["read /repo/s/x", "write /repo/x"],
  ],
  [["cp -T x d"], ["read /repo/x", "write /repo/d"]],
  [["cp a s/b d"], ["read /repo/a", "read /repo/s/b", "write /repo/d/a", "write /repo/d/b"]],
  [
    ["cp -t d a s/b", "cp --target-directory=d a s/b"],
    ["write /repo/d/a", "write /repo/d/b", "read /repo/a", "read /repo/s/b"],
  ],
  [["cp -rt d a"], ["write /repo/d/a", "extract /repo/d/a", "search /repo/a"]],
  [["cp -r a d"], ["search /repo/a", "write /repo/d or /repo/d/a", "extract /repo/d or /repo/d/a"]],
  [["cp -r a/. d"], ["search /repo/a", "write /repo/d", "extract /repo/d"]],
  [["cp --parents a/b d"], ["read /repo/a/b", "extract /repo/d"]],
  [
    ["cp $x d", 'cp "$x" d'],
    ["read $x", "write /repo/d", "extract /repo/d"],
  ],
  [["cp *.ts d"], ["read /repo/*.ts", "write /repo/d or /repo/d/*.ts"]],
  [["cp x $d"], ["read /repo/x", "write $d or $d/x"]],
  [["cp -t a -t b x"], ["extract /repo/a", "extract /repo/b", "read /repo/x"]],
  [["mv s/x d"], ["edit /repo/s/x", "write /repo/d or /repo/d/x"]],
  [["git mv s/x d"], ["edit /repo/s/x", "write /repo/d or /repo/d/x"]],
  [["ln -s /s/x d"], ["read /s/x", "write /repo/d or /repo/d/x"]],
  [["install -Dm755 -t d s/x"], ["write /repo/d/x", "read /repo/s/x"]],
  [["scp h:s/x ."], ["read /repo/h:s/x", "write /repo/x"]],
  [["docker cp c:/s/x ."], ["read /repo/c:/s/x", "write /repo/x"]],
  [["find s | xargs cp -t d"], ["list /repo/s", "extract /repo/d", "read …"]],
]);

cases("what is run or obeyed is read", [
  [
    ["awk -f .env", "sed -f .env", "bash .env", ". .env", "source .env", "python3 .env", "node .env"],
    ["read /repo/.env"],
  ],
  [["ssh -F .env h"], ["read /repo/.env", "net h"]],
]);
