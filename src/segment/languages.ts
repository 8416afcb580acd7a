import { awkEscapes } from "./awk.ts";
import type { ReadEscape, Reading } from "./reading.ts";
import { sedEscapes } from "./sed.ts";
import { shownValue } from "./value.ts";

/** Something that a program text in another language does beyond reading and printing. */
export interface LanguageEscape {
  readonly escape: "runs" | "writes" | "unknown";
  /** The construct, as an allow rule would have to name it. */
  readonly name: string;
  readonly message: string;
}

const COMPUTED: LanguageEscape = {
  escape: "unknown",
  name: "program",
  message: "the program text is known only when it runs",
};

/** A reading with what its awk and sed programs do: they can run commands and write files. */
export function readProgramText(reading: Reading): Reading {
  const found: ReadEscape[] = [];
  for (const { role, value, index } of reading.evaluated) {
    if (role !== "awk-program" && role !== "sed-script") continue;
    if (typeof value !== "string" && value.pieces.every((piece) => typeof piece !== "string"))
      found.push({ ...COMPUTED, spellings: [COMPUTED.name], index });
    // Text that is only known in part is read as far as it is known: what fills a hole is data in most of them.
    const text = shownValue(value);
    const escapes = role === "awk-program" ? awkEscapes(text) : sedEscapes(text);
    for (const each of escapes) found.push({ ...each, spellings: [each.name], index });
  }
  return found.length === 0 ? reading : { ...reading, escapes: [...reading.escapes, ...found] };
}
