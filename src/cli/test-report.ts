import type { Paint } from "../result/index.ts";
import { escapeText, shorten, WIDTH, wrapFrom } from "../text/index.ts";
import type { CaseResult, Outcome } from "./test-run.ts";

/** Which rules no case reached. */
export interface Coverage {
  readonly rules: number;
  readonly reached: number;
  /** 0 to 100. */
  readonly percent: number;
  readonly unreached: readonly { readonly source: string; readonly pattern: string; readonly action: string }[];
}

/** Everything that one run of `test` found. */
export interface TestReport {
  readonly version: 1;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly skipped: number;
  /** Those that did not pass; all of them in JSON. */
  readonly cases: readonly CaseResult[];
  readonly coverage?: Coverage;
}

/** Counts the outcomes of a run. */
export function reportOf(cases: readonly CaseResult[], coverage: Coverage | undefined): TestReport {
  const count = (outcome: Outcome) => cases.filter((found) => found.outcome === outcome).length;
  return {
    version: 1,
    passed: count("pass"),
    failed: count("fail"),
    errors: count("error"),
    skipped: count("skipped"),
    cases,
    ...(coverage === undefined ? {} : { coverage }),
  };
}

const LABELS: Readonly<Record<Outcome, string>> = { pass: "pass", fail: "FAIL", error: "ERROR", skipped: "skipped" };

/** The report for people: what did not pass with file and line, then the counts. */
export function renderReport(report: TestReport, paint: Paint): string {
  const { passed, failed, errors, skipped, cases, coverage } = report;
  const shown = cases.filter(({ outcome }) => outcome !== "pass").flatMap((found) => caseLines(found, paint));
  const plural = errors === 1 ? "error" : "errors";
  const counts = `${passed} passed, ${failed} failed, ${errors} ${plural}, ${skipped} skipped`;
  const colour = failed + errors > 0 ? paint.deny : paint.allow;
  return [...shown, ...(coverage === undefined ? [] : coverageLines(coverage, paint)), colour(counts)].join("\n");
}

/** The command may be cut, as it stands where the line points to; what was found is not. */
function caseLines({ source, command, outcome, why }: CaseResult, paint: Paint): string[] {
  const name = LABELS[outcome];
  const label = outcome === "skipped" ? paint.dim(name) : paint.deny(name);
  const place = escapeText(source);
  const text = shorten(escapeText(command), Math.max(40, WIDTH - name.length - place.length - 3));
  return [
    `${label} ${place}  ${text}`,
    ...why.flatMap((line) => wrapFrom(2, escapeText(line)).map((part) => `  ${part}`)),
  ];
}

function coverageLines({ rules, reached, percent, unreached }: Coverage, paint: Paint): string[] {
  return [
    rules === 0
      ? `coverage ${percent} %: there are no rules besides those of presets`
      : `coverage ${percent} %: ${reached} of ${rules} rules were reached`,
    ...unreached.flatMap(({ source, pattern, action }) => {
      const lines = wrapFrom(14, `${escapeText(source)}  ${action} ${escapeText(pattern)}`);
      return lines.map((line, i) => (i === 0 ? `  ${paint.dim("not reached")} ${line}` : `              ${line}`));
    }),
  ];
}
