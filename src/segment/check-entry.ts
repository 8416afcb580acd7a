import { nearestWord } from "../text/index.ts";
import { spellingsOf } from "./facts.ts";
import {
  CODE_LANGUAGES,
  type CodeFacts,
  type CommandSpec,
  DIALECTS,
  DOINGS,
  type DoesCase,
  type Entry,
  ESCAPES,
  type Example,
  OPTION_SYNTAXES,
  type OperandFacts,
  type OptionFacts,
  ROLES,
  type StdinFacts,
  type UsedFile,
} from "./spec.ts";

/** Where in a value: the keys and positions that lead to it. */
export type Path = readonly (string | number)[];

/** What is wrong with an entry, and where. */
export interface EntryProblem {
  readonly path: Path;
  /** Starts in lower case, names the fault. */
  readonly message: string;
  /** What to write instead. */
  readonly help?: string;
}

type Check = (value: unknown, path: Path, problems: EntryProblem[]) => void;
type Fields<Type> = Readonly<Record<keyof Type, Check>>;

/** The value as an entry, or what keeps it from being one. */
export function checkEntry(value: unknown, path: Path = []): Entry | readonly EntryProblem[] {
  const problems: EntryProblem[] = [];
  return isEntry(value, path, problems) ? value : problems;
}

function isEntry(value: unknown, path: Path, problems: EntryProblem[]): value is Entry {
  entry(value, path, problems);
  return problems.length === 0;
}

const text: Check = (value, path, problems) => {
  if (typeof value !== "string" || value === "") complain(problems, path, "must be a text that is not empty");
};

const anyText: Check = (value, path, problems) => {
  if (typeof value !== "string") complain(problems, path, "must be a text");
};

const programName: Check = (value, path, problems) => {
  const fits = typeof value === "string" && /^[^/\s]+$/.test(value);
  if (!fits) complain(problems, path, "must be a program's name, without a directory and without blanks");
};

const yes: Check = (value, path, problems) => {
  if (value !== true) complain(problems, path, "can only be true: leave it out otherwise");
};

const prefixLength: Check = (value, path, problems) => {
  const fits = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 9;
  if (!fits) complain(problems, path, "must be a whole number of words from 1 to 9");
};

const role = oneOf("role", ROLES);
const optionFacts = record<OptionFacts>({
  value: (value, path, problems) => (Array.isArray(value) ? listOf(role) : role)(value, path, problems),
  as: (value, path, problems) => tableOf(text, role)(value, path, problems),
  glued: yes,
  separate: yes,
  commands: listOf(text),
  aliases: listOf(text),
  reads: listOf(text),
  last: yes,
  until: listOf(text),
  moved: yes,
  follows: yes,
  loosens: yes,
  takes: oneOf("way to take words", ["groups", "otherwise"]),
  unplaces: yes,
  transparent: yes,
  escape: oneOf("escape", ESCAPES),
  unless: listOf(anyText),
});

const option: Check = (value, path, problems) => {
  if (typeof value === "object") optionFacts(value, path, problems);
  else if (typeof value !== "number") role(value, path, problems);
  else if (![0, 1, 2, 3].includes(value)) complain(problems, path, "must be a number of values from 0 to 3");
};

const operandFacts = record<OperandFacts>(
  {
    role,
    commands: listOf(text),
    keyed: text,
    many: yes,
    when: listOf(text),
    unless: listOf(text),
    as: tableOf(text, role),
    default: text,
    orInput: yes,
    reads: listOf(text),
    makes: tableOf(text, (value, path, problems) =>
      (Array.isArray(value) ? listOf(text) : text)(value, path, problems),
    ),
    remote: listOf(text),
  },
  ["role"],
);

const usedFile = record<UsedFile>({ role, when: listOf(text), unless: listOf(text) }, ["role"]);

const operand: Check = (value, path, problems) => {
  if (typeof value === "object") operandFacts(value, path, problems);
  else role(typeof value === "string" ? value.replace(/\*$/, "") : value, path, problems);
};

const optionKey: Check = (value, path, problems) => {
  const fits = typeof value === "string" && spellingsOf(value).every((spelling) => /^[^\s,]+$/.test(spelling));
  if (!fits) complain(problems, path, "must be the spellings of one option", 'write them like "-o, --output"');
};

const stdinFacts = record<StdinFacts>({ role: oneOf("role", ["script"]), when: listOf(text), unless: listOf(text) }, [
  "role",
]);

const stdin: Check = (value, path, problems) => {
  if (typeof value === "object") {
    stdinFacts(value, path, problems);
  } else if (value !== "script") complain(problems, path, 'must be "script"');
};

const doings = listOf(oneOf("word for what a program does", DOINGS));

const operandCount: Check = (value, path, problems) => {
  const fits = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 9;
  if (!fits) complain(problems, path, "must be a whole number of operands from 0 to 9");
};

