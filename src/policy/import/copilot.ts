import { segmentsOf, shownValue } from "../../segment/index.ts";
import { absolutePath } from "../../text/index.ts";
import type { Decision } from "../decision.ts";
import { ImportError, type Imported, type Item, lost, rule } from "./imported.ts";
import { crossingItems } from "./path-pattern-of.ts";
import { prefixItems, shellItems } from "./shell-pattern.ts";

/** Options of Copilot CLI as they stand in a script, an alias or a list: a deny goes before an allow, the rest is asked. */
export function importCopilot(text: string): Imported {
  const words = wordsOf(text);
  const lists = { deny: [] as string[], allow: [] as string[] };
  const items: Item[] = [];
  let open: Decision | undefined;
  for (const [i, word] of words.entries()) {
    const option = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word);
    if (option === null) {
      if (open === "deny" || open === "allow") lists[open].push(...split(word));
      continue;
    }
    const [, name = "", value] = option;
    open = name === "--deny-tool" ? "deny" : name === "--allow-tool" ? "allow" : undefined;
    if (open !== undefined && value !== undefined) lists[open].push(...split(value));
    const next = words[i + 1];
    items.push(...otherOption(name, value ?? (next?.startsWith("-") ? undefined : next)));
  }
  const denied = lists.deny.flatMap((each) => itemsOf(each, "deny"));
  return {
    agent: "copilot",
    otherwise: "ask",
    items: [...denied, ...lists.allow.flatMap((each) => itemsOf(each, "allow")), ...items],
  };
}

/** The words behind `copilot`, read as bash reads them; a text without it is the options alone. */
function wordsOf(text: string): readonly string[] {
  const uncommented = text.replace(/^[ \t]*#[^\n]*$/gm, "");
  const line = /(?:^|\s|\/)copilot(?:\s|$)/m.test(uncommented)
    ? uncommented
    : `copilot ${uncommented.trim().replace(/\\?\n/g, " ")}`;
  const surroundings = { cwd: absolutePath("/"), home: absolutePath("/"), env: new Map<string, string>() };
  const { segments, diagnostics } = segmentsOf({ name: "options", text: line }, surroundings);
  const [fault] = diagnostics;
  if (fault !== undefined)
    throw new ImportError(
      fault.code,
      fault.message,
      "give a script with the options, or the options alone, one a line",
    );
  return segments.flatMap(({ words }) => {
    const shown = words.map(shownValue);
    return /(?:^|\/)copilot$/.test(shown[0] ?? "") ? shown.slice(1) : [];
  });
}

/** `shell(git push), write` is two; a comma inside brackets is part of one. */
function split(text: string): readonly string[] {
  return (text.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? []).map((each) => each.trim()).filter((each) => each !== "");
}

const OUTSIDE = "files outside the project are asked about by rules for file_write or external_directory";

function otherOption(name: string, value: string | undefined): readonly Item[] {
  const from = value === undefined ? name : `${name} ${value}`;
  switch (name) {
    case "--allow-all-tools":
    case "--allow-all":
    case "--yolo":
      return [lost(name, 'what no rule is about is asked here: write default_action = "allow" if that is meant')];
    case "--available-tools":
    case "--excluded-tools":
      return [lost(from, "it decides what the model is offered; deny the tools by name", "*")];
    case "--deny-url":
    case "--allow-url":
      return [lost(from, "write a rule for webfetch", name === "--deny-url" ? "webfetch" : undefined)];
    case "--allow-all-paths":
    case "--allow-all-urls":
      return [lost(name, OUTSIDE)];
    case "--add-dir":
      return [lost(from, OUTSIDE)];
    default:
      return [];
  }
}

// Programs of which `shell(PROGRAM)` is not yet what is done.
const WITH_VERBS = new Set(["git", "gh"]);

function itemsOf(written: string, decision: "allow" | "deny"): readonly Item[] {
  const [, name = written, inside] = /^([^(]+)(?:\((.*)\)?)?$/s.exec(written) ?? [];
  const from = `--${decision}-tool ${written}`;
  const command = inside?.replace(/\)$/, "").trim();
  if (name === "shell") return shellRule(command, decision, from);
  if (name === "write" || name === "read") {
    const tool = name === "write" ? "file_write" : "file_read";
    return command === undefined || command === ""
      ? [rule({ tool, pattern: "*", decision, from })]
      : crossingItems(tool, command, decision, from);
  }
  const tool = command === undefined || command === "" ? "*" : command;
  return [rule({ tool: `${name}.${tool}`, pattern: "*", decision, from })];
}

function shellRule(command: string | undefined, decision: "allow" | "deny", from: string): readonly Item[] {
  if (command === undefined || command === "" || command === "*")
    return [rule({ tool: "bash", pattern: "*", decision, from })];
  const prefix = /^(.*):\*$/s.exec(command)?.[1];
  if (prefix !== undefined) return prefixItems(prefix, decision, from);
  if (decision === "allow" && WITH_VERBS.has(command)) {
    const [first] = shellItems({ text: command, decision, from });
    const note = "the call without a verb alone: allow the verbs that are meant";
    return first?.kind === "rule" ? [{ ...first, note }] : [];
  }
  return prefixItems(command, decision, from);
}
