import { type Entry, findEntry, type Reading, readInvocation, segmentsOf, shownValue } from "../dictionary.ts";
import type { Guard } from "../guard.ts";

/** An example of an entry that is read otherwise than it says. */
export interface FailedExample {
  /** Which of the examples, from 0. */
  readonly index: number;
  readonly line: string;
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}

/** Reads every example of an entry as the entry says, on top of what the dictionary knows. */
export function failedExamples(entry: Entry, guard: Guard): readonly FailedExample[] {
  const entries = new Map(entry.names.map((name) => [name, entry]));
  const find = (name: string) => findEntry(name, entries);
  return (entry.examples ?? []).flatMap((example, index) => {
    const { segments } = segmentsOf({ name: "example", text: example.line }, { ...guard.surroundings, entries });
    const words = segments[0]?.words ?? [];
    const shown = new Map(Object.entries(shownReading(readInvocation(words, find))));
    return Object.entries(example).flatMap(([field, expected]) => {
      if (field === "line") return [];
      const [want, got] = [JSON.stringify(expected), JSON.stringify(shown.get(field))];
      return want === got ? [] : [{ index, line: example.line, field, expected: want, got }];
    });
  });
}

function shownReading(reading: Reading) {
  return {
    prefix: reading.prefix.join(" "),
    inner: reading.inner.map(shownInner),
    files: reading.files.map(({ access, path }) => `${access} ${shownValue(path)}`),
    escapes: reading.escapes.map(({ name }) => name),
  };
}

/** An inner command as the examples of entries write it: its words or its text. */
export function shownInner(inner: Reading["inner"][number]): string {
  switch (inner.kind) {
    case "argv": {
      const assignments = inner.assignments.map(({ name, value }) => `${name}=${shownValue(value)}`);
      return [...assignments, ...inner.words.map(shownValue)].join(" ");
    }
    case "script":
      return shownValue(inner.text);
    case "file":
      return shownValue(inner.path);
    case "stdin":
      return "stdin";
    case "package-script":
      return inner.names.map(shownValue).join(" ");
  }
}
