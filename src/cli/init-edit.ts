import { applyEdits, findNodeAtLocation, modify, type Node, type ParseError, parseTree } from "jsonc-parser";
import { parse } from "smol-toml";
import type { Change, JsonEdit, JsonPath } from "../adapters/agents/index.ts";
import { insertMember, jsonIn } from "./json-insert.ts";

/** The text of a file with a change made; everything that is not part of it stays. Throws an `EditError`. */
export function changedText(before: string | undefined, change: Change): string {
  switch (change.kind) {
    case "file":
      if (before !== undefined && before !== change.text && !isOurs(before))
        throw new EditError("the file is there already and is not of guarded-sh: join the two by hand");
      return change.text;
    case "toml":
      return changedToml(before ?? "", change.text);
    case "json":
      return changedJson(before, change.edits);
  }
}

/** The text without what a change has added, for a file that was edited since; undefined: nothing of ours is left to keep. */
export function withoutChange(text: string, change: Change): string | undefined {
  switch (change.kind) {
    case "file":
      return isOurs(text) ? undefined : text;
    case "toml":
      return text.replace(new RegExp(`\\n?${escaped(BEGIN)}\\n[\\s\\S]*?${escaped(END)}\\n`), "");
    case "json":
      return change.edits.reduceRight(removeEdit, text);
  }
}

/** A configuration that cannot be changed as asked. */
export class EditError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EditError";
  }
}

/** Whether guarded-sh is what a text is about. */
export function isOurs(text: string): boolean {
  return text.includes("guarded-sh");
}

const BEGIN = "# guarded-sh: begin";
const END = "# guarded-sh: end";

function changedToml(before: string, tables: string): string {
  if (before.includes(BEGIN)) return before;
  checkToml(before, "the file is not TOML");
  const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const after = `${before}${gap}${BEGIN}\n${tables}${END}\n`;
  checkToml(after, "the file has hooks in a form that cannot be added to: write them as [[hooks.…]] tables");
  return after;
}

function checkToml(text: string, message: string): void {
  try {
    parse(text);
  } catch (error) {
    throw new EditError(`${message}: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : ""}`);
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function changedJson(before: string | undefined, edits: readonly JsonEdit[]): string {
  const empty = before === undefined || before.trim() === "";
  const text = empty ? "{}\n" : before;
  if (treeOf(text).type !== "object") throw new EditError("the file is not a JSON object");
  const after = edits.reduce(applyEdit, text);
  treeOf(after);
  return after;
}

function applyEdit(text: string, edit: JsonEdit): string {
  const there = findNodeAtLocation(treeOf(text), [...edit.at]);
  switch (edit.kind) {
    case "default":
      return there === undefined ? withField(text, edit.at, edit.value) : text;
    case "set":
      if (there === undefined) return setField(text, edit.at, edit.value);
      return sameValue(there, edit.value) ? text : replaced(text, there, edit.value);
    case "add":
      if (there === undefined) return withField(text, edit.at, [edit.value]);
      if (there.type !== "array") throw new EditError(`\`${edit.at.join(".")}\` is not a list`);
      if (there.children?.some((entry) => sameValue(entry, edit.value))) return text;
      return insertMember(text, there, jsonIn(text, edit.value), edit.first === true);
  }
}

/** A parent that is one word for everything becomes an object whose `*` is that word. */
function setField(text: string, at: JsonPath, value: unknown): string {
  const parent = findNodeAtLocation(treeOf(text), [...at.slice(0, -1)]);
  if (parent?.type !== "string") return withField(text, at, value);
  return replaced(text, parent, { "*": parent.value as string, [String(at.at(-1))]: value });
}

/** Adds a field with the objects around it that are not there yet. */
function withField(text: string, at: JsonPath, value: unknown): string {
  const tree = treeOf(text);
  let depth = at.length - 1;
  while (depth > 0 && findNodeAtLocation(tree, at.slice(0, depth)) === undefined) depth--;
  const parent = depth === 0 ? tree : findNodeAtLocation(tree, at.slice(0, depth));
  if (parent?.type !== "object") throw new EditError(`\`${at.slice(0, depth).join(".")}\` is not an object`);
  const [name, ...more] = at.slice(depth);
  const nested = more.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return insertMember(text, parent, `${JSON.stringify(name)}: ${jsonIn(text, nested)}`);
}

function replaced(text: string, { offset, length }: Node, value: unknown): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  return text.slice(0, offset) + jsonIn(text, value).replaceAll("\n", `\n${indent}`) + text.slice(offset + length);
}

function without(text: string, at: JsonPath): string {
  return applyEdits(text, modify(text, [...at], undefined, {}));
}

function removeEdit(text: string, edit: JsonEdit): string {
  const tree = treeOf(text);
  const there = findNodeAtLocation(tree, [...edit.at]);
  if (there === undefined || edit.kind === "default") return text;
  if (edit.kind === "set") return without(text, edit.at);
  const at = (there.children ?? []).findIndex((entry) => isOurs(text.slice(entry.offset, entry.offset + entry.length)));
  return at < 0 ? text : without(text, [...edit.at, at]);
}

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (tree === undefined || error !== undefined) {
    const line = text.slice(0, error?.offset ?? 0).split("\n").length;
    throw new EditError(`the file is not JSON: line ${line}`);
  }
  return tree;
}

function sameValue(node: Node, value: unknown): boolean {
  return JSON.stringify(plainValue(node)) === JSON.stringify(value);
}

function plainValue(node: Node): unknown {
  const children = node.children ?? [];
  switch (node.type) {
    case "array":
      return children.map(plainValue);
    case "object":
      return Object.fromEntries(
        children.map(({ children: [key, value] = [] }) => [key?.value, value && plainValue(value)]),
      );
    default:
      return node.value as unknown;
  }
}
