import type { Document, LoadedFile, Rule } from "../policy/index.ts";
import { placeOf } from "./place.ts";

/** One document as `policy show --json` prints it. */
export interface ShownDocument {
  readonly source: string;
  readonly layer: string;
  /** Its allow rules and its default count. */
  readonly trusted: boolean;
  /** It has no rules and no default: it does not vote. */
  readonly off: boolean;
  readonly order: string;
  readonly default: string | null;
  readonly rules: readonly ShownRule[];
  /** Asked where none of the rules speaks. */
  readonly extends: readonly ShownDocument[];
  /** Programs that it describes. */
  readonly programs: readonly string[];
  readonly scope?: LoadedFile["scope"];
  readonly env?: LoadedFile["env"];
}

export interface ShownRule {
  readonly tool: string;
  readonly pattern: string;
  readonly action: string;
  readonly flags?: readonly string[];
  readonly does?: readonly string[];
  readonly certain?: true;
  readonly reason?: string;
  readonly suggest?: string;
  readonly match?: readonly string[];
  readonly not_match?: readonly string[];
  /** `file:line`. */
  readonly source: string;
  /** False: an allow of a document that nobody has trusted. */
  readonly counts: boolean;
}

/** A document with its rules in the order in which they are asked. */
export function shownDocument(document: Document, file?: LoadedFile): ShownDocument {
  const { name, layer, trusted, off, order, otherwise, rules, bases } = document;
  return {
    source: name,
    layer,
    trusted,
    off,
    order,
    default: otherwise ?? null,
    rules: rules.map((rule) => shownRule(rule, trusted)),
    extends: bases.map((base) => shownDocument(base)),
    programs: [...(file?.entries.keys() ?? [])].sort(),
    ...(file?.scope === undefined ? {} : { scope: file.scope }),
    ...(file?.env === undefined ? {} : { env: file.env }),
  };
}

function shownRule(rule: Rule, trusted: boolean): ShownRule {
  const { tool, pattern, decision, flags, does, certain, reason, suggest, match, notMatch } = rule;
  return {
    tool,
    pattern,
    action: decision,
    ...(flags.length > 0 ? { flags } : {}),
    ...(does.length > 0 ? { does } : {}),
    ...(certain === undefined ? {} : { certain }),
    ...(reason === undefined ? {} : { reason }),
    ...(suggest === undefined ? {} : { suggest }),
    ...(match.length > 0 ? { match: match.map(({ text }) => text) } : {}),
    ...(notMatch.length > 0 ? { not_match: notMatch.map(({ text }) => text) } : {}),
    source: placeOf(rule.origin),
    counts: trusted || decision !== "allow",
  };
}
