import { parse, TomlError } from "smol-toml";
import { DOINGS, type Doing } from "../segment/spec.ts";
import { positionOf, type Source } from "../text/index.ts";
import { type FieldPath, Fields, isTable } from "./fields.ts";
import type { DocumentSetting, EnvTable, ParsedDocument, ScopeTable } from "./parsed.ts";
import { Report } from "./report.ts";
import { makeDocument, makeRule, type PatternSetting, type Rule } from "./rule.ts";
import { placesOf } from "./toml-spans.ts";

const TOP = ["permissions", "extends", "arity", "command", "scope", "env"];
const PERMISSIONS = ["default_action", "rule"];
/** Every field of a rule; the reference in the docs has a row for each. */
export const RULE_FIELDS = [
  "tool",
  "pattern",
  "action",
  "flags",
  "does",
  "certain",
  "reason",
  "suggest",
  "match",
  "not_match",
];

/** Reads a TOML policy. Throws a `DiagnosticError` with everything that is wrong in it. */
export function parseToml(source: Source, setting: DocumentSetting): ParsedDocument {
  const report = new Report(source);
  const top = parseTomlText(source, report);
  const fields = new Fields(report, placesOf(source.text));
  fields.onlyKeys(top, [], TOP, "a policy");
  const rules = readPermissions(top, fields, { ...setting, patterns: "paths" });
  const parsed: ParsedDocument = {
    document: makeDocument({
      name: source.name,
      order: "first-match",
      rules: rules?.rules ?? [],
      otherwise: rules?.otherwise,
      layer: setting.layer,
      trusted: setting.trusted,
      patterns: "paths",
      off: rules === undefined && top.extends === undefined,
      bases: [],
      origin: { source, span: fields.keySpan(["permissions"]) },
    }),
    extends: fields.texts(top.extends, ["extends"]),
    dictionary: dictionaryOf(top, fields, source),
    scope: scopeOf(top.scope, fields),
    env: envOf(top.env, fields),
  };
  report.throwIfAny();
  return parsed;
}

/** A TOML text as tables; a mistake in it is reported with its place, and thrown. */
export function parseTomlText(source: Source, report: Report): Readonly<Record<string, unknown>> {
  try {
    return parse(source.text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const start = offsetOf(source, error.line, error.column);
    const message = error.message.split("\n", 1)[0] ?? "not TOML";
    report.add("toml-syntax", { start, end: start + 1 }, message.replace(/^Invalid TOML document: /, ""));
    report.throwIfAny();
    throw error;
  }
}

function offsetOf({ text }: Source, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i++) start = text.indexOf("\n", start) + 1;
  return Math.min(start + Math.max(column - 1, 0), text.length);
}

function readPermissions(top: Readonly<Record<string, unknown>>, fields: Fields, setting: PatternSetting) {
  if (top.permissions === undefined) return undefined;
  const table = fields.table(top.permissions, ["permissions"]);
  if (table === undefined) return undefined;
  fields.onlyKeys(table, ["permissions"], PERMISSIONS, "`[permissions]`");
  const path = ["permissions", "default_action"];
  const { report } = fields;
  if (table.default_action === undefined) {
    const span = fields.keySpan(["permissions"]);
    report.add("missing-field", span, "`[permissions]` needs `default_action`", 'add default_action = "ask"');
  }
  const otherwise =
    table.default_action === undefined ? undefined : report.decision(table.default_action, fields.valueSpan(path));
  return { otherwise, rules: readRules(table.rule, fields, setting) };
}

function readRules(value: unknown, fields: Fields, setting: PatternSetting): Rule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    fields.wrongType(["permissions", "rule"], "a list of tables: write `[[permissions.rule]]`");
    return [];
  }
  return value.flatMap((item: unknown, i) => readRule(item, ["permissions", "rule", i], fields, setting) ?? []);
}

