import { spellingsOf } from "../../segment/facts.ts";
import { type CommandSpec, segmentsOf } from "../../segment/index.ts";
import { absolutePath } from "../../text/index.ts";
import { matchSegment } from "../match.ts";
import { SegmentViews } from "../views.ts";
import type { Check, Linted, LintFinding, LintRule } from "./check.ts";
import { namedProgram } from "./program.ts";
import { ruleText } from "./shown.ts";

/**
 * A deny or ask that misses another spelling of its own option. Most are seen by their meaning; each spelling that the dictionary
 * knows is tried, so only what is really missed is reported.
 */
export const oneSpelling: Check = (linted) => linted.rules.flatMap((rule) => missedSpelling(rule, linted) ?? []);

function missedSpelling({ rule, spanOf }: LintRule, { setting }: Linted): LintFinding | undefined {
  const named = namedProgram(rule, setting.entries);
  if (rule.decision === "allow" || named === undefined || rule.command === undefined) return undefined;
  const words = rule.command.words;
  for (const [i, word] of words.entries()) {
    if (!/^-[^*?]+$/.test(word) || word === "--") continue;
    for (const other of otherSpellings(named.spec, named.entry, word)) {
      const text = words
        .map((each, at) => (at === i ? other : each))
        .join(" ")
        .replace(/ ?[*?]+/g, " x")
        .trim();
      if (!/^[\w./=@:+ -]+$/.test(text) || matchesText(rule, text, setting)) continue;
      return {
        code: "one-spelling",
        span: spanOf("pattern"),
        message: `${ruleText(rule)} does not match \`${text}\`, which means the same`,
        help: `take \`${word}\` out of the pattern and write flags = ["${word}"]`,
      };
    }
  }
  return undefined;
}

function otherSpellings(spec: CommandSpec, entry: CommandSpec, flag: string): readonly string[] {
  const keys = [...Object.keys(spec.options ?? {}), ...Object.keys(entry.options ?? {})].map(spellingsOf);
  return keys.find((spellings) => spellings.includes(flag))?.filter((spelling) => spelling !== flag) ?? [];
}

function matchesText(rule: LintRule["rule"], text: string, { cwd, home, entries }: Linted["setting"]): boolean {
  const surroundings = { cwd: absolutePath(cwd), home: absolutePath(home), env: new Map<string, string>(), entries };
  const { segments } = segmentsOf({ name: "spelling", text }, surroundings);
  return segments.some((segment) => matchSegment(rule, new SegmentViews(segment)) !== "no");
}
