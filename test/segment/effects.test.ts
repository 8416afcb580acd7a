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
