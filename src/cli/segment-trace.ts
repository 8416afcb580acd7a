import type { Segment } from "../dictionary.ts";
import { shownValue } from "../dictionary.ts";
import type { Guard } from "../guard.ts";
import { sourcesOf } from "./fact-sources.ts";
import { type WordRole, wordRoles } from "./word-roles.ts";

/** How one segment is read, as data: what `arity explain` and `policy explain` show of it. */
export interface SegmentTrace {
  readonly text: string;
  readonly origin: string;
  readonly parent: number | null;
  readonly prefix: string;
  readonly words: readonly WordRole[];
  readonly does: readonly string[];
  /** Its inner commands are enough for an allow. */
  readonly transparent: boolean;
  /** Nothing of it is proposed for *always*. */
  readonly runner: boolean;
  /** Files by the dictionary: `write out.txt`. */
  readonly files: readonly string[];
  /** Where its relative paths start. */
  readonly directories: readonly string[];
  /** What its options or verb do beyond its name. */
  readonly escapes: readonly string[];
  readonly runs: readonly string[];
}

/** Reads a segment by what is known of its program. */
export function traceSegment(guard: Guard, segment: Segment): SegmentTrace {
  const { text, origin, parent, reading, transparent } = segment;
  return {
    text,
    origin,
    parent: parent ?? null,
    prefix: (reading?.prefix ?? []).join(" "),
    words: wordRoles(segment, sourcesOf(guard, segment)),
    does: reading?.does ?? [],
    transparent,
    runner: reading?.runner ?? false,
    files: (reading?.files ?? []).map(({ access, path }) => `${access} ${shownValue(path)}`),
    directories: (reading?.directories ?? []).map(shownValue),
    escapes: (reading?.escapes ?? []).map(({ message }) => message),
    runs: (reading?.inner ?? []).map(innerText),
  };
}

function innerText(inner: NonNullable<Segment["reading"]>["inner"][number]): string {
  switch (inner.kind) {
    case "argv":
      return inner.words.map(shownValue).join(" ");
    case "script":
      return `script: ${shownValue(inner.text)}`;
    case "file":
      return `file: ${shownValue(inner.path)}`;
    case "stdin":
      return "a script on standard input";
    case "package-script":
      return `package script: ${inner.names.map(shownValue).join(" ")}`;
  }
}
