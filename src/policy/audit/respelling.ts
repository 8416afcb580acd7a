import type { ReadOption, Segment } from "../../segment/index.ts";

/** Another text that does what an example does. */
export interface Respelling {
  /** What was done to it, for people: `wrapped in sh -c`. */
  readonly way: string;
  readonly text: string;
  /** Only the run can tell what it does, so a question is enough where the rule denies. */
  readonly dynamic?: true;
}

/** An example as it is respelled: its text, and its words when it is one plain command. */
export interface Spelled {
  readonly text: string;
  /** Undefined when it is more than one command, or has words that are not known. */
  readonly words: readonly string[] | undefined;
  readonly segment: Segment | undefined;
}

/** Every other text for an example, always in the same order. */
export function respell(example: Spelled): readonly Respelling[] {
  const { words, segment } = example;
  const asWords = words === undefined ? [] : [...quoteWays(words), ...runWays(words), ...wrapperWays(words)];
  const options = words === undefined || segment === undefined ? [] : optionWays(words, segment);
  return [...asWords, ...options, ...scriptWays(example.text), ...placeWays(example.text)];
}

/** A word as the shell gives it on, whatever it holds. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && word !== "" ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function line(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

function quoteWays([program = "", ...rest]: readonly string[]): Respelling[] {
  const tail = rest.length === 0 ? "" : ` ${line(rest)}`;
  const [first, others] = [program.slice(0, 1), program.slice(1)];
  const hex = [...program].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
  return [
    { way: "quotes inside the name", text: `${first}''${others}${tail}` },
    { way: "the name in quotes", text: `"${program}"${tail}` },
    { way: "a backslash in front", text: `\\${program}${tail}` },
    { way: "a line break inside the name", text: `${first}\\\n${others}${tail}` },
    ...(/^[\x20-\x7e]+$/.test(program) ? [{ way: "the name in codes", text: `$'${hex}'${tail}` }] : []),
    {
      way: "every word in quotes",
      text: [program, ...rest].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" "),
    },
    { way: "more blanks", text: `  ${[program, ...rest].map(quoted).join(" \t ")} ` },
    { way: "blanks by $IFS", text: [program, ...rest].map(quoted).join("${IFS}"), dynamic: true },
  ];
}

function runWays(words: readonly string[]): Respelling[] {
  const [program = "", ...rest] = words;
  const braces = words.length > 1 && words.every((word) => /^[\w@%+=:./-]+$/.test(word));
  const name = program.slice(program.lastIndexOf("/") + 1);
  return [
    { way: "the program by its path", text: line([`/usr/bin/${name}`, ...rest]) },
    { way: "an assignment in front", text: `A=1 ${line(words)}` },
    { way: "the name in a variable", text: `p=${quoted(program)}; $p ${line(rest)}`.trim() },
    { way: "the name from a substitution", text: `$(echo ${quoted(program)}) ${line(rest)}`.trim(), dynamic: true },
    ...(braces ? [{ way: "braces", text: `{${words.join(",")}}` }] : []),
    ...(rest.length === 0
      ? []
      : [
          {
            way: "words in a variable",
            text: `a=${quoted(line(rest))}; ${quoted(program)} $a`,
            dynamic: true as const,
          },
        ]),
  ];
}

const WRAPPERS: readonly (readonly [string, string])[] = [
  ["env", "env"],
  ["env with an assignment", "env A=1"],
  ["command", "command"],
  ["exec", "exec"],
  ["timeout", "timeout 5"],
  ["nice", "nice -n 5"],
  ["nohup", "nohup"],
  ["time", "time"],
  ["setsid", "setsid"],
  ["stdbuf", "stdbuf -o0"],
  ["sudo", "sudo"],
  ["sudo for another user", "sudo -u root"],
  ["two wrappers", "sudo timeout 5"],
];

function wrapperWays(words: readonly string[]): Respelling[] {
  const text = line(words);
  const [program = "", ...rest] = words;
  return [
    ...WRAPPERS.map(([name, prefix]) => ({ way: `behind ${name}`, text: `${prefix} ${text}` })),
    { way: "find -exec", text: `find . -maxdepth 0 -exec ${text} \\;` },
    // What comes in besides is appended: nobody can say that it is nothing.
    { way: "behind xargs", text: `xargs -r ${text}`, dynamic: true },
    { way: "xargs with words from a pipe", text: `echo ${line(rest)} | xargs ${quoted(program)}`, dynamic: true },
  ];
}

function scriptWays(text: string): Respelling[] {
  const single = `'${text.replaceAll("'", "'\\''")}'`;
  const double = `"${text.replace(/["$`\\]/g, "\\$&")}"`;
  return [
    { way: "sh -c", text: `sh -c ${single}` },
    { way: "bash -c in double quotes", text: `bash -c ${double}` },
    { way: "bash with options", text: `bash -e -o pipefail -c ${single}` },
    { way: "eval", text: `eval ${single}` },
    { way: "sh -c behind a wrapper", text: `env sh -c ${single}` },
    { way: "a here-string to a shell", text: `bash <<< ${single}` },
    { way: "a here-document to a shell", text: `bash <<'END'\n${text}\nEND` },
    { way: "a text piped to a shell", text: `echo ${single} | sh`, dynamic: true },
    { way: "a trap", text: `trap ${single} EXIT` },
  ];
}

function placeWays(text: string): Respelling[] {
  const inner = text.includes("\n") ? `${text}\n` : text;
  const block = `${text}\n`;
  return [
    { way: "behind ;", text: `true; ${text}` },
    { way: "behind &&", text: `true && ${text}` },
    { way: "behind ||", text: `false || ${text}` },
    { way: "behind &", text: `true & ${text}` },
    { way: "behind a pipe", text: `true | ${text}` },
    { way: "on a line of its own", text: `true\n${text}` },
    { way: "a subshell", text: `(${block})` },
    { way: "a group", text: `{ ${block}}` },
    { way: "if", text: `if true; then ${block}fi` },
    { way: "while", text: `while false; do ${block}done` },
    { way: "for", text: `for i in 1; do ${block}done` },
    { way: "case", text: `case x in *) ${block};; esac` },
    { way: "a function", text: `f() { ${block}}; f` },
    { way: "!", text: `! ${text}` },
    { way: "a substitution", text: `echo $(${inner})` },
    { way: "a substitution in quotes", text: `echo "$(${inner})"` },
    { way: "backquotes", text: `echo \`${inner.replace(/[`\\$]/g, "\\$&")}\`` },
    { way: "a process substitution", text: `cat <(${inner})` },
    { way: "an assignment of a substitution", text: `x=$(${inner})` },
    { way: "a substitution in a here-document", text: `cat <<END\n$(${inner})\nEND` },
    { way: "the background", text: `${text} &` },
  ];
}

const FREE_ORDER: ReadonlySet<string> = new Set(["gnu", "plain"]);

/** Other orders and spellings of the options, by what the dictionary knows of the program. */
function optionWays(words: readonly string[], { reading }: Segment): Respelling[] {
  if (reading?.entry === undefined || reading.options.length === 0) return verbWays(words, reading);
  const syntax = reading.spec?.syntax ?? reading.entry.syntax ?? "gnu";
  const { options, terminator } = reading;
  const ways = options.flatMap((option) => spellingWays(words, option, options));
  if (FREE_ORDER.has(syntax)) ways.push(...clusterWays(words, options));
  if (FREE_ORDER.has(syntax) && terminator === undefined) ways.push(...orderWays(words, options));
  return [...ways, ...verbWays(words, reading)];
}

