import type { Span } from "../text/index.ts";

/** Every finding: its floor, and the sentence that documents it. A finding can only make a decision stricter. */
export const FINDINGS = {
  "syntax-error": {
    floor: "deny",
    means: "bash could not read the text, or only its first part, and would run that part",
  },
  "limit-exceeded": { floor: "deny", means: "the text is larger or deeper than guarded-sh reads" },
  "nul-byte": { floor: "deny", means: "a NUL character cannot be given to bash" },
  "opaque-text": { floor: "ask", means: "bash and the parser may read this part differently" },
  "dynamic-program": { floor: "ask", means: "the name of the program is computed when the text runs" },
  "opaque-script": { floor: "ask", means: "a script is run whose text cannot be known beforehand" },
  "unknown-wrapper-option": {
    floor: "ask",
    means: "a wrapper has an option the dictionary does not know, so its inner command is uncertain",
  },
  "sensitive-assignment": { floor: "ask", means: "a variable is set that makes programs run or load something else" },
  "prompt-expansion": { floor: "ask", means: "the `@P` operator runs the substitutions inside a variable's value" },
  "runtime-evaluation": { floor: "ask", means: "text that bash evaluates once more when it runs" },
  "indirect-expansion": { floor: "ask", means: "a variable that names another variable decides what is run" },
  "shadowed-program": { floor: "ask", means: "a function or alias has the name of a program that the text runs" },
  "program-path": { floor: "ask", means: "a program is given by a path that PATH would not find under that name" },
  "option-cluster-ambiguous": { floor: "ask", means: "letters after one dash can be read as different options" },
  "shell-option": { floor: "ask", means: "an option of the shell is changed that changes how later text is read" },
  "startup-file": { floor: "ask", means: "a shell is started that reads files of commands before the text" },
} as const satisfies Record<string, { floor: "ask" | "deny"; means: string }>;

export type FindingCode = keyof typeof FINDINGS;

export interface Finding {
  readonly code: FindingCode;
  readonly floor: "ask" | "deny";
  /** One line for people, with the text it is about. */
  readonly message: string;
  /** In the command line. */
  readonly span: Span;
  /** The segment it limits; undefined when it limits the whole text. */
  readonly segment: number | undefined;
}
