import { posix } from "node:path";
import { type Entry, type Segmentation, type Surroundings, segmentsOf } from "../segment/index.ts";
import { absolutePath, type Span } from "../text/index.ts";
import type { Context } from "./context.ts";
import { evaluate } from "./evaluate.ts";
import { expandPattern } from "./expand.ts";
import { matchSegment } from "./match.ts";
import { matchPath, PathSubject } from "./path-match.ts";
import { Report } from "./report.ts";
import type { Document, Rule } from "./rule.ts";
import { isPathTool, toolNames } from "./tool.ts";
import { SegmentViews } from "./views.ts";
import { matchesWildcard } from "./wildcard.ts";

/** The world that examples are judged in: where the policy is read, with no files and no programs. */
export interface ExampleSetting {
  readonly cwd: string;
  readonly home: string;
  readonly env: ReadonlyMap<string, string>;
  /** The user's own dictionary. */
  readonly entries?: ReadonlyMap<string, Entry> | undefined;
}

/** Judges every rule's examples against that rule, and every suggestion against the document. Throws a `DiagnosticError`. */
export function checkExamples(document: Document, setting: ExampleSetting): void {
  const report = new Report(document.origin.source);
  for (const rule of document.rules) {
    checkRule(rule, setting, report);
    if (rule.suggest !== undefined) checkSuggestion(rule, rule.suggest, document, setting, report);
  }
  report.throwIfAny();
}

function checkRule(rule: Rule, setting: ExampleSetting, report: Report): void {
  for (const { text, span } of [...rule.match, ...rule.notMatch]) checkReadable(rule, text, span, setting, report);
  for (const { text, span } of rule.match) {
    if (!matchesExample(rule, text, setting)) {
      report.add(
        "example-failed",
        span,
        `${ruleName(rule)} does not match \`${text}\``,
        "correct the pattern or the example",
      );
    }
  }
  for (const { text, span } of rule.notMatch) {
    if (matchesExample(rule, text, setting)) {
      report.add(
        "example-failed",
        span,
        `${ruleName(rule)} matches \`${text}\``,
        "narrow the pattern or drop the example",
      );
    }
  }
}

/** A text that bash cannot read is denied whatever the rules say, so it shows nothing. */
function checkReadable({ command }: Rule, text: string, span: Span, setting: ExampleSetting, report: Report): void {
  const fault = command === undefined ? undefined : segmentsIn(text, setting).diagnostics[0];
  if (fault !== undefined)
    report.add("example-failed", span, `\`${text}\` is no command line: ${fault.message}`, "write it as bash reads it");
}

function ruleName({ pattern, flags, does }: Rule): string {
  const options = flags.length === 0 ? "" : ` with ${flags.join(" or ")}`;
  return `\`${pattern}\`${options}${does.length === 0 ? "" : ` that ${does.join(" or ")}`}`;
}

/** A home that lies in no folder that a pattern would name. */
const SOME_HOME = "/home/somebody";

/**
 * The home that a rule's examples are judged with: the user's only where the pattern speaks of it. Otherwise a home below
 * `/tmp` would let `/tmp/**` match `~/x`, and whether a policy loads would depend on whose it is.
 */
export function exampleHome({ pattern }: Rule, { home, env }: ExampleSetting): string {
  return home !== "/" && expandPattern(pattern, { home, env }).includes(home) ? home : SOME_HOME;
}

/** Whether a rule certainly matches an example: one of a command line's segments, a path, or any text, by its tool. */
export function matchesExample(rule: Rule, text: string, given: ExampleSetting): boolean {
  const setting = { ...given, home: exampleHome(rule, given) };
  if (rule.command !== undefined) {
    return segmentsIn(text, setting).segments.some(
      (segment) => matchSegment(rule, new SegmentViews(segment)) === "certainly",
    );
  }
  const tool = toolNames("file_write")
    .concat(toolNames("file_read"), "external_directory")
    .find((name) => matchesWildcard(rule.toolPattern, name));
  if (tool === undefined || !isPathTool(tool)) return matchesWildcard(rule.text, text);
  const path = text.startsWith("~/") ? setting.home + text.slice(1) : posix.resolve(setting.cwd, text);
  return matchPath(rule, new PathSubject(path, "read", contextOf(setting))) === "certainly";
}

function checkSuggestion(
  rule: Rule,
  suggestion: string,
  document: Document,
  setting: ExampleSetting,
  report: Report,
): void {
  const policy = { documents: [{ ...document, trusted: true }] };
  const { decision } = evaluate(segmentsIn(suggestion, setting), policy, contextOf(setting));
  if (decision !== "deny") return;
  const span = rule.suggestSpan ?? rule.origin.span;
  report.add(
    "suggestion-denied",
    span,
    `the suggestion \`${suggestion}\` would itself be denied`,
    "suggest a command line that this policy lets through",
  );
}

function segmentsIn(text: string, setting: ExampleSetting): Segmentation {
  const surroundings: Surroundings = {
    cwd: absolutePath(setting.cwd),
    home: absolutePath(setting.home),
    env: setting.env,
    entries: setting.entries,
  };
  return segmentsOf({ name: "example", text }, surroundings);
}

function contextOf({ cwd, home, env }: ExampleSetting): Context {
  return { cwd, home, projectRoot: cwd, env };
}
