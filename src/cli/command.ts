import { type ParseArgsConfig, parseArgs } from "node:util";
import { escapeText, nearestWord } from "../text/index.ts";

/** The streams and settings that a sub-command works with; tests give their own. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Colours may be used on standard output. */
  readonly colours: boolean;
  /** The path that guarded-sh was called by: under a shell's name it is one. */
  readonly program?: string | undefined;
}

export interface OptionHelp {
  readonly name: string;
  /** The value's name for people; left out for a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly many?: true;
  readonly help: string;
}

/** One sub-command: everything that `--help`, the completion and the dispatcher need. */
export interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly usage: readonly string[];
  readonly options: readonly OptionHelp[];
  readonly examples: readonly (readonly [line: string, says: string])[];
  readonly run: (parsed: Parsed, terminal: Terminal) => Promise<number>;
}

/** A verb that is loaded when it is called, so that it costs the others nothing. */
export interface LazyVerb {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}

/** A verb of verbs: `policy show`. The name of each is what follows the group's. */
export interface VerbGroup {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly LazyVerb[];
}

/** A row of the table of verbs. */
export type TableRow = Verb | LazyVerb | VerbGroup;

/** What a person typed after the verb. */
export interface Parsed {
  readonly operands: readonly string[];
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  readonly is: (name: string) => boolean;
}

/** The command line of guarded-sh itself is wrong. */
export class UsageError extends Error {
  /** What was called, as far as it is known: its help says more. */
  readonly verb: Verb | VerbGroup | undefined;

  constructor(message: string, verb?: Verb | VerbGroup) {
    super(message);
    this.name = "UsageError";
    this.verb = verb;
  }
}

/** Options that many verbs have. */
export const POLICY_OPTION: OptionHelp = {
  name: "policy",
  value: "FILE",
  many: true,
  help: "another policy file; every file votes",
};
export const CWD_OPTION: OptionHelp = { name: "cwd", value: "DIR", help: "the directory to judge and run in" };
export const SKILL_OPTION: OptionHelp = {
  name: "skill",
  value: "SKILL.md",
  help: "a running skill, or its folder: only its allowed-tools pass",
};
export const JSON_OPTION: OptionHelp = { name: "json", help: "print JSON" };

/** Reads what stands after the verb. Throws a `UsageError` with the nearest valid option. */
export function parseVerb(verb: Verb, argv: readonly string[]): Parsed {
  const options: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  for (const { name, value, short, many } of verb.options) {
    options[name] = {
      type: value === undefined ? "boolean" : "string",
      ...(short ? { short } : {}),
      ...(many ? { multiple: true } : {}),
    };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    return parsedOf(values, positionals);
  } catch (error) {
    throw new UsageError(optionMessage(error, argv, verb), verb);
  }
}

function parsedOf(values: Readonly<Record<string, unknown>>, operands: readonly string[]): Parsed {
  const map = new Map(Object.entries(values));
  return {
    operands,
    text: (name) => [map.get(name)].flat().findLast((value) => typeof value === "string"),
    texts: (name) => [map.get(name)].flat().filter((value) => typeof value === "string"),
    is: (name) => map.get(name) === true,
  };
}

function optionMessage(error: unknown, argv: readonly string[], verb: Verb): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const [, dashed] = /--([\w-]+)' argument is ambiguous/.exec(String(error)) ?? [];
  if (dashed !== undefined) return dashedMessage(dashed, argv, verb);
  if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION")
    return error instanceof Error ? firstSentence(error.message) : String(error);
  const known = ["help", ...verb.options.map(({ name }) => name)];
  const given =
    argv.find((word) => word.startsWith("-") && !known.includes(word.replace(/^--?/, "").split("=")[0] ?? "")) ?? "";
  const near = nearestWord(given.replace(/^-+/, "").split("=")[0] ?? "", known);
  return `unknown option \`${given}\`${near === undefined ? "" : `, did you mean \`--${near}\`?`}`;
}

/** A word behind an option that could be its value or the next option. */
function dashedMessage(name: string, argv: readonly string[], verb: Verb): string {
  const option = verb.options.find((known) => known.name === name);
  const at = argv.findIndex((word) => word === `--${name}` || word === `-${option?.short}`);
  const next = escapeText(argv[at + 1] ?? "");
  return `\`--${name}\` wants ${option?.value ?? "a value"}; one that begins with a dash is written \`--${name}=${next}\``;
}

function firstSentence(message: string): string {
  const sentence = message.split(/\.\s|\n/)[0] ?? message;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
