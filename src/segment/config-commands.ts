import { isHarmless } from "./read-escapes.ts";
import type { ScannedOption } from "./scan.ts";
import { tail } from "./take-option.ts";
import { literalStart, shownValue, type Value } from "./value.ts";
import { matchesWildcard } from "./wildcard.ts";

/** The command in a KEY=VALUE value, where the option's facts say that this key names one; undefined elsewhere. */
export function configCommand(option: ScannedOption, value: Value): Value | undefined {
  const { commands, unless } = option.known?.facts ?? {};
  if (commands === undefined || isHarmless(option, unless)) return undefined;
  // git reads its keys in any case.
  const text = shownValue(value).toLowerCase();
  if (!commands.some((pattern) => matchesWildcard(pattern.toLowerCase(), text))) return undefined;
  // ssh takes a blank for the equals sign.
  const key = /^[^\s=]*\s*=?\s*!?/.exec(literalStart(value))?.[0] ?? "";
  return tail(value, key.length);
}
