import { check } from "../guard.ts";
import type { Paint } from "../result/index.ts";
import { escapeText, renderDiagnostic, shorten } from "../text/index.ts";
import { CWD_OPTION, JSON_OPTION, type Parsed, POLICY_OPTION, type Terminal, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { commandLineOf, openFor } from "./open.ts";
import { paintFor } from "./paint.ts";
import { type SegmentTrace, traceSegment } from "./segment-trace.ts";
import { traceLines } from "./trace-text.ts";

export const arityExplainVerb: Verb = {
  name: "arity explain",
  summary: "how a command line is split by what is known of its programs",
  usage: ["arity explain 'TEXT' [--json]"],
  options: [JSON_OPTION, POLICY_OPTION, CWD_OPTION],
  examples: [
    ["guarded-sh arity explain 'git -C x push -f origin'", "each word, and the file that says what it is"],
    ["guarded-sh arity explain 'docker compose -f a.yml exec web sh -c \"ls /\"'", "inner commands are read too"],
  ],
  run: runExplain,
};

async function runExplain(parsed: Parsed, terminal: Terminal): Promise<number> {
  const commandLine = commandLineOf(arityExplainVerb, parsed);
  const guard = openFor(arityExplainVerb, parsed, terminal);
  const { segmentation } = check(guard, commandLine);
  const traces = segmentation.segments.map((segment) => traceSegment(guard, segment));
  if (parsed.is("json")) {
    terminal.stdout.write(`${JSON.stringify({ version: 1, command: commandLine, segments: traces })}\n`);
  } else terminal.stdout.write(`${renderTraces(traces, paintFor(terminal.colours))}\n`);
  for (const file of guard.loaded.files.filter(({ trusted }) => !trusted))
    terminal.stderr.write(`guarded-sh: ${file.path} is not trusted: what it says of programs may not count\n`);
  for (const diagnostic of segmentation.diagnostics) terminal.stderr.write(`${renderDiagnostic(diagnostic)}\n`);
  return segmentation.diagnostics.length > 0 ? EXIT.found : EXIT.ok;
}

function renderTraces(traces: readonly SegmentTrace[], paint: Paint): string {
  if (traces.length === 0) return "the text holds no command";
  return traces
    .map((trace, i) => [headOf(trace, i, traces.length), ...traceLines(trace, paint)].join("\n"))
    .join("\n\n");
}

/** `2  rm -rf x, in 1`: the number only where there are several. */
export function headOf({ text, parent }: SegmentTrace, i: number, count: number): string {
  const number = count > 1 ? `${i + 1}  ` : "";
  const place = parent === null ? "" : `, in ${parent + 1}`;
  return `${number}${shorten(escapeText(text), 96 - number.length - place.length)}${place}`;
}
