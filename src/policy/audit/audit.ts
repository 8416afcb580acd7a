import { type Entry, type Segmentation, segmentsOf } from "../../segment/index.ts";
import { absolutePath } from "../../text/index.ts";
import type { Context } from "../context.ts";
import { DECISIONS, type Decision } from "../decision.ts";
import { evaluate } from "../evaluate.ts";
import type { Document, Policy, Rule } from "../rule.ts";
import { type AuditExample, examplesOf, whyNone } from "./examples-of.ts";
import { quoted, respell, type Spelled } from "./respelling.ts";

/** A text that does what a rule denies or asks about, and that is judged weaker. */
export interface AuditFinding {
  readonly rule: Rule;
  readonly example: string;
  /** What was done to the example; undefined: it is the example itself. */
  readonly way: string | undefined;
  readonly text: string;
  readonly wanted: Decision;
  readonly decision: Decision;
}

/** A deny or ask that was not tried. */
export interface SkippedRule {
  readonly rule: Rule;
  /** Part of a sentence. */
  readonly why: string;
}

export interface Audit {
  /** That were tried. */
  readonly rules: number;
  readonly skipped: readonly SkippedRule[];
  readonly texts: number;
  readonly findings: readonly AuditFinding[];
}

export interface AuditSetting {
  readonly cwd: string;
  readonly home: string;
  readonly env: ReadonlyMap<string, string>;
  readonly entries?: ReadonlyMap<string, Entry> | undefined;
}

/**
 * Respells the examples of every deny and ask of a document and judges each text by the document. Deterministic: no file is looked at, and
 * PATH finds every program.
 */
export function auditDocument(document: Document, setting: AuditSetting): Audit {
  const world = new World({ documents: [{ ...document, trusted: true }] }, setting);
  let rules = 0;
  let texts = 0;
  const findings: AuditFinding[] = [];
  const skipped: SkippedRule[] = [];
  for (const rule of document.rules.filter(({ decision }) => decision !== "allow")) {
    const examples = examplesOf(rule, setting);
    const tried = examples.map((example) => auditExample(rule, example, world));
    if (tried.every((each) => each === undefined)) skipped.push({ rule, why: whyNone(rule, examples) });
    else rules++;
    texts += tried.reduce((sum, each) => sum + (each?.texts ?? 0), 0);
    findings.push(...tried.flatMap((each) => each?.findings ?? []));
  }
  return { rules, skipped, texts, findings };
}

/** Undefined: the rule does not decide an example that was made from it. */
function auditExample(rule: Rule, { text, given }: AuditExample, world: World) {
  const wanted = rule.decision;
  const decision = world.judge(text);
  const weaker = isWeaker(decision, wanted);
  // What was only made from a pattern may be another rule's matter.
  if (weaker && !given) return undefined;
  if (weaker) return { texts: 1, findings: [{ rule, example: text, way: undefined, text, wanted, decision }] };
  const others = respell(world.spelled(text)).filter(({ dynamic }) => dynamic !== true || rule.certain !== true);
  const findings = others.flatMap((other): AuditFinding[] => {
    const least = other.dynamic === true ? "ask" : wanted;
    const judged = world.judge(other.text);
    return isWeaker(judged, least)
      ? [{ rule, example: text, way: other.way, text: other.text, wanted: least, decision: judged }]
      : [];
  });
  return { texts: others.length + 1, findings };
}

function isWeaker(decision: Decision, wanted: Decision): boolean {
  return DECISIONS.indexOf(decision) < DECISIONS.indexOf(wanted);
}

/** The policy and a world without files. */
class World {
  readonly #policy: Policy;
  readonly #setting: AuditSetting;

  constructor(policy: Policy, setting: AuditSetting) {
    this.#policy = policy;
    this.#setting = setting;
  }

  judge(text: string): Decision {
    const { cwd, home, env } = this.#setting;
    const context: Context = { cwd, home, projectRoot: cwd, env };
    return evaluate(this.#segments(text), this.#policy, context).decision;
  }

  spelled(text: string): Spelled {
    const { segments } = this.#segments(text);
    const [segment] = segments;
    const plain =
      segment !== undefined && segments.length === 1 && segment.redirects.length + segment.assignments.length === 0;
    const known = plain && segment.words.every((word) => typeof word === "string");
    const words = known ? (segment.words as readonly string[]) : undefined;
    // A word that the shell makes something of (`~`) would be another one in quotes.
    return { text, words: words?.map(quoted).join(" ") === text ? words : unquoted(words, text), segment };
  }

  #segments(text: string): Segmentation {
    const { cwd, home, env, entries } = this.#setting;
    const findProgram = (name: string) => `/usr/bin/${name}`;
    const surroundings = { cwd: absolutePath(cwd), home: absolutePath(home), env, entries, findProgram };
    return segmentsOf({ name: "audit", text }, surroundings);
  }
}

/** Words that evaluate to what is written, whatever quotes there are. */
function unquoted(words: readonly string[] | undefined, text: string): readonly string[] | undefined {
  return words !== undefined && !/[~$`*?[\]{}]/.test(text) ? words : undefined;
}
