import type { FileUse, ReadEscape } from "../segment/reading.ts";
import type { Effect, Segment } from "../segment/segment.ts";
import type { Doing } from "../segment/spec.ts";
import type { CommandPattern, PatternHead, RedirectPattern } from "./command-pattern.ts";
import type { Context } from "./context.ts";
import { bestOf, matchFlag, matchMeaning } from "./meaning.ts";
import { matchPattern, PathSubject } from "./path-match.ts";
import { compilePathPattern } from "./path-pattern.ts";
import type { Rule } from "./rule.ts";
import type { SegmentViews, View } from "./views.ts";
import { type Certainty, compileWildcard, matchesWildcard, matchWords, type Wildcard } from "./wildcard.ts";

/**
 * Whether a bash rule matches a segment. A deny or ask looks through paths, options before the verb, assignments and the
 * spelling of options; an allow strips as little as possible.
 */
export function matchSegment(rule: Rule, views: SegmentViews): Certainty {
  const { command } = rule;
  if (command === undefined) return "no";
  if (rule.catchAll) return "certainly";
  if (!mayBegin(command.heads, views)) return "no";
  if (rule.does.length > 0 && !doesOnly(rule, views)) return "no";
  const certainty = rule.decision === "allow" ? allowsSegment(command, views) : restrictsSegment(command, views);
  return certainty === "no" || command.flags.length === 0 ? certainty : both(certainty, flagsOf(rule, views));
}

/** Most rules are about another program: that is seen at its name. */
function mayBegin(heads: readonly PatternHead[], { program, name }: SegmentViews): boolean {
  if (program === undefined) return true;
  for (const { text, whole } of heads) {
    if (whole ? text === program || text === name : program.startsWith(text) || name.startsWith(text)) return true;
  }
  return false;
}

/** Whether everything that the dictionary says of the program is in the rule's list; a program nobody knows does anything. */
function doesOnly(rule: Rule, { segment }: SegmentViews): boolean {
  const does = onlyTells(segment) ? LOOKS : (segment.reading?.does ?? []);
  if (rule.decision !== "allow") return [...does, ...moreDone(segment)].some((doing) => rule.does.includes(doing));
  return does.length > 0 && does.every((doing) => rule.does.includes(doing));
}

const DEEDS: Readonly<Partial<Record<ReadEscape["escape"], Doing>>> = {
  runs: "runs",
  writes: "writes",
  deletes: "deletes",
  loads: "runs",
  sends: "sends",
};
const WRITES: ReadonlySet<FileUse["access"]> = new Set([
  "write",
  "edit",
  "destination",
  "onto",
  "into",
  "extract",
  "saved",
]);

/** What its options and operands add to what the program does: `find -delete`, `sed -i`, `sort -o f`. */
function moreDone({ reading }: Segment): readonly Doing[] {
  const deeds = (reading?.escapes ?? []).flatMap((each) => DEEDS[each.escape] ?? []);
  return reading?.files.some(({ access }) => WRITES.has(access)) ? [...deeds, "writes"] : deeds;
}

const LOOKS: readonly Doing[] = ["looks"];

/**
 * `NAME --help` and `NAME --version`, and `NAME VERB --help` where the verb is known, print and do nothing else: whatever
 * the program is, as long as it is the one that PATH finds.
 */
function onlyTells({ words, reading, pathProgram }: Segment): boolean {
  if (pathProgram === "elsewhere" || reading === undefined) return false;
  const last = words.at(-1);
  if (words.length === 2 && typeof words[0] === "string" && (last === "--help" || last === "--version")) return true;
  const [option] = reading.options;
  const asks = reading.options.length === 1 && option?.facts !== undefined && option.index === words.length - 1;
  return asks && !option.dynamic && option.spellings.includes("--help") && words.length === reading.verbs.length + 2;
}

function flagsOf(rule: Rule, { segment }: SegmentViews): Certainty {
  const purpose = rule.decision === "allow" ? "allow" : "restrict";
  return bestOf((rule.command?.flags ?? []).map((flag) => matchFlag(flag, flag.value, segment, purpose)));
}

function both(a: Certainty, b: Certainty): Certainty {
  if (a === "no" || b === "no") return "no";
  return a === "certainly" && b === "certainly" ? "certainly" : "possibly";
}

