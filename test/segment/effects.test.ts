import { describe, expect, test } from "vitest";
import { effects, WORLD, worldWith } from "./split.ts";

function cases(
  name: string,
  rows: readonly (readonly [texts: readonly string[], expected: readonly string[]])[],
  used: (text: string) => readonly string[] = effects,
): void {
  describe(name, () => {
    for (const [texts, expected] of rows)
      for (const text of texts) test(JSON.stringify(text), () => expect(used(text)).toEqual(expected));
  });
}

/** The same without hosts, and without the archive `a`. */
function besides(text: string): readonly string[] {
  return effects(text).filter((effect) => !effect.startsWith("net ") && effect !== "read /repo/a");
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
  [["find -name x -delete"], ["edit /repo or /repo/x or /repo/**x"]],
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

cases(
  "what is downloaded or taken out of an archive is written here, or where it is told",
  [
    [
      [
        "curl -O http://x/d/f",
        "curl -sLO 'http://x/d/f?a=/b'",
        "curl --remote-name-all http://x/d/f",
        "curl -O --url http://x/d/f",
      ],
      ["write /repo/f"],
    ],
    [["wget -q http://x/d/f", "wget http://x/d/f#a"], ["write /repo/f"]],
    [["wget http://x/d/", "wget http://x"], ["write /repo/index.html"]],
    [["curl -O http://x/%2ef"], ["write /repo/%2ef", "write /repo/.f"]],
    [["curl -O $u/f", 'wget "$u/f"'], ["write /repo/f"]],
    [["curl -O http://x/$f"], ["write $f"]],
    [["curl -O --output-dir d http://x/f", "wget -P d http://x/f"], ["write /repo/d/f"]],
    [["curl http://x/f", "wget --spider http://x/f"], []],
    [["tar xf a d/f", "tar -xf a -- d/f", "unzip a d/f", "bsdtar xf a /d/f"], ["extract /repo/d/f"]],
    [["tar xf a -C s d/f"], ["extract /repo/s", "extract /repo/s/d/f"]],
    [["unzip a d/f -d s"], ["extract /repo/s/d/f", "extract /repo/s"]],
    [["unzip a 'd/*'"], ["extract /repo/d/*"]],
    [["tar tf a f", "unzip -p a f", "unzip -l a f", "tar xOf a f"], []],
  ],
  besides,
);

cases(
  "a value may name a file that is sent",
  [
    [
      ["curl -d @f http://x", "curl --data-binary @f http://x", "curl --json=@f http://x", "curl -H @f http://x"],
      ["read /repo/f"],
    ],
    [
      ["curl -F a=@f http://x", "curl -Fa='<f' http://x", "curl --data-urlencode a@f http://x", "curl -w @f http://x"],
      ["read /repo/f"],
    ],
    [["curl -b f http://x", "gh api x -F a=@f", "http POST x a=@f", "http POST x a@f"], ["read /repo/f"]],
    [["curl -F 'a=@f;type=b/c' http://x"], ["read /repo/f;type=b/c", "read /repo/f"]],
    [["curl -d @d/$f http://x"], ["read /repo/d/$f"]],
    [
      [
        "curl -d f@x http://x",
        "curl -d @- http://x",
        "curl -F a=b@c http://x",
        "curl -b a=b http://x",
        "curl --data-raw @f http://x",
      ],
      [],
    ],
    [["curl file:///d/f", "curl FILE://localhost/d/f", "curl file:/d/%66"], ["read /d/f"]],
  ],
  besides,
);

test("a word for version control is a file when it can be nothing else, or when there is one", () => {
  const there = new Set(["/repo/.git", "/repo/f", "/repo/s/f"]);
  const world = { ...WORLD, exists: (path: string) => there.has(path) };
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["git checkout f", ["edit /repo/f"]],
    ["git checkout main", []],
    ["git checkout -- main", ["edit /repo/main"]],
    ["git checkout HEAD~1 -- main", ["edit /repo/main"]],
    ["git checkout .", ["edit /repo", "extract /repo"]],
    ["git checkout .gone", ["edit /repo/.gone"]],
    ["git checkout 'g*'", ["edit /repo/g*"]],
    ["git checkout $x", []],
    ["git -C s checkout f", ["edit /repo/s/f"]],
    ["git diff main", []],
    ["git diff main -- d/f", ["read /repo/d/f"]],
    ["git log -p f", ["read /repo/f"]],
    ["git blame f", ["read /repo/f"]],
    ["git show HEAD", []],
    ["git show HEAD:d/f", ["read /repo/d/f"]],
    ["git show $r:d/f", ["read /repo/d/f"]],
    ["git -C s show HEAD:d/f", ["read /repo/s/d/f or /repo/d/f"]],
    ["git cat-file -p :f", ["read /repo/f"]],
    ["git archive HEAD f", ["read /repo/f"]],
  ];
  expect(rows.map(([text]) => [text, effects(text, world)])).toEqual(rows);
});

cases("what is run or obeyed is read", [
  [
    ["awk -f .env", "sed -f .env", "bash .env", ". .env", "source .env", "python3 .env", "node .env"],
    ["read /repo/.env"],
  ],
  [["ssh -F .env h"], ["read /repo/.env", "net h"]],
]);

cases("what `find` was asked for by name is known to its inner command", [
  [["find d -name '*.c' -exec rm {} ';'"], ["list /repo/d", "edit /repo/d/***.c or /repo/d/*.c"]],
  [["find -name f -execdir rm {} +"], ["list /repo", "edit {} or /repo/f or /repo/**f"]],
  [["find -path './d/*.c' -exec cat {} +"], ["list /repo", "read {} or /repo/d/**.c"]],
  [["find d -name f -exec cat {} +"], ["list /repo/d", "read /repo/d/**f or /repo/d/f"]],
  [
    ["find d -iname f -exec cat {} +", "find d -name f -o -type d -exec cat {} +", "find d ! -name f -exec cat {} +"],
    ["list /repo/d", "read /repo/d/** or /repo/d/f or /repo/d/**f"],
  ],
  [["find -L d -name f -exec cat {} +"], ["list /repo/d", "read {} or /repo/d/f or /repo/d/**f"]],
  [["find -H d -name f -exec cat {} +"], ["list /repo/d", "read {} or /repo/d/f or /repo/d/**f"]],
  [["find -files0-from l -type f -exec cat {} +"], ["read /repo/l", "read {}"]],
  [["find -f e -type f -exec cat {} +"], ["list /repo/e", "list /repo", "read {}"]],
  [["find d e -type f -exec cat {} +"], ["list /repo/d", "list /repo/e", "read {}"]],
  [["find d -type f -exec cat {} +"], ["list /repo/d", "read /repo/d/**"]],
]);

test("a copy lands below its destination only where a folder may be", () => {
  const files = { "/repo/file": "" };
  const there = new Set(["/repo", "/repo/file", "/repo/folder"]);
  const world = { ...worldWith(files), exists: (path: string) => there.has(path) };
  const all = (text: string) => effects(text, world).join("; ");
  expect(all("cp k.txt folder")).toContain("/repo/folder/k.txt");
  expect(all("cp k.txt file")).not.toContain("/repo/file/k.txt");
  expect(all("ls; cp k.txt new")).not.toContain("/repo/new/k.txt");
  expect(all("mkdir new; cp k.txt new")).toContain("/repo/new/k.txt");
  expect(all("make; cp k.txt new")).toContain("/repo/new/k.txt");
});
