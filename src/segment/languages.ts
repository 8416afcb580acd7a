import { awkProgram } from "./awk.ts";
import { readCode } from "./code.ts";
import { isTorn } from "./hidden-options.ts";
import type { FileUse, Inner, ReadEscape, Reading } from "./reading.ts";
import { sedProgram } from "./sed.ts";
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
  return withCodeFiles(withPrograms(reading, reading.evaluated));
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

/** The same for programs that were found in some other way. */
export function withPrograms(reading: Reading, programs: Reading["evaluated"]): Reading {
  const escapes: ReadEscape[] = [];
  const files: FileUse[] = [];
  const inner: Inner[] = [];
  for (const { role, value, index } of programs) {
    if (role !== "awk-program" && role !== "sed-script") continue;
    if (typeof value !== "string" && value.pieces.every((piece) => typeof piece !== "string"))
      escapes.push({ ...COMPUTED, spellings: [], index });
    for (const text of textsOf(value)) {
      const torn = role === "awk-program" && text !== undefined && isTorn(text, HOLE);
      const found = torn
        ? TORN_TEXT
        : text === undefined
          ? UNKNOWN_TEXT
          : role === "awk-program"
            ? awkProgram(text)
            : sedProgram(text);
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
