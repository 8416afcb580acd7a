import type { Evaluation, Reason } from "../policy/index.ts";
import type { Effect, Finding, Piece, Segment, Segmentation, Value } from "../segment/index.ts";
import { isInside, positionOf, type Span } from "../text/index.ts";
import type { Result, ResultEffect, ResultFinding, ResultReason, ResultSegment } from "./result.ts";

/** A judged text as JSON: every segment, effect and finding with its reasons. */
export function resultOf(segmentation: Segmentation, evaluation: Evaluation, cwd: string): Result {
  // Segments that are alike share their reasons.
  const tellOne = remembering((reason: Reason) => reasonOf(reason, cwd));
  const tell = remembering((reasons: readonly Reason[]) => reasonsOf(reasons, tellOne));
  return {
    version: 1,
    kind: "checked",
    is_error: false,
    command: segmentation.source.text,
    cwd,
    decision: evaluation.decision,
    segments: evaluation.verdicts.map(({ segment, decision, because }) => segmentOf(segment, decision, tell(because))),
    effects: effectsOf(segmentation.effects, evaluation, tell),
    findings: segmentation.findings.map(findingOf),
    because: tell(evaluation.because),
  };
}

type Tell = (reasons: readonly Reason[]) => readonly ResultReason[];

function segmentOf(
  segment: Segment,
  decision: ResultSegment["decision"],
  because: readonly ResultReason[],
): ResultSegment {
  const { text, span, argv, words, via, origin, parent, reading } = segment;
  return {
    text,
    span: pair(span),
    argv,
    words: words.map(wordOf),
    prefix: (reading?.prefix ?? argv.slice(0, 1)).join(" "),
    via,
    origin,
    parent: parent ?? null,
    decision,
    because,
  };
}

function pair({ start, end }: Span): readonly [number, number] {
  return [start, end];
}

function wordOf(value: Value): ResultSegment["words"][number] {
  if (typeof value === "string") return value;
  return value.pieces.map((piece) => (typeof piece === "string" ? piece : { hole: piece.text, cause: piece.cause }));
}

function effectsOf(effects: readonly Effect[], evaluation: Evaluation, tell: Tell): readonly ResultEffect[] {
  const judged = new Map<Effect, ResultEffect[]>();
  for (const verdict of evaluation.effects) {
    const made = effectOf(verdict.effect, verdict.tool, verdict.decision, tell(verdict.because));
    addTo(judged, verdict.effect, made);
  }
  const byUse = new Map<string, ResultEffect[]>();
  for (const [effect, made] of judged) addTo(byUse, useOf(effect), ...made);
  const shownEffects = effects.flatMap((effect) => {
    const own = judged.get(effect) ?? byUse.get(useOf(effect)) ?? [];
    if (own.length > 0) return own;
    // Where a `cd` leads is news only if a rule speaks about it.
    const moves = evaluation.verdicts[effect.segment]?.segment.reading?.entry?.moves !== undefined;
    return moves && effect.from === "operand" && effect.access === "list"
      ? []
      : [effectOf(effect, effect.tool, null, [])];
  });
  return onceEach(shownEffects, toldBy);
}

function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, ...items: readonly Item[]): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [...items]);
  else list.push(...items);
}

/** The first of those that are told by the same text. */
function onceEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const told = new Set<string>();
  return items.filter((item) => {
    const known = told.size;
    return told.add(keyOf(item)).size > known;
  });
}

/** A folder that is written, and written into, is one thing to a reader. */
function toldBy({ tool, path, segment, decision }: ResultEffect): string {
  return `${tool} ${segment} ${decision} ${path}`;
}

/** An effect whose path was one of several choices is judged once for each: all of them are this use of a file. */
function useOf({ segment, span, access, text }: Effect): string {
  return `${segment} ${span.start} ${span.end} ${access} ${text}`;
}

function effectOf(
  effect: Effect,
  tool: string,
  decision: ResultEffect["decision"],
  because: readonly ResultReason[],
): ResultEffect {
  const { access, path, otherPaths, text, span, segment } = effect;
  const or = otherPaths.length > 0 ? { or: otherPaths.map(shown) } : {};
  return {
    tool,
    access,
    path: access === "net" ? hostOf(shown(path)) : shown(path),
    ...or,
    text,
    span: pair(span),
    segment,
    decision,
    because,
  };
}

