import type { Paint } from "../result/index.ts";
import { escapeText, shorten, wrapBehind } from "../text/index.ts";
import type { SegmentTrace } from "./segment-trace.ts";
import type { WordRole } from "./word-roles.ts";

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

/** `label      text`, on as many lines as it takes. */
export function labelled(label: string, text: string, paint: Paint): string {
  return labelledLines(label, "", text, paint, paint.dim);
}

/** The same with a word in front of the text that has a colour of its own: `rule       deny  …`. */
export function labelledLines(
  label: string,
  word: string,
  text: string,
  paint: Paint,
  colour: (text: string) => string,
): string {
  const head = `  ${label.padEnd(LABEL)}${word}`;
  const lines = wrapBehind(head, escapeText(text)).slice(head.length);
  return `  ${paint.dim(label.padEnd(LABEL))}${word === "" ? "" : colour(word)}${lines}`;
}

function wordLines(words: readonly WordRole[], paint: Paint): string[] {
  const width = Math.min(32, Math.max(8, ...words.map(({ word }) => escapeText(word).length)));
  return words.map(({ word, is, note, from }) => {
    const [label = is, role] = is.split(": ");
    const notes = [role, note, from ?? ""].filter((text) => text !== undefined && text !== "").join("; ");
    const head = `  ${label.padEnd(LABEL)}${shorten(escapeText(word), width).padEnd(width)}  `;
    const [first = "", ...more] = wrapBehind(head, escapeText(notes)).slice(head.length).split("\n");
    return [
      `  ${paint.dim(label.padEnd(LABEL))}${head.slice(LABEL + 2)}${paint.dim(first)}`.trimEnd(),
      ...more.map(paint.dim),
    ].join("\n");
  });
}
