import { describe, expect, test } from "vitest";
import { effects, WORLD } from "./split.ts";

/** Of the last use of a file, every path. */
function last(text: string, world = WORLD): readonly string[] {
  return (effects(text, world).at(-1) ?? "").split(" or ");
}

describe("a path through a link that the text makes is also where the link leads", () => {
  test.each<[string, readonly string[]]>([
    ["ln -s /d r && e > r/f", ["write /repo/r/f", "/d/f"]],
    ["ln -sfn /d r; e > r/f", ["write /repo/r/f", "/d/f"]],
    ["ln -sT /d r; e > r/f", ["write /repo/r/f", "/d/f"]],
    ["ln -s -t . /d/r; e > r/f", ["write /repo/r/f", "/d/r/f"]],
    ["ln -s /d/r .; e > r/f", ["write /repo/r/f", "/d/r/f"]],
    ["ln -s /d/r; e > r/f", ["write /repo/r/f", "/d/r/f"]],
    ["ln /d/r r; e > r", ["write /repo/r", "/d/r"]],
    ["link /d/r r; e > r", ["write /repo/r", "/d/r"]],
    ["cp -s /d/r r; e > r", ["write /repo/r", "/d/r"]],
    ["cp -rl /d r; e > r/f", ["write /repo/r/f", "/d/f"]],
    ["mv a b; cat b", ["read /repo/b", "/repo/a"]],
    ["mv d b; grep -r x b", ["search /repo/b", "/repo/d"]],
    ["mv a /tmp/; cat /tmp/a", ["read /tmp/a", "/repo/a/a", "/repo/a"]],
    ["mv a b; e > b", ["write /repo/b"]],
    ["ln -s / r; cat r/etc/f", ["read /repo/r/etc/f", "/etc/f"]],
    ["ln -s . r; cat r/r/f", ["read /repo/r/r/f", "/repo/r/f", "/repo/f"]],
    ["ln -s ../d s/r; e > s/r/f", ["write /repo/s/r/f", "/repo/d/f", "/d/f"]],
    ["ln -s /d r; cd r && e > f", ["write /repo/r/f", "/d/f"]],
    ["ln -s /d r; ln -s r q; e > q/f", ["write /repo/q/f", "/repo/r/f", "/d/f"]],
    ["ln -s /d r; mv r q; e > q/f", ["write /repo/q/f", "/d/f"]],
    ["ln -s /d r; cp -a r q; e > q/f", ["write /repo/q/f", "/d/f"]],
    ["ln -s /d s/r; mv s q; e > q/r/f", ["write /repo/q/r/f", "/d/f"]],
    ["ln -s /d r; e > r/$x", ["write /repo/r/$x", "/d/$x"]],
    ["ln -s /d r; cat r*/f", ["read /repo/r*/f", "/d/f"]],
    ["ln -s /d/s r; cat r/../f", ["read /repo/f", "/d/f"]],
    ["ln -s /d/s r; cd r; cat ../f", ["read /repo/f", "/f", "/d/f"]],
    ["ln -s $x r; e > r/f", ["write /repo/r/f", "$x/f"]],
    ["cd $d; ln -s /d r; e > r/f", ["write ?/r/f", "/d/f"]],
    ["ln -s /d/* .; e > r/f", ["write /repo/r/f", "/d/*/f"]],
    ["sh -c 'ln -s /d r'; e > r/f", ["write /repo/r/f", "/d/f"]],
  ])("%s", (text, expected) => expect(last(text)).toEqual(expected));

  test("also when a loop or a function comes back to it", () => {
    expect(effects("for i in 1 2; do cat r/f; ln -s /d r; done")[0]).toBe("read /repo/r/f or /d/f");
    expect(effects("f() { cat r/f; }; ln -s /d r; f")[0]).toBe("read /repo/r/f or /d/f");
  });
});

describe("a path beside the link is left alone", () => {
  test.each<[string, readonly string[]]>([
    ["ln -s /d r; e > f", ["write /repo/f"]],
    ["ln -s /d r; e > rr/f", ["write /repo/rr/f"]],
    ["ln -s /d r; e > s/r/f", ["write /repo/s/r/f"]],
    ["ln -s /d r; rm r", ["edit /repo/r"]],
    ["rm -f r; ln -s /d r", ["write /repo/r", "/repo/r/d"]],
    ["cp d r; e > r/f", ["write /repo/r/f"]],
    ["mv d r; e > r/f", ["write /repo/r/f"]],
    ["cat s/../f", ["read /repo/f"]],
  ])("%s", (text, expected) => expect(last(text)).toEqual(expected));
});

test("a link that is there already stays one when it is moved, and is gone up from as the kernel does", () => {
  const links = new Map([["/repo/old", "/d/e"]]);
  const realPath = (path: string) => {
    for (const [from, to] of links)
      if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
    return path;
  };
  const world = { ...WORLD, realPath };
  expect(last("mv old new; e > new/f", world)).toEqual(["write /repo/new/f", "/d/e/f"]);
  expect(last("mv plain new; e > new/f", world)).toEqual(["write /repo/new/f"]);
  expect(last("cat old/../f", world)).toEqual(["read /repo/f", "/d/f"]);
  expect(last("cd old && cat ../f", world)).toEqual(["read /repo/f", "/d/f"]);
  expect(last("cd plain && cat ../f", world)).toEqual(["read /repo/f"]);
  expect(last("cat plain/../f", world)).toEqual(["read /repo/f"]);
});

test("a project that lies behind a link is one place", () => {
  const realPath = (path: string) => (path.startsWith("/real/") ? path : `/real${path}`);
  for (const text of ["cat s/../f", "cat ../repo/f", "cd s && cat ../f"])
    expect(last(text, { ...WORLD, realPath })).toEqual(["read /repo/f"]);
});

test("many links and many paths are not compared each with each", () => {
  const text = Array.from({ length: 2000 }, (_, i) => `ln -s /d${i} r${i}; cat r${i}/f`).join("\n");
  expect(effects(text).at(-1)).toBe("read /repo/r1999/f or /d1999/f");
});
