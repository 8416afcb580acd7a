import type { Difference } from "./compare.ts";

/** A kind of difference that stays, and why. */
export interface KnownDifference {
  readonly kind: Difference["kind"];
  /** What such texts have in common. */
  readonly text: RegExp;
  readonly reason: string;
}

/** Differences that were looked at and stay. Never of the kinds `missed` and `misread`: those are faults of ours. */
export const KNOWN: readonly KnownDifference[] = [];

/** The known difference that explains a found one. */
export function knownDifference(text: string, { kind }: Difference): KnownDifference | undefined {
  return KNOWN.find((known) => known.kind === kind && known.text.test(text));
}
