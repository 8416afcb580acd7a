import type { Doing } from "../segment/spec.ts";
import type { Source, Span } from "../text/index.ts";
import { type CommandPattern, compileCommandPattern } from "./command-pattern.ts";
import type { Decision } from "./decision.ts";
import { expandPattern } from "./expand.ts";
import { compilePathPattern, type PathPattern } from "./path-pattern.ts";
import { indexRules, type RuleIndex } from "./rule-index.ts";
import { type EffectTool, namesTool } from "./tool.ts";
import { compileWildcard, isCatchAll, matchesWildcard, type Wildcard } from "./wildcard.ts";

/** Where a rule or document is written. */
export interface RuleOrigin {
  readonly source: Source;
  readonly span: Span;
}

/** A rule as it is written. */
export interface RuleText {
  readonly tool: string;
  readonly pattern: string;
  readonly decision: Decision;
  /** Any of these options must be present. Empty: none is asked for. */
  readonly flags: readonly string[];
  /** Why, for whoever is refused. */
  readonly reason: string | undefined;
  /** A command line that does it another way. */
  readonly suggest: string | undefined;
  /** Examples that the rule must match, and must not. */
  readonly match: readonly Located[];
  readonly notMatch: readonly Located[];
  /** All that the program may do, by the dictionary; empty when the rule does not ask. */
  readonly does: readonly Doing[];
  /** An ask or deny that leaves what it only possibly matches to the other rules. */
  readonly certain?: true;
  readonly origin: RuleOrigin;
  /** Of the text of `suggest`. */
  readonly suggestSpan?: Span;
}

/** A text with its place in the document. */
export interface Located {
  readonly text: string;
  readonly span: Span;
}

/** A rule, its pattern taken apart. */
export interface Rule extends RuleText {
  /** `name:line` and the number of the rule in its document: unique in a policy. */
  readonly id: string;
  readonly toolPattern: Wildcard;
  /** Its tool is every tool. */
  readonly everyTool: boolean;
  /** Its pattern is every text, and nothing else narrows it. */
  readonly catchAll: boolean;
  /** Which of the tools of effects it is about. */
  readonly effects: Readonly<Record<EffectTool, boolean>>;
  /** Undefined when the rule is not about the bash tool. */
  readonly command: CommandPattern | undefined;
  /** Undefined when the rule is about the bash tool alone. */
  readonly path: PathPattern | undefined;
  /** The pattern for tools whose subject is any text. */
  readonly text: Wildcard;
}

/** What the patterns of a document are read with. */
export interface PatternSetting {
  readonly home: string;
  readonly env: ReadonlyMap<string, string>;
  readonly windows: boolean;
  /** How path tools read patterns. */
  readonly patterns: "paths" | "wildcards";
}

/** Takes a rule's patterns apart, once for all texts that it will judge. */
export function makeRule(text: RuleText, id: string, setting: PatternSetting): Rule {
  const toolPattern = compileWildcard(text.tool);
  const everything = isCatchAll(text.pattern);
  const bash = matchesWildcard(toolPattern, "bash");
  return {
    ...text,
    id,
    toolPattern,
    everyTool: isCatchAll(text.tool),
    catchAll: everything && text.flags.length === 0 && text.does.length === 0,
    effects: {
      file_read: namesTool(toolPattern, "file_read"),
      file_write: namesTool(toolPattern, "file_write"),
      external_directory: namesTool(toolPattern, "external_directory"),
      webfetch: namesTool(toolPattern, "webfetch"),
    },
    command: bash ? compileCommandPattern(text.pattern, text.flags, setting) : undefined,
    path: text.tool === "bash" ? undefined : compilePathPattern(text.pattern, setting),
    text: compileWildcard(expandPattern(text.pattern, setting), setting.windows),
  };
}

/** Rules from one file in one order. */
export interface Document {
  readonly name: string;
  readonly order: "first-match" | "last-match";
  readonly rules: readonly Rule[];
  /** What is decided when no rule of any document matches; the innermost document's counts. */
  readonly otherwise: Decision | undefined;
  readonly layer: Layer;
  /** An untrusted document can only tighten: its allows and its default do not count. */
  readonly trusted: boolean;
  readonly patterns: "paths" | "wildcards";
  /** It has no permission table: it says nothing, not even a default. */
  readonly off: boolean;
  /** Documents that it extends: asked when none of its own rules certainly matches, the strictest of them counts. */
  readonly bases: readonly Document[];
  readonly origin: RuleOrigin;
  readonly index: RuleIndex;
}

/** A document, its rules sorted by what they are about. */
export function makeDocument(parts: Omit<Document, "index">): Document {
  return { ...parts, index: indexRules(parts.rules) };
}

export type Layer = "managed" | "user" | "project" | "given" | "inline" | "preset";

/** All rules in force, outermost document first. */
export interface Policy {
  readonly documents: readonly Document[];
}

/** Every rule of a policy with its document, in the order they are written. */
export function rulesOf(policy: Policy): { readonly document: Document; readonly rule: Rule }[] {
  return policy.documents.flatMap(function ofDocument(document: Document): { document: Document; rule: Rule }[] {
    return [...document.rules.map((rule) => ({ document, rule })), ...document.bases.flatMap(ofDocument)];
  });
}
