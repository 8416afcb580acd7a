import type { Source, Span } from "../text/index.ts";
import { strictest } from "./decision.ts";
import type { Evaluation } from "./evaluate.ts";
import { frontMatterField } from "./front-matter.ts";
import type { DocumentSetting } from "./parsed.ts";
import { type EffectVerdict, type Reasons, strictestFirst } from "./reason.ts";
import { Report } from "./report.ts";
import type { RequestVerdict } from "./request.ts";
import { makeDocument, makeRule, type Policy, type RuleText } from "./rule.ts";

/** The tools of a skill's words, in ours. Another word is a tool of that name. */
const TOOLS = new Map([
  ["Bash", "bash"],
  ["Read", "file_read"],
  ["Write", "file_write"],
  ["Edit", "file_write"],
  ["MultiEdit", "file_write"],
  ["NotebookEdit", "file_write"],
  ["WebFetch", "webfetch"],
]);

/**
 * What the `allowed-tools` of a SKILL.md let pass, as a policy of its own; undefined when the skill does not limit the tools.
 * Throws a `DiagnosticError` for a field that cannot be read: nobody knows then what the skill may use.
 */
export function parseSkill(source: Source, setting: Omit<DocumentSetting, "layer" | "trusted">): Policy | undefined {
  const field = frontMatterField(source.text, "allowed-tools");
  if (field === undefined) return undefined;
  const report = new Report(source);
  const span = field === null ? { start: 0, end: source.text.indexOf("\n") } : { start: field.start, end: field.end };
  const entries = field === null ? undefined : field.list ? field.items : splitEntries(field.items[0] ?? "");
  if (entries === undefined) {
    report.add(
      "wrong-type",
      span,
      "`allowed-tools` cannot be read",
      "write a list, or one line such as: Read Bash(git:*)",
    );
  }
  const patterns = { ...setting, patterns: "paths" } as const;
  const rules = (entries ?? []).flatMap((entry, i) => {
    const text = ruleOf(entry, source, spanOf(entry, source, span), report);
    return text === undefined ? [] : [makeRule(text, `${source.name}#${i + 1}`, patterns)];
  });
  report.throwIfAny();
  const document = makeDocument({
    name: source.name,
    order: "first-match",
    rules,
    otherwise: "deny",
    layer: "given",
    trusted: true,
    patterns: "paths",
    off: false,
    bases: [],
    origin: { source, span },
  });
  return { documents: [document] };
}

/** `Read, Bash(npm run test:*) Grep`: blanks and commas separate, but not inside parentheses. */
function splitEntries(text: string): readonly string[] | undefined {
  const entries = [...text.matchAll(/[^\s,()]+(?:\([^()]*\))?/g)].map(([entry]) => entry);
  const left = entries.reduce((rest, entry) => rest.replace(entry, ""), text);
  return /^[\s,]*$/.test(left) ? entries : undefined;
}

function spanOf(entry: string, { text }: Source, field: Span): Span {
  const start = text.indexOf(entry, field.start);
  return start < 0 || start >= field.end ? field : { start, end: start + entry.length };
}

function ruleOf(entry: string, source: Source, span: Span, report: Report): RuleText | undefined {
  const [, name, inside] = /^([^\s()]+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  if (name === undefined || inside === "") {
    report.add("bad-pattern", span, `\`${entry}\` is no tool`, "write a tool's name, or Bash(git:*)");
    return undefined;
  }
  const tool = TOOLS.get(name) ?? name;
  const pattern = inside === undefined ? "*" : patternOf(tool, inside);
  const origin = { source, span };
  return {
    tool,
    pattern,
    decision: "allow",
    flags: [],
    does: [],
    reason: undefined,
    suggest: undefined,
    match: [],
    notMatch: [],
    origin,
  };
}

/** `git:*` is `git` alone or with words behind it; `domain:example.com` any address there. */
function patternOf(tool: string, inside: string): string {
  if (tool === "webfetch" && inside.startsWith("domain:")) return `https://${inside.slice("domain:".length)}/*`;
  return tool === "bash" && inside.endsWith(":*") ? `${inside.slice(0, -2)} *` : inside;
}

/** Two evaluations of the same text, each verdict as strict as the stricter of both. */
export function bothEvaluations(policy: Evaluation, skill: Evaluation): Evaluation {
  const verdicts = policy.verdicts.map((verdict, i) => joined(verdict, skill.verdicts[i]?.because ?? verdict.because));
  const effects = joinedEffects(policy.effects, skill.effects);
  const because = [...policy.because, ...skill.because];
  const decision = strictest([...verdicts, ...effects, ...because].map((part) => part.decision));
  return { ...policy, decision, verdicts, effects, because };
}

/** The same for a call of another tool. */
export function bothRequests(policy: RequestVerdict, skill: RequestVerdict): RequestVerdict {
  return joined(policy, skill.because);
}

function joinedEffects(policy: readonly EffectVerdict[], skill: readonly EffectVerdict[]): readonly EffectVerdict[] {
  const joinedOnes = policy.map((verdict) => {
    const other = skill.find(({ effect, tool }) => effect === verdict.effect && tool === verdict.tool);
    return other === undefined ? verdict : joined(verdict, other.because);
  });
  const known = (verdict: EffectVerdict) =>
    policy.some(({ effect, tool }) => effect === verdict.effect && tool === verdict.tool);
  return [...joinedOnes, ...skill.filter((verdict) => !known(verdict))];
}

function joined<Verdict extends { readonly because: Reasons }>(verdict: Verdict, because: Reasons): Verdict {
  const reasons = strictestFirst([...verdict.because, ...because]);
  return { ...verdict, decision: reasons[0].decision, because: reasons };
}
