import type { Paint } from "../result/index.ts";
import { escapeText, shorten } from "../text/index.ts";
import type { SegmentTrace } from "./segment-trace.ts";
import type { WordRole } from "./word-roles.ts";

const WIDTH = 100;
const LABEL = 11;

/** The reading of a segment for people: a line for each word, then what follows from them. */
export function traceLines(trace: SegmentTrace, paint: Paint): string[] {
  return [
    ...wordLines(trace.words, paint),
    labelled("prefix", trace.prefix || "none: the program is not known", paint),
    labelled("does", trace.does.length > 0 ? trace.does.join(", ") : "not known", paint),
    ...(trace.transparent ? [labelled("wrapper", "an allow sees through it: what it runs stands for it", paint)] : []),
    ...(trace.runner ? [labelled("runner", "its words do not decide what it runs: nothing is proposed", paint)] : []),
    ...trace.directories.map((text) => labelled("directory", text, paint)),
    ...trace.files.map((text) => labelled("file", text, paint)),
    ...trace.runs.map((text) => labelled("runs", text, paint)),
    ...trace.escapes.map((text) => labelled("escape", text, paint)),
  ];
}

/** `label      text`, cut to the width. */
export function labelled(label: string, text: string, paint: Paint): string {
  return `  ${paint.dim(label.padEnd(LABEL))}${shorten(escapeText(text), WIDTH - LABEL - 2)}`;
}

function wordLines(words: readonly WordRole[], paint: Paint): string[] {
  const width = Math.min(32, Math.max(8, ...words.map(({ word }) => escapeText(word).length)));
  return words.map(({ word, is, note, from }) => {
    const [label = is, role] = is.split(": ");
    const notes = [role, note, from ?? ""].filter((text) => text !== undefined && text !== "").join("; ");
    const shown = shorten(escapeText(word), width).padEnd(width);
    const line = `  ${paint.dim(label.padEnd(LABEL))}${shown}  `;
    return `${line}${paint.dim(shorten(escapeText(notes), WIDTH - LABEL - width - 4))}`.trimEnd();
  });
}
