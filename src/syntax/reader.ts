import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";
import type { Diagnostic, DiagnosticCode, Source, Span } from "../text/index.ts";
import { LIMITS } from "../text/index.ts";

/** What all readers of one command line share. */
export interface Reading {
  readonly source: Source;
  readonly diagnostics: Diagnostic[];
  /** Offset from which on `shopt -s extglob` may be in force, so that `+(…)` is not surely an error. */
  readonly extglobFrom: number;
  /** The text holds characters that readers of shell text disagree about. */
  readonly oddCharacters: boolean;
  /** Characters that may still be parsed a second time; bounds the work on hostile text. */
  rereads: number;
  /** Simple commands, assignments and redirects read so far. */
  counted: number;
  /** Words of simple commands so far. */
  words: number;
  depth: number;
}

/** One text that is read: the command line, or the body of escaped backquotes. Offsets in it map to the command line. */
export interface Region {
  readonly reading: Reading;
  readonly text: string;
  /** Where all of it stands in the command line, when its offsets are not the command line's. */
  readonly fixed: Span | undefined;
  /** Added to an offset to give the command line's. */
  readonly shift: number;
  /** Inside `$( … )`, `<( … )` or `>( … )`, which bash prints again from its tree before it runs them. */
  readonly reprinted: boolean;
}

export function spanIn(region: Region, start: number, end: number): Span {
  return region.fixed ?? { start: start + region.shift, end: end + region.shift };
}

/** Notes that a part of the text is not surely read as bash reads it. */
export function note(region: Region, code: DiagnosticCode, message: string, start: number, end: number): void {
  const { reading } = region;
  if (reading.diagnostics.length > 50) return;
  const { source } = reading;
  const at = spanIn(region, start, end);
  const last = source.text.length;
  const span = { start: Math.min(at.start, last), end: Math.min(at.end, last) };
  reading.diagnostics.push({ code, severity: "error", message, source, span });
}

export function opaque(region: Region, message: string, start: number, end: number): void {
  note(region, "opaque-text", message, start, end);
}

/** More than one text may hold: nothing of it is read. */
export class TooMuch extends Error {
  /** Where the last one stands that was read. */
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.span = span;
  }
}

/** Counts a simple command, assignment or redirect. Throws TooMuch behind the last one that is allowed. */
export function countOne(region: Region, at: number): void {
  if (region.reading.counted++ < LIMITS.parts) return;
  throw new TooMuch(`more than ${LIMITS.parts} simple commands, assignments and redirects`, spanIn(region, at, at + 1));
}

/** Counts the words of a simple command. Throws TooMuch with those that are one too many. */
export function countWords(region: Region, at: number, words: number): void {
  region.reading.words += words;
  if (region.reading.words > LIMITS.words)
    throw new TooMuch(`more than ${LIMITS.words} words`, spanIn(region, at, at + 1));
}

/** A substitution that the parser found: its end, and its script. */
export interface Found {
  readonly end: number;
  readonly kind: "script" | "parameter" | "arithmetic";
  readonly script: ParsedScript | undefined;
}

/** The expansions that the parser found inside a word, by their offset; of nested scripts only the outermost. */
export type FoundAt = ReadonlyMap<number, Found>;

export const NOTHING_FOUND: FoundAt = new Map();

/** Collects what the parser found below some nodes of one word. */
export function findExpansions(nodes: readonly SyntaxNode[]): FoundAt {
  const found = new Map<number, Found>();
  const visit = (node: SyntaxNode): void => {
    switch (node.type) {
      case "CommandExpansion":
      case "ArithmeticCommandExpansion":
      case "ProcessSubstitution":
        found.set(node.pos, { end: node.end, kind: "script", script: node.script });
        return;
      case "ParameterExpansion":
        found.set(node.pos, { end: node.end, kind: "parameter", script: undefined });
        break;
      case "ArithmeticExpansion":
        found.set(node.pos, { end: node.end, kind: "arithmetic", script: undefined });
        break;
      case "Script":
        return;
      default:
        break;
    }
    forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
  return found;
}

/** A substitution that was parsed again on its own: its script stands in `text`, at `shift` of the region. */
export interface Reread extends Found {
  readonly script: ParsedScript;
  readonly shift: number;
  readonly text: string;
}

/**
 * Reads the substitution whose body begins at `from` where the parser saw none: bash does. Its script is parsed from
 * there on; undefined when it cannot be read.
 */
export function rereadSubstitution(region: Region, opener: string, from: number): Reread | undefined {
  const text = opener + region.text.slice(from);
  region.reading.rereads -= text.length;
  if (region.reading.rereads < 0) return undefined;
  const part = firstWord(parse(text))?.parts?.[0];
  if (part === undefined || part.pos !== 0) return undefined;
  if (part.type !== "CommandExpansion" && part.type !== "ProcessSubstitution") return undefined;
  if (part.script === undefined || hasErrors(part.script)) return undefined;
  return { end: part.end, kind: "script", script: part.script, shift: from - opener.length, text };
}

function firstWord(script: ParsedScript) {
  let node: SyntaxNode | undefined = script.commands[0]?.command;
  while (node !== undefined && node.type !== "Command") {
    node = node.type === "Pipeline" || node.type === "AndOr" ? node.commands[0] : undefined;
  }
  const first = node?.name ?? node?.prefix[0];
  return first?.type === "Word" ? first : undefined;
}

/** Whether a parsed script, or any script inside it, has an error. A nested script carries its own list. */
export function hasErrors(script: ParsedScript): boolean {
  let found = (script.errors?.length ?? 0) > 0;
  const visit = (node: SyntaxNode): void => {
    if (found) return;
    if (node.type === "Script" && ((node as ParsedScript).errors?.length ?? 0) > 0) found = true;
    else forEachChild(node, visit);
  };
  if (!found) forEachChild(script, visit);
  return found;
}

/** Runs a step one level deeper; too deep is a limit, noted once. */
export function nested<T>(region: Region, at: number, fallback: T, step: () => T): T {
  const { reading } = region;
  if (reading.depth >= LIMITS.nesting) {
    if (!reading.diagnostics.some((d) => d.code === "limit-exceeded"))
      note(region, "limit-exceeded", `more than ${LIMITS.nesting} constructs inside each other`, at, at + 1);
    return fallback;
  }
  reading.depth++;
  try {
    return step();
  } finally {
    reading.depth--;
  }
}
