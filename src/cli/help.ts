import type { OptionHelp, TableRow, Verb, VerbGroup } from "./command.ts";

const ONE_LINE =
  "guarded-sh: the bash tool of a coding agent; every command is judged by your rules before any of it runs";

/** The help of guarded-sh as a whole. */
export function renderHelp(verbs: readonly TableRow[]): string {
  const width = Math.max(...verbs.map(({ name }) => name.length));
  return [
    ONE_LINE,
    "",
    "usage: guarded-sh VERB [OPTIONS] …",
    "       guarded-sh -c TEXT [NAME ARGS…]",
    "",
    ...verbs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "examples:",
    "  guarded-sh check 'git add -A && rm -rf build'",
    "  guarded-sh run 'npm test'",
    "",
    "`guarded-sh VERB --help` says more; exit status: check 0 allow, 2 usage or policy error, 3 ask, 4 deny",
  ].join("\n");
}

/** The help of a verb that has verbs of its own. */
export function renderGroupHelp({ name, summary, verbs }: VerbGroup): string {
  const width = Math.max(...verbs.map((verb) => verb.name.length));
  return [
    `guarded-sh ${name}: ${summary}`,
    "",
    `usage: guarded-sh ${name} VERB [OPTIONS] …`,
    "",
    ...verbs.map((verb) => `  ${verb.name.padEnd(width)}  ${verb.summary}`),
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
    `guarded-sh ${verb.name}: ${verb.summary}`,
    "",
    ...verb.usage.map((line, i) => `${i === 0 ? "usage: " : "       "}guarded-sh ${line}`),
    "",
    ...shown.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`),
    "",
    "examples:",
    ...verb.examples.map(([line, says]) => `  ${line}${says === "" ? "" : `\n      ${says}`}`),
  ].join("\n");
}

function spelling({ name, value, short }: OptionHelp): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** The line that a mistake is answered with. */
export function usageLine(verb: Verb | undefined): string {
  return verb === undefined
    ? "usage: guarded-sh VERB [OPTIONS] …, see `guarded-sh --help`"
    : `usage: guarded-sh ${verb.usage[0]}, see \`guarded-sh ${verb.name} --help\``;
}
