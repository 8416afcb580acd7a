/** How much a lint finding matters. Only errors and warnings make `policy lint` fail. */
export type Severity = "error" | "warning" | "info";

/** Every code of `policy lint` with its severity and the sentence that documents it. Codes are stable. */
export const LINT_CODES = {
  "shadowed-rule": {
    severity: "error",
    means: "a deny or ask stands behind a laxer rule that takes everything it would match",
  },
  "shadowed-in-part": {
    severity: "warning",
    means: "a rule stands behind a laxer one with `does` that takes what it is about",
  },
  "unreachable-rule": { severity: "warning", means: "a rule stands behind one that takes every request of its tool" },
  "pointless-allow": {
    severity: "warning",
    means: "an allow stands behind a stricter rule that takes all it would allow",
  },
  "redundant-rule": { severity: "warning", means: "another rule with the same decision takes all that this one would" },
  "bare-program": {
    severity: "warning",
    means: "an allow is a program's name alone: it covers the call without arguments",
  },
  "covers-more": {
    severity: "warning",
    means: "an allow ends in a glued `*` and takes other verbs or programs as well",
  },
  "allows-runner": { severity: "warning", means: "an allow covers a program that runs whatever its arguments name" },
  "guards-nothing": {
    severity: "error",
    means: "the file has no `[permissions]` and extends nothing: by itself it lets everything run",
  },
  "allows-everything": { severity: "warning", means: "nothing in the document asks or denies" },
  "one-spelling": { severity: "warning", means: "a deny or ask misses another spelling of its own option" },
  "unknown-flag": {
    severity: "warning",
    means: "`flags` names an option that the program does not have, or the program has none",
  },
  "unknown-tool": { severity: "warning", means: "no host has a tool of this name, so the rule matches nothing" },
  "never-matches": {
    severity: "error",
    means: "a pattern holds an operator or redirect that no single command contains",
  },
  "foreign-syntax": {
    severity: "warning",
    means: "a pattern is written in another tool's language, which means itself here",
  },
  "quoted-pattern": { severity: "warning", means: "a pattern holds quotes, which are gone when it is compared" },
  "stray-blank": { severity: "warning", means: "a pattern has blanks that no command has" },
  "ask-unanswerable": { severity: "error", means: "the policy can ask, and under `--approver none` nobody answers" },
  "idle-certain": { severity: "warning", means: "`certain` stands in an allow, where it does nothing" },
  "example-not-reached": { severity: "warning", means: "an example of a rule is decided by a rule in front of it" },
  "no-examples": { severity: "info", means: "a rule has no `match` example that would show what it means" },
} as const satisfies Record<string, { severity: Severity; means: string }>;

export type LintCode = keyof typeof LINT_CODES;