/** The host of an address; `text` has all of it. */
function hostOf(address: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@]*@)?([^/:?#]+)/i.exec(address)?.[1] ?? address;
}

function shown(value: Value): string {
  if (typeof value === "string") return value;
  return value.pieces.map((piece: Piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

function findingOf({ code, floor, message, span, segment }: Finding): ResultFinding {
  return { code, floor, message, span: pair(span), segment: segment ?? null };
}

/** Reasons as data, each said once: layers may hold the same rule. */
function reasonsOf(reasons: readonly Reason[], tell: (reason: Reason) => ResultReason): readonly ResultReason[] {
  const made = reasons.map(tell);
  return made.length < 2 ? made : onceEach(made, ({ message }) => message);
}

function remembering<Asked, Answer>(answer: (asked: Asked) => Answer): (asked: Asked) => Answer {
  const known = new Map<Asked, Answer>();
  return (asked) => {
    const found = known.get(asked) ?? answer(asked);
    known.set(asked, found);
    return found;
  };
}

/** One reason as data and as a sentence; files below `cwd` are named from there. */
export function reasonOf(reason: Reason, cwd = ""): ResultReason {
  const { kind, decision } = reason;
  switch (kind) {
    case "rule":
    case "possible-deny":
    case "possible-ask":
      return { kind, decision, ...ruleFields(reason.rule, cwd), message: ruleMessage(kind, reason.rule, cwd) };
    case "buried-deny":
      return {
        kind,
        decision,
        ...ruleFields(reason.rule, cwd),
        message: `${ruleMessage("rule", reason.rule, cwd)}, which the wider rule \`${patternText(reason.by)}\` behind it does not undo`,
      };
    case "unseen-writes":
      return {
        kind,
        decision,
        ...ruleFields(reason.rule, cwd),
        message: `it runs code that may write, and ${ruleMessage("rule", reason.rule, cwd)}`,
      };
    case "escape":
      return {
        kind,
        decision,
        ...ruleFields(reason.rule, cwd),
        message: `${reason.escape.message}, and rule \`${patternText(reason.rule)}\` (${placeOf(reason.rule, cwd)}) does not name it`,
      };
    case "finding":
      return {
        kind,
        decision,
        code: reason.finding.code,
        message: reason.finding.message,
        span: pair(reason.finding.span),
      };
    case "default": {
      const source = fileName(reason.document, cwd);
      const whose = source === "built-in" ? "the built-in default" : `the default of ${source}`;
      return { kind, decision, source, message: `no rule speaks about it, ${whose} is ${decision}` };
    }
    case "transparent":
      return { kind, decision, message: "judged by the command inside it" };
    case "assignment":
      return { kind, decision, message: "runs no program" };
    case "inert":
      return { kind, decision, message: "tests something or does nothing" };
    case "covered":
      return {
        kind,
        decision,
        ...ruleFields(reason.rule, cwd),
        message: `part of what rule \`${patternText(reason.rule)}\` (${placeOf(reason.rule, cwd)}) allows`,
      };
    case "function":
      return { kind, decision, message: "calls a function that is judged where it is defined" };
    case "protection":
      return { kind, decision, message: reason.message, suggest: "ask the user to do this" };
    case "off":
      return { kind, decision, message: "there is no policy: everything runs" };
    case "nothing":
      return { kind, decision, message: "the text holds no command that could be judged" };
  }
}

type ReasonRule = Extract<Reason, { rule: unknown }>["rule"];

function ruleFields(
  rule: ReasonRule,
  cwd: string,
): Pick<ResultReason, "tool" | "pattern" | "action" | "source" | "reason" | "suggest"> {
  return {
    tool: rule.tool,
    pattern: rule.pattern,
    action: rule.decision,
    source: placeOf(rule, cwd),
    ...(rule.reason === undefined ? {} : { reason: rule.reason }),
    ...(rule.suggest === undefined ? {} : { suggest: rule.suggest }),
  };
}

function ruleMessage(kind: "rule" | "possible-deny" | "possible-ask", rule: ReasonRule, cwd: string): string {
  const named = `rule \`${patternText(rule)}\``;
  if (kind === "rule") return `${named} → ${rule.decision} (${placeOf(rule, cwd)})`;
  return `${named} → ${rule.decision} (${placeOf(rule, cwd)}) matches for some values of what is not known yet`;
}

function patternText(rule: ReasonRule): string {
  const flags = rule.flags.length > 0 ? ` with ${rule.flags.join(" or ")}` : "";
  const does = rule.does.length > 0 ? `does: ${rule.does.join(", ")}` : "";
  // A pattern of nothing but wildcards only says that there is a verb: what the rule asks for is what its programs do.
  const pattern = rule.does.length > 0 && /^[?* ]*$/.test(rule.pattern) ? does : rule.pattern;
  return `${rule.tool === "bash" ? "" : `${rule.tool} `}${pattern}${flags}`;
}

function fileName(name: string, cwd: string): string {
  return cwd !== "" && isInside(name, cwd) && name !== cwd ? name.slice(cwd.length + (cwd === "/" ? 0 : 1)) : name;
}

/** `file:line` of a rule. */
function placeOf({ origin }: ReasonRule, cwd: string): string {
  // A grant stands in no text.
  if (origin.source.text === "") return origin.source.name;
  return `${fileName(origin.source.name, cwd)}:${positionOf(origin.source, origin.span.start).line}`;
}
