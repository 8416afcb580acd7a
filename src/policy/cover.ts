import type { Segment } from "../segment/segment.ts";
import type { Reason, Verdict } from "./reason.ts";
import type { Rule } from "./rule.ts";

/** A rule that speaks for a segment through the segment that runs it. */
export interface Cover {
  readonly rule: Rule;
  readonly parent: number;
  /** Speaks for everything that is run from there as well. */
  readonly deep: boolean;
}

/**
 * The allow that covers what another segment runs when no rule speaks about it: `xargs grep *` names `grep`, `npx *` is about
 * whatever package it runs, `npm run build` and `./build.sh` are about all that the script contains. Denies still apply.
 */
export function coverOf(segment: Segment, parent: Verdict | undefined, above: Cover | undefined): Cover | undefined {
  if (parent === undefined) return undefined;
  if (above?.deep) return above;
  for (const reason of parent.because) {
    if (reason.kind !== "rule" || reason.decision !== "allow" || reason.rule.catchAll) continue;
    const cover = { rule: reason.rule, parent: parent.index };
    if (segment.origin === "wrapper" && namesInner(reason.rule, segment, parent.segment))
      return { ...cover, deep: false };
    if (segment.origin === "file" && namesScript(reason.rule, parent.segment)) return { ...cover, deep: true };
  }
  return undefined;
}

/** The reason that a cover is for the segment that it covers. */
export function coverReason({ rule, parent }: Cover): Reason {
  return { kind: "covered", decision: "allow", rule, parent };
}

function namesInner(rule: Rule, { words }: Segment, parent: Segment): boolean {
  // Who may let a package tool install whatever it likes may let it run that.
  const { reading } = parent;
  const installs = reading?.does.includes("installs") || reading?.entry?.does?.includes("installs");
  const named = literalWords(rule);
  // A rule by `does` alone is about no tool: `poetry run git push` is no more than `git push`.
  if (installs && named.length > 0) return true;
  const program = words[0];
  return typeof program === "string" && named.includes(program, 1);
}

function namesScript(rule: Rule, { reading, words }: Segment): boolean {
  const inner = reading?.inner ?? [];
  if (inner.some(({ kind }) => kind === "package-script")) return true;
  const literal = literalWords(rule);
  const paths = inner.flatMap((part) => (part.kind === "file" ? [part.path] : []));
  return [words[0], ...paths].some((path) => typeof path === "string" && path.includes(".") && literal.includes(path));
}

function literalWords(rule: Rule): readonly string[] {
  return (rule.command?.words ?? []).filter((word) => !/[*?]/.test(word));
}
