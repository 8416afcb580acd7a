import type { DiagnosticCode, Span } from "../../text/index.ts";
import type { Decision } from "../decision.ts";

/** A rule as it comes from another agent, in the order in which it decides there: the first that matches. */
export interface ImportedRule {
  readonly tool: string;
  readonly pattern: string;
  readonly decision: Decision;
  readonly reason?: string;
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
  /** The rule as it was written there. */
  readonly from: string;
  /** What is different here. */
  readonly note?: string;
}

/** Something that could not be carried over. */
export interface Lost {
  readonly from: string;
  readonly why: string;
  /** It denied or asked: the tool whose later allows may let through what it held back. Undefined: nothing became laxer. */
  readonly restricts?: string;
}

export type Item = ({ readonly kind: "rule" } & ImportedRule) | ({ readonly kind: "lost" } & Lost);

/** Everything that was read of another agent's rules. */
export interface Imported {
  readonly agent: string;
  readonly otherwise: Decision;
  readonly items: readonly Item[];
}

/** What is wrong with a file that cannot be read at all, and where in its text. */
export class ImportError extends Error {
  readonly code: DiagnosticCode;
  readonly span: Span;
  readonly help: string;

  constructor(code: DiagnosticCode, message: string, help: string, span: Span = { start: 0, end: 1 }) {
    super(message);
    this.name = "ImportError";
    this.code = code;
    this.span = span;
    this.help = help;
  }
}

export function rule(parts: ImportedRule): Item {
  return { kind: "rule", ...parts };
}

export function lost(from: string, why: string, restricts?: string): Item {
  return { kind: "lost", from, why, ...(restricts === undefined ? {} : { restricts }) };
}

/**
 * INVARIANT: nothing is loosened. Behind a restriction that could not be carried over, the same tool's allows become asks: one of
 * them could let through what it held back.
 */
export function withoutLoosening({ items, otherwise, agent }: Imported): Imported {
  const open = new Set<string>();
  const kept = items.map((item): Item => {
    if (item.kind === "lost") {
      if (item.restricts !== undefined) open.add(item.restricts);
      return item;
    }
    if (item.decision !== "allow" || !isOpen(item.tool, open)) return item;
    return { ...item, decision: "ask", note: "an allow there; a restriction in front of it could not be carried over" };
  });
  const floor = open.size > 0 && otherwise === "allow" ? "ask" : otherwise;
  return { agent, otherwise: floor, items: kept };
}

function isOpen(tool: string, open: ReadonlySet<string>): boolean {
  if (open.has("*") || open.has(tool)) return true;
  return /[*?]/.test(tool) && open.size > 0;
}
