import { nearestWord } from "../../text/index.ts";
import type { Check, LintFinding, LintRule } from "./check.ts";
import { type NamedProgram, namedProgram, optionNames } from "./program.ts";
import { ruleText } from "./shown.ts";

/** `flags` that the dictionary does not know of the program: such a rule sees no other spelling of them, or matches nothing at all. */
export const unknownFlag: Check = ({ rules, setting }) =>
  rules.flatMap((linted) => {
    const named = linted.rule.flags.length === 0 ? undefined : namedProgram(linted.rule, setting.entries);
    if (named === undefined) return [];
    return readsNone(named) ? [withoutOptions(linted, named)] : unknownOf(linted, named);
  });

/** All words of `echo` are text. */
function readsNone({ entry, spec, verbs }: NamedProgram): boolean {
  const none = (spec.syntax ?? entry.syntax) === "none" && Object.keys(spec.options ?? {}).length === 0;
  return none && Object.keys(spec.verbs ?? {}).length === 0 && verbs.length === 0;
}

function withoutOptions({ rule, spanOf }: LintRule, named: NamedProgram): LintFinding {
  const [flag = "-x"] = rule.flags;
  const name = nameOf(named);
  return {
    code: "unknown-flag",
    span: spanOf("flags"),
    message: `${ruleText(rule)} matches nothing: every word of \`${name}\` is text, none is an option`,
    help: `write pattern = "${name} ${flag} *"`,
  };
}

/** A program of which fewer are known may well have more. */
const FEWEST_OPTIONS = 5;

function unknownOf({ rule, spanOf }: LintRule, named: NamedProgram): readonly LintFinding[] {
  const known = optionNames(named);
  if (known.length < FEWEST_OPTIONS) return [];
  return rule.flags
    .filter((flag) => !isKnown(flag, known))
    .flatMap((flag) => {
      const near = flag.startsWith("--") ? nearestWord(flag, known) : undefined;
      // Not every program is described whole: whoever wrote an example knows that there is such an option.
      if (near === undefined && rule.match.length > 0) return [];
      const name = nameOf(named);
      return {
        code: "unknown-flag",
        span: spanOf("flags"),
        message: `\`${name}\` has no option \`${flag}\` that the dictionary knows`,
        help: near === undefined ? unknownHelp(name, flag) : `did you mean \`${near}\`?`,
      };
    });
}

function unknownHelp(name: string, flag: string): string {
  return `take it out, show it in a \`match\` example, or describe it: \`guarded-sh arity add ${name} --option=${flag}\``;
}

/** A name that a known one begins with is its abbreviation, and `--no-` takes most of them back. */
function isKnown(flag: string, known: readonly string[]): boolean {
  const name = flag.replace(/=.*$/, "");
  if (known.includes(flag) || known.includes(name)) return true;
  if (/^-\d+$/.test(name)) return known.includes("-NUM");
  if (name.startsWith("+")) return known.includes("+");
  if (!name.startsWith("--")) return isCluster(name, known);
  return known.some((other) => other.startsWith(name) || other === name.replace(/^--no-/, "--"));
}

/** `-rf` is `-r` and `-f`. */
function isCluster(name: string, known: readonly string[]): boolean {
  return name.length > 2 && [...name.slice(1)].every((letter) => known.includes(`-${letter}`));
}

function nameOf({ entry, verbs }: NamedProgram): string {
  return [entry.names[0], ...verbs].join(" ");
}
