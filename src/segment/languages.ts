import { awkProgram } from "./awk.ts";
import type { FileUse, ReadEscape, Reading } from "./reading.ts";
import { sedProgram } from "./sed.ts";
import { shownValue, type Value, valueFrom } from "./value.ts";

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
}

const COMPUTED: LanguageEscape = {
  escape: "unknown",
  name: "program",
  message: "the program text is known only when it runs",
};

/** A reading with what its awk and sed programs do: they can run commands, write files and read more of them. */
export function readProgramText(reading: Reading): Reading {
  const escapes: ReadEscape[] = [];
  const files: FileUse[] = [];
  for (const { role, value, index } of reading.evaluated) {
    if (role !== "awk-program" && role !== "sed-script") continue;
    if (typeof value !== "string" && value.pieces.every((piece) => typeof piece !== "string"))
      escapes.push({ ...COMPUTED, spellings: [COMPUTED.name], index });
    // Text that is only known in part is read as far as it is known: what fills a hole is data in most of them.
    const text = shownValue(value);
    const found = role === "awk-program" ? awkProgram(text) : sedProgram(text);
    for (const each of found.escapes) escapes.push({ ...each, spellings: [each.name], index });
    // A part that is not known may stand in any of the names.
    for (const { access, path } of found.files)
      files.push({ access, path: typeof value === "string" ? path : unknownPath(path), index });
  }
  if (escapes.length + files.length === 0) return reading;
  return { ...reading, escapes: [...reading.escapes, ...escapes], files: [...reading.files, ...files] };
}

function unknownPath(text: string): Value {
  return valueFrom([{ cause: "variable", text }], false);
}
