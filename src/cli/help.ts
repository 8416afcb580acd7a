import { WIDTH, wrapText } from "../text/index.ts";
import type { OptionHelp, TableRow, Verb, VerbGroup } from "./command.ts";

const ONE_LINE = "guarded-sh: the bash tool of a coding agent; every command is judged before any of it runs";

/** The help of guarded-sh as a whole. */
export function renderHelp(verbs: readonly TableRow[]): string {
  const width = Math.max(...verbs.map(({ name }) => name.length));
  return [
    ONE_LINE,
    "",
    "usage: guarded-sh VERB [OPTIONS] …",
    "       guarded-sh -c TEXT [NAME ARGS…]",
    "",
    ...verbs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${wrapped(summary, width + 4)}`),
    "",
    "examples:",
    "  guarded-sh check 'git add -A && rm -rf build'",
    "  guarded-sh run 'npm test'",
    "",
    "`guarded-sh VERB --help` says more; status of check: 0 allow, 2 usage or policy, 3 ask, 4 deny",
  ].join("\n");
}

/** The help of a verb that has verbs of its own. */
export function renderGroupHelp({ name, summary, verbs }: VerbGroup): string {
  const width = Math.max(...verbs.map((verb) => verb.name.length));
  return [
    wrapped(`guarded-sh ${name}: ${summary}`, 0),
    "",
    `usage: guarded-sh ${name} VERB [OPTIONS] …`,
    "",
    ...verbs.map((verb) => `  ${verb.name.padEnd(width)}  ${wrapped(verb.summary, width + 4)}`),
    "",
    `\`guarded-sh ${name} VERB --help\` says more`,
  ].join("\n");
}

/** The help of one verb. */
export function renderVerbHelp(verb: Verb): string {
  const options: readonly OptionHelp[] = [...verb.options, { name: "help", short: "h", help: "show this" }];
  const shown = options.map((option) => [spelling(option), option.help] as const);
  const width = Math.max(...shown.map(([name]) => name.length));
  return [
    wrapped(`guarded-sh ${verb.name}: ${verb.summary}`, 0),
    "",
    ...verb.usage.map((line, i) => `${i === 0 ? "usage: " : "       "}${wrapped(`guarded-sh ${line}`, 7)}`),
    "",
    ...shown.map(([name, help]) => `  ${name.padEnd(width)}  ${wrapped(help, width + 4)}`),
    "",
    "examples:",
    ...verb.examples.map(([line, says]) => `  ${line}${says === "" ? "" : `\n      ${wrapped(says, 6)}`}`),
  ].join("\n");
}

/** The text in lines that end before the width, each behind the margin but the first. */
function wrapped(text: string, margin: number): string {
  return wrapText(text, WIDTH - margin).join(`\n${" ".repeat(margin)}`);
}

function spelling({ name, value, short }: OptionHelp): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** The line that a mistake is answered with. */
export function usageLine(verb: Verb | VerbGroup | undefined): string {
  if (verb === undefined) return "usage: guarded-sh VERB [OPTIONS] …, see `guarded-sh --help`";
  const usage = "usage" in verb ? verb.usage[0] : `${verb.name} VERB [OPTIONS] …`;
  return `usage: guarded-sh ${usage}, see \`guarded-sh ${verb.name} --help\``;
}
