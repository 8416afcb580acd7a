import type { Doing } from "../../segment/spec.ts";
import { type ExampleSetting, matchesExample } from "../examples.ts";
import type { Rule } from "../rule.ts";
import { quoted } from "./respelling.ts";

/** Command lines that do what a rule says with `does`; the first that the rule matches stands for the word. */
const DOING_LINES: Readonly<Record<Doing, readonly string[]>> = {
  looks: ["ls x", "git log"],
  reveals: ["printenv", "gh auth token"],
  writes: ["touch x", "git add x"],
  deletes: ["rm x", "git branch -D x"],
  runs: ["make x", "npm test", "python3 -c x", "node -e x"],
  obeys: ["sh", "python3", "npx x"],
  installs: ["npm install x", "pip install x"],
  sends: ["git push origin x", "curl -d x https://example.org"],
  fetches: ["curl https://example.org/x", "git fetch origin x"],
  rewrites: ["git rebase x", "git push --force origin x"],
  administers: ["systemctl restart x", "mount x y"],
};

/** Programs for a pattern that is about any of them, and for options that stand alone. */
const PROGRAM_LINES: readonly string[] = [
  "rm",
  "git push",
  "git commit",
  "git reset",
  "git",
  "cp",
  "cat",
  "sed",
  "sort",
  "find",
  "curl",
  "npm install",
  "npm publish",
  "docker run",
  "kubectl delete",
  "terraform apply",
  "python3",
  "node",
  "ruby",
  "perl",
  "psql",
];

/** A command line for a rule without examples, for each thing that it says; empty when none can be made that the rule matches. */
export function madeFrom(rule: Rule, setting: ExampleSetting): readonly string[] {
  const found = groupsFor(rule).flatMap((lines) => lines.find((line) => matchesExample(rule, line, setting)) ?? []);
  return [...new Set(found)];
}

/** Every command line that can be made from what a rule says and that it matches. */
export function allMadeFrom(rule: Rule, setting: ExampleSetting): readonly string[] {
  return groupsFor(rule)
    .flat()
    .filter((line) => matchesExample(rule, line, setting));
}

/** Command lines that may be matched, for each thing that a rule says. */
function groupsFor(rule: Rule): readonly (readonly string[])[] {
  if (!/^\??\*( |$)/.test(rule.pattern)) return [linesFor(rule, [""])];
  if (rule.does.length === 0) return [linesFor(rule, PROGRAM_LINES)];
  return rule.does.map((doing) => linesFor(rule, [...DOING_LINES[doing], ...PROGRAM_LINES]));
}

/** The pattern with each of the beginnings for what it leaves open in front, and each of the options. */
function linesFor({ pattern, flags }: Rule, beginnings: readonly string[]): readonly string[] {
  const rest = pattern.replace(/^\??\*(?: |$)/, "");
  const fillings = rest === "" ? [""] : fillingsOf(rest);
  const options = flags.length === 0 ? [""] : flags;
  return beginnings.flatMap((beginning) =>
    fillings.flatMap((filling) =>
      options.flatMap((option) => {
        const words = [beginning, filling].filter((part) => part !== "").join(" ");
        return option === "" ? [words] : [`${words} ${quoted(option)} x`, `${words} ${quoted(option)}`];
      }),
    ),
  );
}

/** A pattern as words, its stars filled with a word or with nothing; redirects stay what they are. */
function fillingsOf(pattern: string): readonly string[] {
  return ["x", ""].map((filling) =>
    pattern
      .replaceAll("?", "x")
      .split(" ")
      .map((word) => word.replaceAll("*", /^\*+$/.test(word) ? "x" : filling))
      .map((word) => (/^(?:\d*[<>]{1,2}|&>)$/.test(word) ? word : quoted(word)))
      .join(" "),
  );
}