const doesCase = record<DoesCase>(
  {
    when: listOf(text),
    unless: listOf(text),
    only: listOf(text),
    operands: operandCount,
    like: listOf(text),
    unlike: listOf(text),
    input: yes,
    code: yes,
    does: doings,
  },
  ["does"],
);

const codeFacts = record<CodeFacts>(
  {
    language: oneOf("language of program text that can be read", CODE_LANGUAGES),
    calls: listOf(text),
    names: listOf(text),
    lines: listOf(text),
    loads: listOf(text),
    methods: listOf(text),
    reserved: listOf(text),
  },
  ["language"],
);

const COMMAND_FIELDS: Fields<CommandSpec> = {
  words: prefixLength,
  syntax: oneOf("option syntax", OPTION_SYNTAXES),
  options: tableOf(optionKey, option),
  operands: listOf(operand),
  uses: tableOf(text, (value, path, problems) => (typeof value === "object" ? usedFile : role)(value, path, problems)),
  like: text,
  shortened: yes,
  verbs: (value, path, problems) => tableOf(programName, verb)(value, path, problems),
  closed: yes,
  transparent: (value, path, problems) => {
    if (value !== true && value !== "bare") complain(problems, path, 'must be true or "bare"');
  },
  appends: yes,
  apart: yes,
  lists: tableOf(text, oneOf("role here", ["text", "read"])),
  links: (value, path, problems) => {
    if (value !== true) listOf(text)(value, path, problems);
  },
  separators: listOf(text),
  stdin,
  // What a builtin does to the shell is no matter of a policy file: `leaves` would hide what follows.
  shell: (_value, path, problems) => complain(problems, path, "`shell` is for builtins, which are described already"),
  moves: oneOf("move", ["to", "push", "pop"]),
  scripts: listOf(text),
  dialect: oneOf("dialect", DIALECTS),
  runner: yes,
  does: doings,
  cases: listOf(doesCase),
  code: codeFacts,
  escape: oneOf("escape", ESCAPES),
};

const commandSpec = record<CommandSpec>(COMMAND_FIELDS);

const verb: Check = (value, path, problems) => {
  if (typeof value !== "string") commandSpec(value, path, problems);
};

const example = record<Example>(
  { line: text, prefix: anyText, inner: listOf(text), files: listOf(text), escapes: listOf(text) },
  ["line"],
);

const entry = record<Omit<Entry, "beneath"> & { $schema: string }>(
  {
    ...COMMAND_FIELDS,
    $schema: text,
    names: listOf(programName),
    variables: listOf(text),
    joined: yes,
    examples: listOf(example),
  },
  ["names"],
);

function complain(problems: EntryProblem[], path: Path, message: string, help?: string): void {
  problems.push({ path, message, ...(help === undefined ? {} : { help }) });
}

function oneOf(kind: string, words: readonly string[]): Check {
  return (value, path, problems) => {
    if (typeof value === "string" && words.includes(value)) return;
    const near = typeof value === "string" ? nearestWord(value, words) : undefined;
    const help = near === undefined ? `one of ${words.join(", ")}` : `did you mean \`${near}\`?`;
    complain(problems, path, `${shown(value)} is no ${kind}`, help);
  };
}

function listOf(check: Check): Check {
  return (value, path, problems) => {
    if (!Array.isArray(value) || value.length === 0) {
      complain(problems, path, "must be a list that is not empty");
      return;
    }
    for (const [position, item] of value.entries()) check(item, [...path, position], problems);
  };
}

function tableOf(key: Check, check: Check): Check {
  return (value, path, problems) => {
    if (!isTable(value)) {
      complain(problems, path, "must be a table");
      return;
    }
    for (const [name, item] of Object.entries(value)) {
      key(name, [...path, name], problems);
      check(item, [...path, name], problems);
    }
  };
}

function record<Type>(fields: Fields<Type>, required: readonly (keyof Type & string)[] = []): Check {
  const checks = new Map<string, Check>(Object.entries(fields));
  return (value, path, problems) => {
    if (!isTable(value)) {
      complain(problems, path, "must be a table");
      return;
    }
    for (const name of required) if (!Object.hasOwn(value, name)) complain(problems, path, `\`${name}\` is missing`);
    for (const [name, item] of Object.entries(value)) {
      const check = checks.get(name);
      if (check !== undefined) check(item, [...path, name], problems);
      else complain(problems, [...path, name], `\`${name}\` is not a field here`, nearHelp(name, checks.keys()));
    }
  };
}

function nearHelp(name: string, valid: Iterable<string>): string | undefined {
  const near = nearestWord(name, valid);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}

function isTable(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return typeof value === "string" ? `\`${value}\`` : `a ${Array.isArray(value) ? "list" : typeof value}`;
}
