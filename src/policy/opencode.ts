import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { nearestWord, type Source, type Span } from "../text/index.ts";
import type { DocumentSetting, ParsedDocument } from "./parsed.ts";
import { Report } from "./report.ts";
import { makeDocument, makeRule, type PatternSetting, type Rule } from "./rule.ts";

/**
 * Reads OpenCode's permissions: a whole `opencode.json` or the value of its `permission` alone, in any of the four shapes.
 * The last rule that matches decides, and without one the answer is to ask. Throws a `DiagnosticError`.
 */
export function parseOpenCode(source: Source, setting: DocumentSetting): ParsedDocument {
  const report = new Report(source);
  const root = parseText(source, report);
  const permission = root === undefined ? undefined : permissionOf(root);
  if (root !== undefined && (permission === undefined || permission === root)) refuseMisspelled(root, report);
  const rules = permission === undefined ? [] : rulesOf(permission, report, { ...setting, patterns: "wildcards" });
  report.throwIfAny();
  return {
    document: makeDocument({
      name: source.name,
      order: "last-match",
      rules,
      otherwise: "ask",
      layer: setting.layer,
      trusted: setting.trusted,
      patterns: "wildcards",
      off: permission === undefined,
      bases: [],
      origin: { source, span: permission === undefined ? { start: 0, end: 0 } : spanOf(permission) },
    }),
    extends: [],
    dictionary: undefined,
    scope: undefined,
    env: undefined,
  };
}

function parseText(source: Source, report: Report): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(source.text, errors, { allowTrailingComma: true, disallowComments: false });
  for (const { error, offset, length } of errors) {
    const message = printParseErrorCode(error)
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase();
    report.add("json-syntax", { start: offset, end: offset + Math.max(length, 1) }, message);
  }
  report.throwIfAny();
  return root;
}

/** A whole configuration is told by its `permission` or `$schema`; anything else is the permission itself. */
function permissionOf(root: Node): Node | undefined {
  if (root.type !== "object") return root;
  const members = membersOf(root);
  const permission = members.findLast(({ key }) => key.value === "permission");
  if (permission !== undefined && permission.value.type !== "string") return permission.value;
  if (permission !== undefined && members.length === 1) return permission.value;
  const whole = members.some(({ key }) => key.value === "$schema");
  return whole ? permission?.value : root;
}

/** A misspelled `permission` would be a tool that nobody calls, or no permissions at all. */
function refuseMisspelled(root: Node, report: Report): void {
  if (root.type !== "object") return;
  for (const { key } of membersOf(root)) {
    const word = String(key.value);
    if (word === "permission" || nearestWord(word, ["permission"]) === undefined) continue;
    report.addUnknown("unknown-field", spanOf(key), `\`${word}\` is not a field of a configuration`, word, [
      "permission",
    ]);
  }
}

interface Member {
  readonly key: Node;
  readonly value: Node;
}

function membersOf(node: Node): Member[] {
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
}

function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}

interface Reader {
  readonly report: Report;
  readonly setting: PatternSetting;
  readonly rules: Rule[];
}

function rulesOf(node: Node, report: Report, setting: PatternSetting): Rule[] {
  const reader: Reader = { report, setting, rules: [] };
  if (node.type === "string") addRule(reader, "*", "*", node, spanOf(node));
  else if (node.type === "object") for (const member of membersOf(node)) readTool(reader, member);
  else if (node.type === "array") for (const item of node.children ?? []) readItem(reader, item);
  else report.add("wrong-type", spanOf(node), "`permission` is a word, an object or a list");
  return reader.rules;
}

function readTool(reader: Reader, { key, value }: Member): void {
  const tool = String(key.value);
  if (value.type !== "object") {
    addRule(reader, tool, "*", value, spanOf(key));
    return;
  }
  for (const member of membersOf(value))
    addRule(reader, tool, String(member.key.value), member.value, spanOf(member.key));
}

const ITEM_FIELDS = ["permission", "pattern", "action"];

function readItem(reader: Reader, item: Node): void {
  const { report } = reader;
  if (item.type !== "object") {
    report.add("wrong-type", spanOf(item), "a rule is an object with permission, pattern and action");
    return;
  }
  const fields = new Map(membersOf(item).map(({ key, value }) => [String(key.value), { key, value }]));
  for (const [name, { key }] of fields) {
    if (!ITEM_FIELDS.includes(name)) {
      report.addUnknown("unknown-field", spanOf(key), `\`${name}\` is not a field of a rule`, name, ITEM_FIELDS);
    }
  }
  const missing = ITEM_FIELDS.filter((name) => !fields.has(name));
  for (const name of missing) report.add("missing-field", spanOf(item), `a rule needs \`${name}\``);
  const [permission, pattern, action] = ITEM_FIELDS.map((name) => fields.get(name)?.value);
  if (permission === undefined || pattern === undefined || action === undefined) return;
  const tool = report.pattern(permission.value, "permission", spanOf(permission));
  const text = report.pattern(pattern.value, "pattern", spanOf(pattern));
  if (tool !== undefined && text !== undefined) addRule(reader, tool, text, action, spanOf(item));
}

function addRule({ report, setting, rules }: Reader, tool: string, pattern: string, action: Node, span: Span): void {
  const decision = report.decision(action.value, spanOf(action));
  const valid =
    report.pattern(tool, "permission", span) !== undefined && report.pattern(pattern, "pattern", span) !== undefined;
  if (decision === undefined || !valid) return;
  const { source } = report;
  const text = {
    tool,
    pattern,
    decision,
    flags: [],
    does: [],
    reason: undefined,
    suggest: undefined,
    match: [],
    notMatch: [],
  };
  rules.push(makeRule({ ...text, origin: { source, span } }, `${source.name}#${rules.length + 1}`, setting));
}
