import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DECISIONS, type Decision } from "../../src/policy/index.ts";
import { judge, policyOf } from "./judge.ts";

const POLICIES = [
  policyOf(["deny rm *", "ask git push *", "deny file_write: secret/**"], "allow"),
  policyOf(["allow git status *", "allow cat *", "allow echo *", "deny rm -rf *", "allow rm *"], "ask"),
  policyOf(["ask rm * [-r -R --recursive]", "allow rm *", "allow git *", "deny cat secret/*"], "deny"),
  policyOf(["allow *", "ask git push *", "deny rm *"], "ask", "last-match"),
];

const word = fc.constantFrom(
  "a",
  "-r",
  "-rf",
  "status",
  "push",
  "origin",
  "secret/key",
  "--force",
  "b c",
  "x=1",
  "src/a.ts",
);
const argv = fc
  .tuple(fc.constantFrom("git", "rm", "cat", "echo", "npm", "/bin/rm"), fc.array(word, { maxLength: 3 }))
  .map(([program, words]) => [program, ...words]);
const redirect = fc.constantFrom("", "", "", " >out.txt", " >secret/log", " <a", " 2>&1");
const command = fc.tuple(argv, redirect).map(([words, where]) => words.map(single).join(" ") + where);
const operator = fc.constantFrom(" && ", " || ", "; ", " | ", " & ", "\n");
const text = fc
  .array(fc.tuple(operator, command), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([between, each], i) => (i === 0 ? each : between + each)).join(""));
const policy = fc.constantFrom(...POLICIES);
const runs = { numRuns: 300, seed: 22 };

function single(word: string): string {
  return /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function strictness(decision: Decision): number {
  return DECISIONS.indexOf(decision);
}

/** That the second text is not judged laxer than the first. */
function expectNoLaxer(before: string, after: string, under: (typeof POLICIES)[number]): void {
  const [first, second] = [judge(before, under).decision, judge(after, under).decision];
  if (strictness(second) < strictness(first)) expect({ [before]: first, [after]: second }).toEqual("no laxer");
}

describe("a verdict becomes no laxer", () => {
  test("with a segment appended", () => {
    fc.assert(
      fc.property(text, operator, command, policy, (before, between, more, under) =>
        expectNoLaxer(before, before + between + more, under),
      ),
      runs,
    );
  });

  test.each<[string, (inner: string) => string]>([
    ["( )", (inner) => `(${inner})`],
    ["{ ;}", (inner) => `{ ${inner}\n}`],
    ["if", (inner) => `if true; then ${inner}\nfi`],
    ["while", (inner) => `while false; do ${inner}\ndone`],
    ["bash -c", (inner) => `bash -c ${single(inner)}`],
    ["sh -c in double quotes", (inner) => `sh -c "${inner.replace(/["$`\\]/g, "\\$&")}"`],
    ["eval", (inner) => `eval ${single(inner)}`],
    ["$( )", (inner) => `echo $(${inner})`],
    ["backquotes", (inner) => `echo \`${inner.replace(/[`\\]/g, "\\$&")}\``],
    ["<( )", (inner) => `cat <(${inner})`],
    ["a function that is called", (inner) => `f() { ${inner}\n}; f`],
    ["timeout 5 bash -c", (inner) => `timeout 5 bash -c ${single(inner)}`],
    ["env and xargs", (inner) => `echo a | env A=1 xargs -I{} bash -c ${single(inner)}`],
    ["a here-document", (inner) => `bash <<'END'\n${inner}\nEND`],
    ["a here-string", (inner) => `bash <<<${single(inner)}`],
    ["a substitution in double quotes", (inner) => `echo "a $(${inner}) b"`],
    ["an assignment", (inner) => `x=$(${inner})`],
    ["arithmetic", (inner) => `echo $(( $(${inner}) + 1 ))`],
    ["a test", (inner) => `[[ -n $(${inner}) ]]`],
    ["a subscript", (inner) => `x[$(${inner})]=1`],
    ["a parameter's operand", (inner) => `echo "\${x:-$(${inner})}"`],
    ["an unquoted here-document", (inner) => `cat <<END\n$(${inner})\nEND`],
    ["a trap", (inner) => `trap ${single(inner)} EXIT`],
    ["a coprocess", (inner) => `coproc { ${inner}\n}`],
  ])("inside %s", (_, around) => {
    fc.assert(
      fc.property(text, policy, (inner, under) => expectNoLaxer(inner, around(inner), under)),
      runs,
    );
  });
});

describe("a verdict stays the same", () => {
  const spelling = fc.constantFrom<(word: string) => string>(
    (word) => `'${word}'`,
    (word) => `"${word}"`,
    (word) => word.replace(/./g, "\\$&"),
    (word) => `$'${word}'`,
    (word) => `$'${[...word].map((c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")}'`,
    (word) => `''${single(word)}""`,
    (word) => `'${word.slice(0, 1)}'"${word.slice(1)}"`,
    (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`.replace(/ /g, "\\ "),
  );

  test("however the words are quoted", () => {
    fc.assert(
      fc.property(argv, spelling, policy, (words, spelled, under) => {
        const [plain, quoted] = [words.map(single).join(" "), words.map(spelled).join(" ")];
        expect({ [quoted]: judge(quoted, under).decision }).toEqual({ [quoted]: judge(plain, under).decision });
      }),
      { ...runs, numRuns: 1000 },
    );
  });

  test("however blanks and lines are set", () => {
    fc.assert(
      fc.property(argv, policy, (words, under) => {
        const [plain, set] = [words.map(single).join(" "), `\n\t ${words.map(single).join(" \t\\\n  ")} # zz\n`];
        expect({ [set]: judge(set, under).decision }).toEqual({ [set]: judge(plain, under).decision });
      }),
      runs,
    );
  });
});
