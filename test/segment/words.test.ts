import { describe, expect, test } from "vitest";
import type { Value } from "../../src/segment/index.ts";
import { split } from "./split.ts";

/** The words of the last segment: strings as they are, holes in brackets, `?` behind a word that may be none or several. */
function words(text: string): string[] {
  const last = split(text).segments.at(-1);
  return (last?.words ?? []).slice(1).map(shown);
}

function shown(value: Value): string {
  if (typeof value === "string") return value;
  const parts = value.pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    return piece.choices === undefined ? `[${piece.cause}]` : `[${piece.choices.join("|")}]`;
  });
  return parts.join("") + (value.splits ? "?" : "");
}

function cases(
  name: string,
  rows: readonly (readonly [texts: readonly string[], expected: readonly string[]])[],
): void {
  describe(name, () => {
    for (const [texts, expected] of rows)
      for (const text of texts) test(JSON.stringify(text), () => expect(words(text)).toEqual(expected));
  });
}

cases("quotes and escapes are removed as bash removes them", [
  [
    [
      "e rm",
      "e 'rm'",
      'e "rm"',
      "e r'm'",
      "e r\\m",
      "e $'\\x72m'",
      "e $'\\162m'",
      "e r\\\nm",
      'e ""rm',
      "e $'r\\u006d'",
    ],
    ["rm"],
  ],
  [["e ''", 'e ""', "e $''"], [""]],
  [["e 'a'\\''b'", 'e "a\'b"', "e a\\'b", "e $'a\\'b'"], ["a'b"]],
  [["e '$x'", "e \\$x", "e $'$x'"], ["$x"]],
  [['e "a\\b"'], ["a\\b"]],
  [['e "a\\$b\\`c\\"d"'], ['a$b`c"d']],
]);

cases("braces make words before anything else", [
  [
    ["e a{b,c}", "e a{'b',c}"],
    ["ab", "ac"],
  ],
  [["e {1..3}"], ["1", "2", "3"]],
  [["e {3..1..2}"], ["3", "1"]],
  [["e {01..3}"], ["01", "02", "03"]],
  [["e {a..c}"], ["a", "b", "c"]],
  [["e {a,b}{1,2}"], ["a1", "a2", "b1", "b2"]],
  [["e {a,{b,c}}"], ["a", "b", "c"]],
  [["e {a}", "e '{a}'"], ["{a}"]],
  [["e '{a,b}'", "e \\{a,b}", 'e "{a,b}"'], ["{a,b}"]],
  [["e -{r,f}"], ["-r", "-f"]],
]);

cases("what is known is put in", [
  [["e ~", "e $HOME", 'e "$HOME"', "e ${HOME}", "e ${HOME:-x}"], ["/home/ada"]],
  [["e ~/x", "e $HOME/x"], ["/home/ada/x"]],
  [["e '~'", "e \\~"], ["~"]],
  [["x=a; e $x", "x='a'\ne \"${x}\"", "x=a && e $x"], ["a"]],
  [["x=a; y=${x}b; e $y"], ["ab"]],
  [["x=; e ${x:-b}"], ["b"]],
  [["x='a b'; e $x"], ["a", "b"]],
  [["x='a b'; e \"$x\""], ["a b"]],
  [["e $LIST"], ["one", "two"]],
  [["cd d && e $PWD"], ["/repo/d"]],
  [["for x in a b; do e $x; done"], ["[a|b]"]],
  [['for x in a b; do :; done; e "$x"'], ["[variable]"]],
]);

cases("what is not known is a hole", [
  [
    [
      "e $x",
      "e ${x}",
      "read x; e $x",
      "x=a; read x; e $x",
      'x=a; eval "$y"; e $x',
      "x=a; $y; e $x",
      "x=a; . y; e $x",
      "if a; then x=b; fi; e $x",
    ],
    ["[variable]?"],
  ],
  [['e "$x"'], ["[variable]"]],
  [["e a$x"], ["a[variable]?"]],
  [['x=$(c); e "$x"'], ["[command]"]],
  [["e *.ts"], ["[path].ts"]],
  [["e a?"], ["a[path]"]],
  [["e $((1+1))"], ["[arithmetic]"]],
  [["e $IFS", "e $RANDOM", "e $1"], ["[variable]?"]],
  [["declare -l x=AB; e $x", "declare -u x=ab; e $x"], ["[variable]?"]],
  [["x=a; trap 'x=b' DEBUG; e $x", "trap 'x=b' DEBUG; x=a; e $x"], ["[variable]?"]],
  [["x=a; trap 'x=b' EXIT; e $x"], ["a"]],
  [["IFS=x; y=axb; e $y"], ["axb"]],
]);
