import type { Segment } from "../segment/segment.ts";
import { matchSegment } from "./match.ts";
import { type Policy, type Rule, rulesOf } from "./rule.ts";
import { SegmentViews } from "./views.ts";

/** A rule that nearly spoke about a segment, and why it did not. */
export interface NearMiss {
  readonly rule: Rule;
  /** A sentence fragment for people. */
  readonly why: string;
}

/** The rules for the same program that did not match a segment, the nearest first. */
export function nearMisses(segment: Segment, policy: Policy, most = 3): NearMiss[] {
  const views = new SegmentViews(segment);
  const text =
    views.restricting.at(-1)?.text ??
    views.written.words.map(({ value }) => (typeof value === "string" ? value : "…")).join(" ");
  const program = text.split(" ", 1)[0] ?? "";
  const missed = rulesOf(policy).flatMap(({ rule }) => {
    const { command } = rule;
    if (command === undefined || rule.catchAll || command.words[command.assignments] !== program) return [];
    return matchSegment(rule, views) === "certainly"
      ? []
      : [{ rule, why: whyNot(rule, text, views), shared: sharedWords(rule, text) }];
  });
  return missed
    .sort((a, b) => b.shared - a.shared)
    .slice(0, most)
    .map(({ rule, why }) => ({ rule, why }));
}

function sharedWords(rule: Rule, text: string): number {
  const words = text.split(" ");
  const wanted = rule.command?.words ?? [];
  const differing = wanted.findIndex((word, i) => word !== words[i]);
  return differing < 0 ? wanted.length : differing;
}

function whyNot(rule: Rule, text: string, views: SegmentViews): string {
  if (matchSegment(rule, views) === "possibly") return "it depends on a value that is not known yet";
  if (rule.flags.length > 0 && matchSegment({ ...rule, command: withoutFlags(rule) }, views) !== "no") {
    return `none of ${rule.flags.join(", ")} is given`;
  }
  const restricting: Rule = { ...rule, decision: "ask" };
  if (rule.decision === "allow" && matchSegment(restricting, views) === "possibly")
    return "it depends on a value that is not known yet";
  if (rule.does.length > 0 && matchSegment({ ...rule, does: [] }, views) !== "no") return doesOther(rule, views);
  const shared = sharedWords(rule, text);
  const wanted = rule.command?.words[shared];
  const given = text.split(" ")[shared];
  if (wanted === undefined) return `it ends before \`${given ?? ""}\`; a pattern without \`*\` is exact`;
  if (rule.decision === "allow" && matchSegment(restricting, views) === "certainly") {
    return "an allow does not look through the program's path, options in front of the verb, or the order of options";
  }
  return given === undefined ? `it wants \`${wanted}\` as well` : `it wants \`${wanted}\` where \`${given}\` stands`;
}

function doesOther({ does, decision }: Rule, { segment }: SegmentViews): string {
  const done = segment.reading?.does ?? [];
  const said = done.length === 0 ? "what this does is not known" : `this ${listed(done)}`;
  return `${said}, and the rule is about what ${decision === "allow" ? "only " : ""}${listed(does)}`;
}

function listed(words: readonly string[]): string {
  return words.length < 3 ? words.join(" or ") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function withoutFlags(rule: Rule): Rule["command"] {
  return rule.command === undefined ? undefined : { ...rule.command, flags: [] };
}
