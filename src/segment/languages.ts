import { awkProgram } from "./awk.ts";
import { readCode } from "./code.ts";
import { exProgram } from "./ex-program.ts";
import { isTorn } from "./hidden-options.ts";
import { makeProgram } from "./make-program.ts";
import type { FileUse, Inner, ReadEscape, Reading } from "./reading.ts";
import { sedProgram } from "./sed.ts";
import { sqlProgram } from "./sql-program.ts";
import { alternativesOf, type Value, valueFrom } from "./value.ts";

/** Something that a program text in another language does beyond reading and printing. */
export interface LanguageEscape {
  readonly escape: "runs" | "writes" | "unknown";
  /** The construct, as an allow rule would have to name it. */
  readonly name: string;
  readonly message: string;
}

/** What a program text does beyond reading its input and printing. */
export interface ProgramText {
  readonly escapes: readonly LanguageEscape[];
  /** The files that it names. */
  readonly files: readonly { readonly access: "read" | "write"; readonly path: string }[];
  /** Shell commands that it runs. */
  readonly commands: readonly string[];
}

const COMPUTED: LanguageEscape = {
  escape: "unknown",
  name: "program",
  message: "the program text is known only when it runs",
};

/** A reading with what its awk and sed programs do: they can run commands, write files and read more of them. */
export function readProgramText(reading: Reading): Reading {
  const { role, programs } = clientPrograms(reading);
  return withCodeFiles(withPrograms(withPrograms(reading, reading.evaluated), programs, role));
}

/** Texts for an SQL client or for make, which run commands and use files by words of their own. */
function clientPrograms({ spec, entry, evaluated, operands }: Reading): {
  role: ProgramRole;
  programs: Reading["evaluated"];
} {
  const language = (spec?.code ?? entry?.code)?.language;
  if (language === "make") {
    const given = operands.filter(({ role }) => role === "assignment");
    return { role: "make", programs: [...given, ...evaluated.filter(({ role }) => role === "code")] };
  }
  const role = language === "ex" ? "ex" : "sql";
  return { role, programs: language === role ? evaluated.filter(({ role }) => role === "code") : [] };
}

/** The files that a program text in another language reads, where that is all it does. */
function withCodeFiles(reading: Reading): Reading {
  const facts = reading.spec?.code ?? reading.entry?.code;
  if (facts === undefined) return reading;
  const files = reading.evaluated.flatMap(({ role, value, index }): readonly FileUse[] => {
    const read = role === "code" && typeof value === "string" ? readCode(value, facts) : undefined;
    return (read?.files ?? []).map((path) => ({ access: "read", path, index }));
  });
  return files.length === 0 ? reading : { ...reading, files: [...reading.files, ...files] };
}

type ProgramRole = "awk-program" | "sed-script" | "sql" | "ex" | "make";

const PROGRAMS: Readonly<Record<string, (text: string) => ProgramText>> = {
  "awk-program": awkProgram,
  "sed-script": sedProgram,
  sql: sqlProgram,
  ex: exProgram,
  make: makeProgram,
} satisfies Record<ProgramRole, unknown>;

/** The same for programs that were found in some other way. `language`: what all of them are in. */
export function withPrograms(reading: Reading, programs: Reading["evaluated"], language?: ProgramRole): Reading {
  const escapes: ReadEscape[] = [];
  const files: FileUse[] = [];
  const inner: Inner[] = [];
  for (const { role, value, index } of programs) {
    const programOf = PROGRAMS[language ?? role];
    if (programOf === undefined) continue;
    if (language === undefined && typeof value !== "string" && value.pieces.every((piece) => typeof piece !== "string"))
      escapes.push({ ...COMPUTED, spellings: [], index });
    for (const text of textsOf(value)) {
      const torn = role === "awk-program" && text !== undefined && isTorn(text, HOLE);
      const unknown = language === undefined ? UNKNOWN_TEXT : NO_TEXT;
      const found = torn ? TORN_TEXT : text === undefined ? unknown : programOf(text);
      // No rule names what is not understood: `sed *` holds the word `sed`, and means nothing by it.
      for (const each of found.escapes)
        escapes.push({ ...each, spellings: each.escape === "unknown" ? [] : [each.name], index });
      for (const { access, path } of found.files)
        files.push({ access, path: path.includes(HOLE) ? unknownText(path) : path, index });
      for (const command of found.commands) inner.push(scriptOf(command, index, reading.prefix[0] ?? role));
    }
  }
  if (escapes.length + files.length + inner.length === 0) return reading;
  return {
    ...reading,
    escapes: [...reading.escapes, ...escapes],
    files: [...reading.files, ...files],
    inner: [...reading.inner, ...inner],
  };
}

/** A command of a program text, which a shell runs. */
function scriptOf(command: string, index: number, by: string): Inner {
  const text = command.includes(HOLE) ? unknownText(command) : command;
  return { kind: "script", role: "script", text, parameters: [], from: index, to: index + 1, by };
}

const UNKNOWN_TEXT: ProgramText = {
  escapes: [{ escape: "unknown", name: "program", message: "the program's text is not known" }],
  files: [],
  commands: [],
};

// `sys${Q}tem(…)`: it may run anything.
const TORN_TEXT: ProgramText = { ...UNKNOWN_TEXT, commands: ["\uE000"] };
// Most statements and definitions with an unknown text do no more than others.
const NO_TEXT: ProgramText = { escapes: [], files: [], commands: [] };

/** Stands in a program text for a part that is not known: data in most of them, a number or a word. */
export const HOLE = "\uE000";

/** The texts that the program may have; undefined for one of which nothing is known. */
function textsOf(value: Value): readonly (string | undefined)[] {
  return alternativesOf(value, 16).map((each) => {
    if (typeof each === "string") return each;
    const text = each.pieces.map((piece) => (typeof piece === "string" ? piece : HOLE)).join("");
    return text.replaceAll(HOLE, "").trim() === "" ? undefined : text;
  });
}

/** A text with a part that is not known. */
function unknownText(text: string): Value {
  const [first = "", ...others] = text.split(HOLE);
  const hole = { cause: "variable", text: "…" } as const;
  return valueFrom([first, ...others.flatMap((part) => [hole, part])], false);
}
