import type { Source, Span } from "../text/index.ts";
import { isTable } from "./fields.ts";
import type { DocumentSetting } from "./parsed.ts";
import { Report } from "./report.ts";
import { type Document, makeDocument, makeRule, type PatternSetting, type Policy, type Rule } from "./rule.ts";

const FIELDS = ["order", "default_action", "rules"];
const RULE_FIELDS = ["tool", "pattern", "action", "flags", "reason", "suggest"];
type InlineSetting = Omit<DocumentSetting, "layer" | "trusted">;

const ORDERS = ["first-match", "last-match"] as const;

/**
 * The policy that came with one request: `{order?, default_action, rules: [{tool, pattern, action, flags?}]}`. Its source is
 * its rules, one a line. Throws a `DiagnosticError`.
 */
export function parseInline(value: unknown, setting: InlineSetting): Policy {
  const source = sourceOf(value);
  const report = new Report(source);
  const document = readDocument(value, report, setting);
  report.throwIfAny();
  return { documents: document === undefined ? [] : [document] };
}

function sourceOf(value: unknown): Source {
  const rules = isTable(value) && Array.isArray(value.rules) ? value.rules : [value];
  return { name: "policy of the request", text: rules.map((rule) => JSON.stringify(rule)).join("\n") };
}

function lineSpan({ text }: Source, line: number): Span {
  let start = 0;
  for (let i = 0; i < line; i++) start = text.indexOf("\n", start) + 1;
  const end = text.indexOf("\n", start);
  return { start, end: end < 0 ? text.length : end };
}

const TOP: Span = { start: 0, end: 0 };

function readDocument(value: unknown, report: Report, given: InlineSetting): Document | undefined {
  if (!isTable(value)) {
    report.add("wrong-type", TOP, "`policy` is an object");
    return undefined;
  }
  onlyKeys(value, FIELDS, TOP, report);
  if (value.default_action === undefined) report.add("missing-field", TOP, "`policy` needs `default_action`");
  const otherwise = value.default_action === undefined ? undefined : report.decision(value.default_action, TOP);
  const order = ORDERS.find((name) => name === (value.order ?? "first-match"));
  if (order === undefined) {
    report.addUnknown("unknown-field", TOP, `\`${String(value.order)}\` is not an order`, String(value.order), ORDERS);
  }
  // Last match is OpenCode's order, and its rules for files are written in its wildcards.
  const patterns = order === "last-match" ? "wildcards" : "paths";
  const setting: PatternSetting = { ...given, patterns };
  const rules = value.rules ?? [];
  if (!Array.isArray(rules)) report.add("wrong-type", TOP, "`rules` is a list");
  const read = Array.isArray(rules)
    ? rules.flatMap((rule: unknown, i) => readRule(rule, i, report, setting) ?? [])
    : [];
  return makeDocument({
    name: report.source.name,
    order: order ?? "first-match",
    rules: read,
    otherwise,
    layer: "inline",
    trusted: true,
    patterns,
    off: false,
    bases: [],
    origin: { source: report.source, span: TOP },
  });
}

function onlyKeys(
  table: Readonly<Record<string, unknown>>,
  valid: readonly string[],
  span: Span,
  report: Report,
): void {
  for (const key of Object.keys(table)) {
    if (!valid.includes(key)) report.addUnknown("unknown-field", span, `\`${key}\` is not a field here`, key, valid);
  }
}

function readRule(value: unknown, i: number, report: Report, setting: PatternSetting): Rule | undefined {
  const span = lineSpan(report.source, i);
  if (!isTable(value)) {
    report.add("wrong-type", span, "a rule is an object");
    return undefined;
  }
  onlyKeys(value, RULE_FIELDS, span, report);
  const tool = report.pattern(value.tool, "tool", span);
  const pattern = report.pattern(value.pattern, "pattern", span);
  const decision = report.decision(value.action, span);
  const flags = Array.isArray(value.flags) ? value.flags.filter((flag) => typeof flag === "string") : [];
  if (value.flags !== undefined && flags.length !== (Array.isArray(value.flags) ? value.flags.length : -1)) {
    report.add("wrong-type", span, "`flags` is a list of strings");
  }
  if (tool === undefined || pattern === undefined || decision === undefined) return undefined;
  const reason = typeof value.reason === "string" ? value.reason : undefined;
  const suggest = typeof value.suggest === "string" ? value.suggest : undefined;
  const text = { tool, pattern, decision, flags, does: [], reason, suggest, match: [], notMatch: [] };
  return makeRule({ ...text, origin: { source: report.source, span } }, `${report.source.name}#${i + 1}`, setting);
}
