import type { Source } from "../../text/index.ts";
import type { ExampleSetting } from "../examples.ts";
import type { Document, Rule } from "../rule.ts";
import { examplesReached, guardsNothing, unanswerable, withoutExamples } from "./answers.ts";
import { allowsEverything, allowsRunner, bareProgram, coversMore } from "./breadth.ts";
import { idleCertain } from "./certain.ts";
import { type Check, type Edit, type Linted, type LintFinding, lintedOf } from "./check.ts";
import { unknownFlag } from "./flags.ts";
import { patternText } from "./pattern-text.ts";
import { redundancy } from "./redundancy.ts";
import { shadowing, shadowingInPart } from "./shadowing.ts";
import { oneSpelling } from "./spelling.ts";
import { unknownTool } from "./tools.ts";

/** Every check: a new one is a function of its own and a line here. */
const CHECKS: readonly Check[] = [
  guardsNothing,
  shadowing,
  shadowingInPart,
  redundancy,
  bareProgram,
  coversMore,
  allowsRunner,
  allowsEverything,
  oneSpelling,
  unknownFlag,
  unknownTool,
  patternText,
  unanswerable,
  idleCertain,
  examplesReached,
  withoutExamples,
];

export interface LintOptions extends ExampleSetting {
  /** Nobody can answer an ask: every rule that asks is a fault. */
  readonly unattended?: boolean;
}

/** What is doubtful in one policy document, in the order of its text. What it extends is not looked at. */
export function lintDocument(document: Document, options: LintOptions): readonly LintFinding[] {
  const linted = lintedOf(document, options, options.unattended ?? false);
  const findings = CHECKS.flatMap((check) => check(linted)).sort((a, b) => a.span.start - b.span.start);
  return findings.map((finding) => (changes(finding.relies, findings, linted) ? withoutFix(finding) : finding));
}

/** Whether the rule that another mend relies on gets a mend of its own: `perl *` is needed once `p*` has become `p *`. */
function changes(rule: Rule | undefined, findings: readonly LintFinding[], { rules }: Linted): boolean {
  const table = rules.find((linted) => linted.rule === rule)?.table;
  if (table === undefined) return false;
  return findings.some(({ fix }) => fix !== undefined && fix.span.start >= table.start && fix.span.end <= table.end);
}

function withoutFix({ fix: _, ...finding }: LintFinding): LintFinding {
  return finding;
}

/** The text with every certain mend made; comments and everything else stay as they are. */
export function mended({ text }: Source, findings: readonly LintFinding[]): string {
  const edits = findings.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  return apart(edits).reduce(
    (left, { span, text: put }) => left.slice(0, span.start) + put + left.slice(span.end),
    text,
  );
}

/** From the end to the start; of two that overlap the wider one is made. */
function apart(edits: readonly Edit[]): readonly Edit[] {
  const kept: Edit[] = [];
  const byStart = [...edits].sort((a, b) => b.span.start - a.span.start || b.span.end - a.span.end);
  for (const edit of byStart) {
    if (kept.every(({ span }) => edit.span.end <= span.start)) kept.push(edit);
    else if (kept.some(({ span }) => edit.span.start <= span.start && edit.span.end >= span.end)) {
      const outside = kept.filter(({ span }) => edit.span.end <= span.start || edit.span.start >= span.end);
      kept.splice(0, kept.length, ...outside, edit);
    }
  }
  return kept;
}
