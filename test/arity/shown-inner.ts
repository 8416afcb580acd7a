import type { Inner } from "../../src/segment/reading.ts";
import { shownValue } from "../../src/segment/value.ts";

/** An inner command as the examples of entries write it: its words or its text. */
export function shownInner(inner: Inner): string {
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
