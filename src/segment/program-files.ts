import type { Redirect } from "../syntax/index.ts";
import { addFinding, type Collection, type Place } from "./collect.ts";
import { resolvePaths } from "./effects.ts";
import type { Flow } from "./flow.ts";
import type { Invocation } from "./invoke.ts";
import { withPrograms } from "./languages.ts";
import type { Reading } from "./reading.ts";
import { stdinScript } from "./stdin.ts";
import { shownValue, type Value } from "./value.ts";
import { writtenBefore } from "./written-before.ts";

/**
 * A reading with what the awk and sed programs do that stand in files (`sed -f x`), where these can be read now. A program that
 * the text itself may write first is opaque.
 */
export function readProgramFiles(collection: Collection, reading: Reading, run: ProgramRun): Reading {
  const files = reading.evaluated.filter(({ role }) => role === "awk-file" || role === "sed-file");
  let known = withInput(collection, reading, run);
  for (const { role, value, index } of files) {
    const found = textOf(collection, value, run);
    if (found === undefined) continue;
    if ("cause" in found) {
      const span = run.invocation.wordSpans[index] ?? run.invocation.span;
      const message = `the program \`${shownValue(value)}\` ${found.cause}`;
      addFinding(collection, "opaque-script", message, span, collection.segments.length);
    } else {
      const language = role === "awk-file" ? "awk-program" : "sed-script";
      known = withPrograms(withoutEscape(known, index), [{ role: language, value: found.text, index }]);
    }
  }
  return known;
}

/** With what an SQL client or make is given on standard input, where the text says it: `sqlite3 a.db <<< '.shell rm x'`. */
function withInput(collection: Collection, reading: Reading, run: ProgramRun): Reading {
  const language = (reading.spec?.code ?? reading.entry?.code)?.language;
  if (language !== "sql" && language !== "ex" && language !== "make") return reading;
  if (language === "make" && !reading.files.some(({ path }) => path === "-" || path === "/dev/stdin")) return reading;
  const input = stdinScript(collection, run);
  if (input?.kind !== "text") return reading;
  return withPrograms(reading, [{ role: "code", value: input.text, index: 0 }], language);
}

/** What runs the program, and where it stands. */
export interface ProgramRun {
  readonly invocation: Invocation;
  readonly flow: Flow;
  readonly place: Place;
  readonly redirects: readonly Redirect[];
}

type Found = { readonly text: Value } | { readonly cause: string };

/** Undefined for a file that is not there, or whose name is not known: the option says that it runs something. */
function textOf(collection: Collection, file: Value, run: ProgramRun): Found | undefined {
  if (file === "-" || file === "/dev/stdin") return textOfInput(collection, run);
  if (typeof file !== "string" && file.pieces.some((piece) => typeof piece !== "string" && piece.cause === "process"))
    return { cause: "is what another command prints" };
  const candidates = resolvePaths(file, run.flow.directories);
  if (candidates.some((candidate) => writtenBefore(collection, candidate)))
    return { cause: "is written by the text that runs it" };
  const [path] = candidates;
  if (typeof path !== "string" || candidates.length !== 1) return undefined;
  const text = collection.surroundings.readText?.(path);
  return text === undefined ? undefined : { text };
}

function textOfInput(collection: Collection, { flow, place, redirects }: ProgramRun): Found {
  const found = stdinScript(collection, { flow, place, redirects });
  return found?.kind === "text" ? { text: found.text } : { cause: "comes from standard input" };
}

/** The option that names a program file runs what is in it, and that is known. */
function withoutEscape(reading: Reading, index: number): Reading {
  const option = reading.options.find(
    (each) => each.valueIndices.includes(index) || (each.index === index && each.valueIndices.length === 0),
  );
  return { ...reading, escapes: reading.escapes.filter(({ index: at }) => at !== option?.index) };
}