function restrictsSegment(command: CommandPattern, views: SegmentViews): Certainty {
  let best = matchViews(command.readings, views.restricting);
  if (best === "certainly") return best;
  const { segment } = views;
  if (command.mentionsRedirect && segment.redirects.length > 0) {
    best = bestOf([best, matchViews(command.readings, views.withRedirects)]);
  }
  if (segment.assignments.length > 0 && command.expanded.pattern.includes("=")) {
    best = bestOf([best, matchViews(command.readings, views.withAssignments)]);
  }
  if (best === "certainly" || namesAction(command, views)) return "certainly";
  if (command.meaning === undefined) return best;
  return bestOf([best, matchMeaning(command.meaning, segment)]);
}

/** `rm` or `git push`, without a wildcard, is the action itself: nobody who denies it means only the call without operands. */
function namesAction({ exact }: CommandPattern, views: SegmentViews): boolean {
  return exact !== undefined && views.actions.includes(exact);
}

function matchViews(patterns: readonly Wildcard[], views: readonly View[]): Certainty {
  let best: Certainty = "no";
  for (const pattern of patterns) {
    const certainty = matchAnyView(pattern, views);
    if (certainty === "certainly") return certainty;
    if (certainty === "possibly") best = certainty;
  }
  return best;
}

function matchAnyView(pattern: Wildcard, views: readonly View[]): Certainty {
  let best: Certainty = "no";
  for (const { text, words } of views) {
    const certainty =
      text === undefined ? matchWords(pattern, words) : matchesWildcard(pattern, text) ? "certainly" : "no";
    if (certainty === "certainly") return certainty;
    if (certainty === "possibly") best = certainty;
  }
  return best;
}

function allowsSegment(command: CommandPattern, views: SegmentViews): Certainty {
  // A blank in the program's own name would let `"git status"` pass for `git status`.
  if (views.program !== undefined && /\s/.test(views.program) && command.expanded.pattern !== "*") return "no";
  if (command.assignments > 0) return allowsAssigned(command, views);
  // `echo*` is about a name: a path that begins so (`echo/run.sh`) is another program.
  return matchAnyView(command.expanded, command.anyPath ? views.allowing : views.allowingByName);
}

/** An allow that spells assignments covers exactly those, word by word. */
function allowsAssigned(command: CommandPattern, views: SegmentViews): Certainty {
  const { assignments } = views.segment;
  const pattern = command.behindAssignments;
  if (pattern === undefined || assignments.length !== command.assignments) return "no";
  const spelled = assignments.every(({ name, value }, i) => {
    const word = command.words[i] ?? "";
    return typeof value === "string" && word === `${name}=${value}`;
  });
  return spelled ? matchAnyView(pattern, views.allowing) : "no";
}

/** Whether a rule's pattern spells every assignment of the segment as it stands. */
export function spellsAssignments(rule: Rule, { segment }: SegmentViews): boolean {
  return rule.command !== undefined && rule.command.assignments > 0 && segment.assignments.length > 0;
}

/** Whether a rule's pattern spells the path of the program, so that it is no surprise which file runs. */
export function spellsProgramPath(rule: Rule, { segment }: SegmentViews): boolean {
  const program = rule.command?.words[rule.command.assignments] ?? "";
  const [given] = segment.words;
  return program.includes("/") && typeof given === "string" && matchesWildcard(compileWildcard(program), given);
}

/** Whether a bash rule speaks about the file that a redirect opens: it is a catch-all, or ends in such a redirect. */
export function matchRedirect(rule: Rule, effect: Effect, views: SegmentViews, context: Context): Certainty {
  if (rule.command === undefined) return "no";
  if (rule.catchAll) return "certainly";
  const { redirect } = rule.command;
  if (redirect === undefined || !covers(redirect, effect.operator)) return "no";
  const seen = rule.decision === "allow" ? views.allowing : views.restricting;
  const command = matchAnyView(redirect.command, seen);
  return both(command, matchTarget(rule, redirect, effect, context));
}

function covers(redirect: RedirectPattern, operator: string | undefined): boolean {
  const appends = operator === ">>" || operator === "&>>";
  return appends === (redirect.operator === ">>");
}

/** The target as a path, so that `..` and symlinks do not lead out of what the pattern names. */
function matchTarget(rule: Rule, redirect: RedirectPattern, effect: Effect, context: Context): Certainty {
  const { target } = redirect;
  const absolute = /^(?:\/|\*)/.test(target) ? target : `${context.cwd === "/" ? "" : context.cwd}/${target}`;
  const path = compilePathPattern(absolute, {
    home: context.home,
    env: context.env,
    windows: context.windows ?? false,
    patterns: "wildcards",
  });
  return matchPattern(path, rule.decision, new PathSubject(effect.path, effect.access, context));
}
