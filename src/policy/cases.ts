import { extname } from "node:path";
import type { Source, Span } from "../text/index.ts";
import { DECISIONS, type Decision, isDecision } from "./decision.ts";
import { Fields, isTable } from "./fields.ts";
import { Report } from "./report.ts";
import type { RuleOrigin } from "./rule.ts";
import { parseTomlText } from "./toml.ts";
import { placesOf } from "./toml-spans.ts";

/** A command line, or a call of another tool, and the verdict that a policy has to give it. */
export interface Case {
  readonly name: string | undefined;
  /** `bash` unless the case says otherwise. */
  readonly tool: string;
  readonly command: string;
  /** Any of them is right. */
  readonly decisions: readonly Decision[];
  /** The pattern or `file:line` of the rule that decides, or the code of the finding. */
  readonly rule: string | undefined;
  /** The words of every segment, joined by blanks, in order. */
  readonly segments: readonly string[] | undefined;
  /** Relative to the directory that the cases are run in. */
  readonly cwd: string | undefined;
  /** Why it is known to fail; an empty text gives no reason. */
  readonly todo: string | undefined;
  readonly origin: RuleOrigin;
}

/** Every field of a case; the reference in the docs has a row for each. */
export const CASE_FIELDS = ["name", "tool", "command", "decision", "rule", "segments", "cwd", "todo"];

/** Reads a case file: JSON lines by its extension, else TOML with `[[case]]` tables. Throws a `DiagnosticError`. */
export function parseCases(source: Source): readonly Case[] {
  const report = new Report(source);
  const cases = [".jsonl", ".ndjson"].includes(extname(source.name))
    ? readLines(source, report)
    : readTables(source, report);
  report.throwIfAny();
  return cases;
}

function readTables(source: Source, report: Report): readonly Case[] {
  const top = parseTomlText(source, report);
  const fields = new Fields(report, placesOf(source.text));
  fields.onlyKeys(top, [], ["case"], "a case file");
  const list = top.case ?? [];
  if (!Array.isArray(list)) {
    fields.wrongType(["case"], "a list of tables: write `[[case]]`");
    return [];
  }
  return list.flatMap((item: unknown, i) => {
    const span = fields.keySpan(["case", i]);
    const at = (field: string) => fields.valueSpan(["case", i, field]);
    return readCase(item, span, at, report) ?? [];
  });
}

function readLines(source: Source, report: Report): readonly Case[] {
  const cases: Case[] = [];
  let start = 0;
  for (const line of source.text.split("\n")) {
    const span = { start, end: start + line.length };
    start += line.length + 1;
    if (line.trim() === "") continue;
    try {
      cases.push(...(readCase(JSON.parse(line), span, () => span, report) ?? []));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      report.add("json-syntax", span, "the line is not JSON", 'write {"command": "…", "decision": "…"} on one line');
    }
  }
  return cases;
}

function readCase(value: unknown, span: Span, at: (field: string) => Span, report: Report): [Case] | undefined {
  if (!isTable(value)) {
    report.add("wrong-type", span, "a case is a table");
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!CASE_FIELDS.includes(key))
      report.addUnknown("unknown-field", at(key), `\`${key}\` is not a field of a case`, key, CASE_FIELDS);
  }
  for (const field of ["command", "decision"]) {
    if (value[field] === undefined) report.add("missing-field", span, `a case needs \`${field}\``);
  }
  const text = (field: string) => textOf(value[field], field, at(field), report);
  const decisions = decisionsOf(value.decision, at("decision"), report);
  const command = text("command");
  if (command === undefined || decisions.length === 0) return undefined;
  const found: Case = {
    name: text("name"),
    tool: text("tool") ?? "bash",
    command,
    decisions,
    rule: text("rule"),
    segments: segmentsOf(value.segments, at("segments"), report),
    cwd: text("cwd"),
    todo: value.todo === true ? "" : value.todo === false ? undefined : text("todo"),
    origin: { source: report.source, span },
  };
  return [found];
}

function textOf(value: unknown, field: string, span: Span, report: Report): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  report.add("wrong-type", span, `\`${field}\` is a string`);
  return undefined;
}

function decisionsOf(value: unknown, span: Span, report: Report): Decision[] {
  if (value === undefined) return [];
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (words.length === 0)
    report.add("wrong-type", span, "`decision` is allow, ask or deny, or a list of those that will do");
  return words.flatMap((word) => {
    if (isDecision(word)) return [word];
    report.addUnknown("unknown-decision", span, `\`${String(word)}\` is not a decision`, String(word), DECISIONS);
    return [];
  });
}

/** Each segment as one text, or as the list of its words. */
function segmentsOf(value: unknown, span: Span, report: Report): string[] | undefined {
  if (value === undefined) return undefined;
  const rows: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  return rows.flatMap((row) => {
    if (typeof row === "string") return [row];
    if (Array.isArray(row) && row.every((word) => typeof word === "string")) return [row.join(" ")];
    report.add("wrong-type", span, "`segments` is a list of texts, or of lists of words");
    return [];
  });
}
