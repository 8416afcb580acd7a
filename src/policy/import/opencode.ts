import { DiagnosticError } from "../../text/index.ts";
import { parseOpenCode } from "../opencode.ts";
import type { Rule } from "../rule.ts";
import { isBuried } from "../rule-cover.ts";
import { isPathTool, toolNames } from "../tool.ts";
import { ImportError, type Imported, type Item, lost, rule } from "./imported.ts";
import { readJson, tableAt } from "./json-text.ts";
import { crossingItems } from "./path-pattern-of.ts";

/** OpenCode's `permission`: there the last rule that matches decides, so the order is turned around. Throws an `ImportError`. */
export function importOpenCode(text: string): Imported {
  const document = parsed(text);
  return {
    agent: "opencode",
    otherwise: "ask",
    items: [...otherItems(text), ...firstToLast(document.rules).flatMap(itemsOf)],
  };
}

/** In the order in which they decide; a deny that a wider allow does not undo stands in front of it. */
function firstToLast(rules: readonly Rule[]): readonly Rule[] {
  const ordered: Rule[] = [];
  for (const rule of rules.toReversed()) {
    const by = ordered.findIndex((other) => isBuried(rule, other));
    ordered.splice(by < 0 ? ordered.length : by, 0, rule);
  }
  return ordered;
}

function parsed(text: string) {
  const setting = { layer: "given", trusted: true, home: "/", env: new Map<string, string>(), windows: false } as const;
  try {
    return parseOpenCode({ name: "opencode.json", text: permissionText(text.replace(/^\ufeff/, " ")) }, setting)
      .document;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [{ code, message, span, help }] = error.diagnostics;
    throw new ImportError(code, message, help ?? "give opencode.json, or the value of its `permission`", span);
  }
}

/** A configuration whose `permission` is one word is told from a list of tools by what else it holds. */
function permissionText(text: string): string {
  if (!text.trim().startsWith("{")) return text;
  const { permission, ...others } = readJson(text);
  const whole = Object.values(others).some((value) => typeof value === "object") || "model" in others;
  return typeof permission === "string" && whole ? JSON.stringify(permission) : text;
}

function itemsOf(written: Rule): readonly Item[] {
  const { tool, pattern, decision } = written;
  const from = `${tool}: ${pattern} → ${decision}`;
  if (isPathTool(tool)) return crossingItems(familyOf(tool), pattern, decision, from);
  if (!/[*?]/.test(tool) || pattern === "*") return [rule({ tool, pattern, decision, from })];
  // A tool pattern may be about commands and about files, whose stars are not the same.
  const files = decision === "allow" ? [] : crossingItems(tool, pattern, decision, from);
  return [
    rule({ tool, pattern, decision, from }),
    ...files.filter((item) => item.kind === "rule" && item.pattern !== pattern),
  ];
}

function familyOf(tool: string): string {
  return tool === "external_directory" ? tool : (toolNames(tool)[0] ?? tool);
}

function otherItems(text: string): readonly Item[] {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  if (!trimmed.startsWith("{") && !trimmed.startsWith("/")) return [];
  const config = readJson(trimmed);
  const items: Item[] = [];
  for (const key of ["agent", "mode"]) {
    const named = Object.keys(tableAt(config, key)).filter((name) =>
      Object.hasOwn(tableAt(tableAt(config, key), name), "permission"),
    );
    for (const name of named)
      items.push(
        lost(`${key}.${name}.permission`, "rules for one agent have no form here: give it a policy of its own"),
      );
  }
  for (const [tool, on] of Object.entries(tableAt(config, "tools")))
    if (on === false)
      items.push(rule({ tool: toolOf(tool), pattern: "*", decision: "deny", from: `tools: ${tool} → false` }));
  return items;
}

function toolOf(tool: string): string {
  return isPathTool(tool) ? familyOf(tool) : tool;
}
