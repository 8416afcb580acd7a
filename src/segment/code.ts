import { printsReading } from "./prints.ts";
import { pythonReading } from "./python.ts";
import type { CodeFacts } from "./spec.ts";
import { onlyReadsSql } from "./sql.ts";

/** What a program text that does no harm reads. */
export interface CodeReading {
  /** Files whose names are written out in it. */
  readonly files: readonly string[];
}

const NO_FILES: CodeReading = { files: [] };

const READERS: Readonly<Record<CodeFacts["language"], (text: string, facts: CodeFacts) => CodeReading | undefined>> = {
  prints: printsReading,
  python: pythonReading,
  ex: () => undefined,
  make: () => undefined,
  sql: (text, facts) => (onlyReadsSql(text, facts) ? NO_FILES : undefined),
};

/** What a program text does, when that is only to compute, to read and to print; undefined when it may do more. */
export function readCode(text: string, facts: CodeFacts): CodeReading | undefined {
  return READERS[facts.language](text, facts);
}
