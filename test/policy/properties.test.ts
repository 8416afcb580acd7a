import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Context, DECISIONS, type Decision, evaluate } from "../../src/policy/index.ts";
import { FINDINGS, type FindingCode } from "../../src/segment/index.ts";
import { CWD, ENV, HOME, judge, policyOf, type RuleLine, segmentsIn } from "./judge.ts";

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
/** `PROPERTY_FACTOR=50` looks fifty times as long, from another start each time. */
const factor = Number(process.env.PROPERTY_FACTOR ?? 1);
const runs = { numRuns: 120 * factor, ...(factor === 1 ? { seed: 22 } : {}) };

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

const RULES: readonly RuleLine[] = [
  "deny rm *",
  "ask rm * [-r -R --recursive]",
  "deny rm -rf /",
  "allow rm *",
  "ask git push *",
  "allow git *",
  "allow cat *",
  "allow echo *",
  "deny cat secret/*",
  "deny file_write: secret/**",
  "deny file_read: **/.env",
  "ask file_write: *",
  "allow file_write: /work/project/**",
  "deny external_directory: *",
  "allow *",
  "ask *",
  "deny *",
  "ask *: *",
];
const someRules = fc.array(fc.constantFrom(...RULES), { maxLength: 5 });
const decision = fc.constantFrom<Decision>("allow", "ask", "deny");
const order = fc.constantFrom("first-match", "last-match");

describe("more of what restricts makes no verdict laxer", () => {
  const context: Context = { cwd: CWD, home: HOME, projectRoot: CWD, env: ENV };

  test("a deny that is asked first", () => {
    const deny = fc.constantFrom(...RULES.filter((line) => line.startsWith("deny")));
    fc.assert(
      fc.property(text, someRules, deny, decision, order, (line, rules, more, otherwise, how) => {
        const all = how === "first-match" ? [more, ...rules] : [...rules, more];
        const [before, after] = [policyOf(rules, otherwise, how), policyOf(all, otherwise, how)];
        const [first, second] = [judge(line, before).decision, judge(line, after).decision];
        if (strictness(second) < strictness(first)) expect({ line, rules, more, first, second }).toBe("no laxer");
      }),
      { ...runs, numRuns: 400 * factor },
    );
  });

  test("a document that only denies", () => {
    fc.assert(
      fc.property(text, someRules, decision, (line, rules, otherwise) => {
        const own = policyOf(rules, otherwise).documents;
        const outer = policyOf(["deny rm *", "deny git push *", "deny file_write: secret/**"], "allow").documents;
        const [first, second] = [{ documents: own }, { documents: [...outer, ...own] }].map(
          (each) => judge(line, each).decision,
        );
        if (strictness(second as Decision) < strictness(first as Decision))
          expect({ line, rules, first, second }).toBe("no laxer");
      }),
      { ...runs, numRuns: 400 * factor },
    );
  });

  test("a finding", () => {
    const codes = Object.keys(FINDINGS) as FindingCode[];
    fc.assert(
      fc.property(text, policy, fc.constantFrom(...codes), fc.nat(3), (line, under, code, at) => {
        const segmentation = segmentsIn(line);
        const segment = segmentation.segments[at] === undefined ? undefined : at;
        const { floor } = FINDINGS[code];
        const finding = { code, floor, message: "", span: { start: 0, end: 1 }, segment };
        const more = { ...segmentation, findings: [...segmentation.findings, finding] };
        const [first, second] = [segmentation, more].map((each) => evaluate(each, under, context).decision);
        if (strictness(second as Decision) < strictness(first as Decision))
          expect({ line, code, first, second }).toBe("no laxer");
      }),
      { ...runs, numRuns: 400 * factor },
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
      { ...runs, numRuns: 600 * factor },
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
