import type { Source } from "../text/index.ts";
import { addFinding, type Collection, collectionFor, START } from "./collect.ts";
import { startFlow } from "./flow.ts";
import { followLinks } from "./links.ts";
import { walkScript } from "./script.ts";
import type { Segmentation, Surroundings } from "./segment.ts";
import type { Value } from "./value.ts";
import { noteWrittenLater } from "./written-before.ts";

/**
 * Everything that bash would do with a text, as far as the text and the dictionary tell: every simple command, also
 * those inside wrappers and scripts, the files they use, and what limits the knowledge of both. `positional` are the
 * text's own `$1`, `$2` …. Never throws on any text.
 */
export function segmentsOf(
  source: Source,
  surroundings: Surroundings,
  positional: readonly Value[] = [],
): Segmentation {
  const collection = collectionFor(source, surroundings);
  try {
    const start = startFlow(surroundings.cwd, positional, surroundings.dialect);
    walkScript(collection, source.text, source.name, start, START);
    noteEvaluation(collection);
    noteWrittenLater(collection);
    followLinks(collection);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    addFinding(collection, "limit-exceeded", "constructs too deep to follow", { start: 0, end: source.text.length });
  }
  const { segments, effects, findings, diagnostics } = collection;
  return { source, segments, effects, findings, diagnostics };
}

/** A value that would run commands, and a place that evaluates values once more: bash may bring the two together. */
function noteEvaluation(collection: Collection): void {
  const [value] = collection.evaluable;
  const [evaluator] = collection.evaluators;
  if (value === undefined || evaluator === undefined) return;
  addFinding(
    collection,
    "runtime-evaluation",
    "a value holds a substitution, and a later place may evaluate it",
    evaluator,
  );
}
