import { segmentsOf } from "../../src/segment/index.ts";
import type { Segmentation, Surroundings } from "../../src/segment/segment.ts";
import { absolutePath } from "../../src/text/index.ts";
import type { BashAnswer } from "./answer.ts";
import { compare, type Difference } from "./compare.ts";
import type { Line } from "./corpus.ts";
import { knownDifference } from "./known.ts";

/** A text that we read otherwise than bash. */
export interface Found extends Difference {
  readonly text: string;
  readonly family: Line["family"];
}

/** Our reading of a text alone: nothing of this machine is looked at. */
export function ourReading(text: string): Segmentation {
  const nowhere: Surroundings = { cwd: absolutePath("/nowhere"), home: absolutePath("/nowhere"), env: new Map() };
  return segmentsOf({ name: "command line", text }, nowhere);
}

/** All differences between our reading of the lines and bash's answers, in order, known ones left out. */
export function differences(lines: readonly Line[], answers: readonly BashAnswer[]): Found[] {
  return lines.flatMap(({ text, family }, i) => {
    const answer = answers[i];
    const difference = answer === undefined ? undefined : compare(answer, ourReading(text));
    if (difference === undefined || knownDifference(text, difference) !== undefined) return [];
    return [{ text, family, ...difference }];
  });
}

/** How often each kind was found, as one line for people. */
export function figures(lines: readonly Line[], answers: readonly BashAnswer[], found: readonly Found[]): string {
  const valid = answers.filter((answer) => answer.valid).length;
  const commands = answers.reduce((sum, answer) => sum + answer.commands.length, 0);
  const kinds = (["missed", "misread", "extra", "refused", "accepted"] as const).map(
    (kind) => `${kind} ${found.filter((each) => each.kind === kind).length}`,
  );
  return `${lines.length} texts, ${valid} valid, ${commands} commands: ${kinds.join(", ")}`;
}
