import { type CommandSpec, describedNames, type Role } from "../../segment/index.ts";
import type { Check, Linted, LintFinding, LintRule } from "./check.ts";
import { namedProgram, verbNames } from "./program.ts";
import { ruleText } from "./shown.ts";

/** An allow that is a program's name alone: it says nothing of the program with arguments. */
export const bareProgram: Check = ({ rules, setting }) =>
  allows(rules).flatMap((linted) => {
    const { rule, spanOf } = linted;
    if (/[\s*?]/.test(rule.pattern) || rule.flags.length > 0 || rule.match.length > 0) return [];
    const named = namedProgram(rule, setting.entries);
    if (named === undefined || !takesWords(named.spec)) return [];
    return [
      {
        code: "bare-program",
        span: spanOf("pattern"),
        message: `${ruleText(rule)} covers \`${rule.pattern}\` without arguments and nothing else`,
        help: `write \`${rule.pattern} *\` if its arguments are meant too; with \`match = ["${rule.pattern}"]\` this is taken as meant`,
      },
    ];
  });

function takesWords({ operands, verbs }: CommandSpec): boolean {
  return (operands?.length ?? 0) > 0 || Object.keys(verbs ?? {}).length > 0;
}

const GLUED = /^([A-Za-z][\w.-]*)\*$/;
const MOST_NAMED = 4;

/** `git diff*` reads as `git diff` with anything behind it, and takes `git difftool` too. */
export const coversMore: Check = (linted) => allows(linted.rules).flatMap((rule) => gluedFinding(rule, linted) ?? []);

function gluedFinding({ rule, spanOf }: LintRule, { setting }: Linted): LintFinding | undefined {
  const words = rule.command?.words ?? [];
  const at = words.findIndex((word) => /[*?]/.test(word));
  const stem = GLUED.exec(words[at] ?? "")?.[1];
  if (stem === undefined || rule.flags.length > 0 || rule.does.length > 0) return undefined;
  const others = at === 0 ? programsBehind(stem) : verbsBehind(rule, stem, setting);
  if (others.length === 0) return undefined;
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : "";
  const named = others.slice(0, MOST_NAMED).map((name) => `\`${[...words.slice(0, at), name].join(" ")}\``);
  const narrow = [...words.slice(0, at), stem, "*", ...words.slice(at + 1)].join(" ");
  const last = at === words.length - 1;
  return {
    code: "covers-more",
    span: spanOf("pattern"),
    message: `${ruleText(rule)} also takes ${named.join(", ")}${more}`,
    help: `write \`${narrow}\``,
    ...(last ? { fix: { span: spanOf("pattern"), text: JSON.stringify(narrow) } } : {}),
  };
}

function programsBehind(stem: string): readonly string[] {
  return describedNames().filter((name) => name !== stem && name.startsWith(stem) && /^[\w-]+$/.test(name));
}

function verbsBehind(rule: LintRule["rule"], stem: string, { entries }: Linted["setting"]): readonly string[] {
  const named = namedProgram(rule, entries);
  if (named === undefined || named.rest[0] !== `${stem}*`) return [];
  const names = verbNames(named.spec, named.entry);
  // Without a verb of that very name the star is how the family is meant: `docker image*`.
  return names.includes(stem) ? names.filter((name) => name !== stem && name.startsWith(stem)) : [];
}

const RUNS: ReadonlySet<Role> = new Set<Role>([
  "command",
  "program",
  "script",
  "remote-script",
  "script-file",
  "split-words",
  "code",
  "code-file",
  "awk-file",
  "sed-file",
  "awk-program",
]);

/** An allow for all arguments of a program whose arguments say what else is run. */
export const allowsRunner: Check = ({ rules, setting }) =>
  allows(rules).flatMap((linted) => {
    const { rule, spanOf } = linted;
    const named = namedProgram(rule, setting.entries);
    if (anyProgram(linted)) return [anyProgramFinding(linted)];
    if (named === undefined || rule.flags.length > 0 || rule.does.length > 0) return [];
    if (!/^\*|^\?\*$/.test(named.rest[0] ?? "")) return [];
    const runs = whatRuns(named.spec);
    // The inner command of a wrapper is judged by itself: an example shows that this is known.
    if (runs === undefined || (isWrapper(named.spec) && rule.match.length > 0)) return [];
    return [
      {
        code: "allows-runner",
        span: spanOf("pattern"),
        message: `${ruleText(rule)} is about a program that ${runs}`,
        help: "allow the calls that are meant, word by word; what a wrapper runs is judged by itself anyway",
      },
    ];
  });

/** `* --version` takes `rm -rf x --version`: only a catch-all says openly that it is about every program. */
function anyProgram({ rule }: LintRule): boolean {
  return /^[*?]+$/.test(rule.command?.words[0] ?? "") && !rule.catchAll && rule.does.length === 0;
}

function anyProgramFinding({ rule, spanOf }: LintRule): LintFinding {
  return {
    code: "allows-runner",
    span: spanOf("pattern"),
    message: `${ruleText(rule)} is about every program, with anything in front of what it names`,
    help: "name the programs, one rule each, or say with `does` what they may do",
  };
}

function isWrapper({ operands }: CommandSpec): boolean {
  const roles = (operands ?? []).map(roleOf).filter((role) => RUNS.has(role));
  return roles.length > 0 && roles.every((role) => role === "command");
}

function whatRuns({ runner, operands, options }: CommandSpec): string | undefined {
  const operand = (operands ?? []).some((one) => RUNS.has(roleOf(one)));
  if (operand) return "runs what its arguments name";
  const command = Object.values(options ?? {}).some((facts) => {
    const value = typeof facts === "object" ? facts.value : facts;
    return [value].flat().includes("command");
  });
  if (command) return "runs what one of its options names";
  return runner === true ? "runs what it is given" : undefined;
}

function roleOf(operand: NonNullable<CommandSpec["operands"]>[number]): Role {
  return (typeof operand === "string" ? operand.replace(/\*$/, "") : operand.role) as Role;
}

/** A document that never asks and never denies: it could as well not be there. */
export const allowsEverything: Check = ({ document, rules }) => {
  const stricter = rules.some(({ rule }) => rule.decision !== "allow");
  const all = rules.find(({ rule }) => rule.catchAll && rule.command !== undefined);
  if (stricter || document.bases.length > 0 || document.off) return [];
  if (all === undefined && document.otherwise !== "allow") return [];
  return [
    {
      code: "allows-everything",
      span: all?.spanOf("pattern") ?? document.origin.span,
      message: "nothing is asked or denied: every command runs",
      help: 'add what must not run, or `extends = ["preset:catastrophe"]`',
    },
  ];
};

function allows(rules: readonly LintRule[]): readonly LintRule[] {
  return rules.filter(({ rule }) => rule.decision === "allow" && rule.command !== undefined);
}