/** Options that may stand in front of the verb and change nothing (`git -C . push`). */
function verbWays(words: readonly string[], reading: Segment["reading"]): Respelling[] {
  const [verb] = reading?.verbs ?? [];
  if (verb === undefined || verb !== 1 || reading?.entry === undefined) return [];
  const free = Object.entries(reading.entry.options ?? {}).flatMap(([key, facts]) => {
    if (typeof facts !== "object" || facts.transparent !== true) return [];
    const name = key.split(",")[0]?.trim() ?? "";
    if (facts.value === undefined) return [[name]];
    return facts.value === "directory" ? [[name, "."]] : [];
  });
  return free.slice(0, 3).map((option) => ({
    way: `${option.join(" ")} in front of the verb`,
    text: line([words[0] ?? "", ...option, ...words.slice(1)]),
  }));
}

function spellingWays(words: readonly string[], option: ReadOption, options: readonly ReadOption[]): Respelling[] {
  const { index, spelled, spellings, valueIndices, values } = option;
  const shared = options.filter((other) => other.index === index).length > 1;
  const word = words[index] ?? "";
  const glued = values.length > valueIndices.length;
  if (shared || glued || word !== spelled) return [];
  const others = spellings
    .filter((spelling) => spelling !== spelled && spelling.startsWith("-"))
    .map((spelling) => ({
      way: `${spelled} as ${spelling}`,
      text: line(words.map((each, i) => (i === index ? spelling : each))),
    }));
  const [value] = valueIndices;
  if (!spelled.startsWith("--") || valueIndices.length !== 1 || value === undefined) return others;
  const joined = words.flatMap((each, i) =>
    i === index ? [`${spelled}=${words[value] ?? ""}`] : i === value ? [] : [each],
  );
  return [...others, { way: `the value of ${spelled} glued on`, text: line(joined) }];
}

/** `-rf` apart, turned around, and letters that stand apart together. */
function clusterWays(words: readonly string[], options: readonly ReadOption[]): Respelling[] {
  const ways: Respelling[] = [];
  for (const [i, word] of words.entries()) {
    const letters = /^-([A-Za-z]{2,})$/.exec(word)?.[1];
    const own = options.filter(({ index }) => index === i);
    if (letters === undefined || own.length !== letters.length) continue;
    if (own.some(({ values, facts }) => values.length > 0 || facts === undefined)) continue;
    const apart = [...letters].map((letter) => `-${letter}`);
    ways.push({ way: `${word} apart`, text: line([...words.slice(0, i), ...apart, ...words.slice(i + 1)]) });
    const turned = `-${[...letters].reverse().join("")}`;
    ways.push({ way: `${word} turned around`, text: line(words.map((each, at) => (at === i ? turned : each))) });
  }
  return ways;
}

/** The options of the verb behind the operands. */
function orderWays(words: readonly string[], options: readonly ReadOption[]): Respelling[] {
  const moved = new Set(
    options.filter((option) => !option.beforeVerb).flatMap(({ index, valueIndices }) => [index, ...valueIndices]),
  );
  const kept = words.filter((_, i) => !moved.has(i));
  const behind = words.filter((_, i) => moved.has(i));
  const text = line([...kept, ...behind]);
  return behind.length === 0 || text === line(words) ? [] : [{ way: "options behind the operands", text }];
}