function readRule(value: unknown, path: FieldPath, fields: Fields, setting: PatternSetting): Rule | undefined {
  const table = fields.table(value, path);
  if (table === undefined) return undefined;
  const { report } = fields;
  const span = fields.keySpan(path);
  fields.onlyKeys(table, path, RULE_FIELDS, "a rule");
  for (const field of requiredOf(table)) {
    if (table[field] !== undefined) continue;
    const help =
      field === "pattern" ? 'write pattern = "git push *", or say with `flags` or `does` what is meant' : undefined;
    report.add("missing-field", span, `a rule needs \`${field}\``, help);
  }
  const at = (field: string) => fields.valueSpan([...path, field]);
  const tool = table.tool === undefined ? undefined : report.pattern(table.tool, "tool", at("tool"));
  const pattern = table.pattern === undefined ? "*" : report.pattern(table.pattern, "pattern", at("pattern"));
  const decision = table.action === undefined ? undefined : report.decision(table.action, at("action"));
  const flags = readFlags(table.flags, [...path, "flags"], fields);
  const does = readDoes(table.does, [...path, "does"], fields);
  const certain = fields.flag(table.certain, [...path, "certain"]) === true ? { certain: true as const } : {};
  const reason = fields.text(table.reason, [...path, "reason"]);
  const suggest = fields.text(table.suggest, [...path, "suggest"]);
  const match = fields.texts(table.match, [...path, "match"]);
  const notMatch = fields.texts(table.not_match, [...path, "not_match"]);
  if (tool === undefined || pattern === undefined || decision === undefined) return undefined;
  const origin = { source: report.source, span };
  const id = `${report.source.name}:${positionOf(report.source, span.start).line}`;
  const text = { tool, pattern, decision, flags, does, reason, suggest, match, notMatch, origin, ...certain };
  return makeRule(suggest === undefined ? text : { ...text, suggestSpan: at("suggest") }, id, setting);
}

function requiredOf(table: Readonly<Record<string, unknown>>): readonly string[] {
  const named = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const narrowed = named(table.does) || named(table.flags);
  return narrowed ? ["tool", "action"] : ["tool", "pattern", "action"];
}

function readFlags(value: unknown, path: FieldPath, fields: Fields): string[] {
  return fields.texts(value, path).flatMap(({ text, span }) => {
    if (/^[-+]/.test(text) && !/\s/.test(text)) return [text];
    fields.report.add(
      "bad-pattern",
      span,
      `\`${text}\` is not an option`,
      "options begin with a dash and hold no blank",
    );
    return [];
  });
}

function readDoes(value: unknown, path: FieldPath, fields: Fields): Doing[] {
  return fields.texts(value, path).flatMap(({ text, span }) => {
    const doing = DOINGS.find((name) => name === text);
    if (doing === undefined) {
      fields.report.addUnknown(
        "unknown-field",
        span,
        `\`${text}\` is nothing the dictionary says of programs`,
        text,
        DOINGS,
      );
    }
    return doing ?? [];
  });
}

function dictionaryOf(top: Readonly<Record<string, unknown>>, fields: Fields, source: Source) {
  if (top.arity === undefined && top.command === undefined) return undefined;
  const arity = top.arity === undefined ? {} : (fields.table(top.arity, ["arity"]) ?? {});
  if (top.command !== undefined && !Array.isArray(top.command)) {
    fields.wrongType(["command"], "a list of tables: write `[[command]]`");
  }
  const command: readonly unknown[] = Array.isArray(top.command) ? top.command : [];
  return { source, arity, command, spanOf: (path: FieldPath) => fields.valueSpan(path) };
}

function scopeOf(value: unknown, fields: Fields): ScopeTable | undefined {
  if (value === undefined) return undefined;
  const table = fields.table(value, ["scope"]);
  if (table === undefined) return undefined;
  fields.onlyKeys(table, ["scope"], ["write", "read_deny", "network"], "`[scope]`");
  const texts = (field: string) => fields.texts(table[field], ["scope", field]).map(({ text }) => text);
  return {
    write: table.write === undefined ? undefined : texts("write"),
    readDeny: texts("read_deny"),
    network: fields.flag(table.network, ["scope", "network"]),
  };
}

function envOf(value: unknown, fields: Fields): EnvTable | undefined {
  if (!isTable(value)) {
    if (value !== undefined) fields.wrongType(["env"], "a table");
    return undefined;
  }
  fields.onlyKeys(value, ["env"], ["pass", "drop"], "`env`");
  const texts = (field: string) => fields.texts(value[field], ["env", field]).map(({ text }) => text);
  return { pass: texts("pass"), drop: texts("drop") };
}
