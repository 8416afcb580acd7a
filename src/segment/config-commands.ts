import { isHarmless } from "./read-escapes.ts";
import type { ScannedOption } from "./scan.ts";
import { tail } from "./take-option.ts";
import { holeValue, literalStart, shownValue, type Value } from "./value.ts";
import { matchesWildcard } from "./wildcard.ts";

/** The command in a KEY=VALUE value, where the option's facts say that this key names one; undefined elsewhere. */
export function configCommand(option: ScannedOption, value: Value): Value | undefined {
  const { commands, unless } = option.known?.facts ?? {};
  // `"unless": ["*"]` says that it is no escape, not that there is no command in it.
  if (commands === undefined || (!unless?.includes("*") && isHarmless(option, unless))) return undefined;
  return namedCommand(commands, value);
}

/** What stands for the last `*` of a wildcard that the value matches, behind a leading `!`: a command for a shell. */
export function namedCommand(commands: readonly string[], value: Value): Value | undefined {
  // git reads its keys in any case.
  const text = shownValue(value).toLowerCase();
  const pattern = commands.find((each) => matchesOpen(each.toLowerCase(), text));
  if (pattern === undefined) return undefined;
  if (pattern.endsWith("=")) return holeValue({ cause: "variable", text: shownValue(value) });
  const start = literalStart(value);
  // ssh takes a blank for the equals sign, and several.
  const key = keyPattern(pattern).exec(start)?.[0] ?? /^[^\s=]*\s*=?\s*!?/.exec(start)?.[0] ?? "";
  const rest = tail(value, key.length);
  const end = pattern.slice(pattern.lastIndexOf("*") + 1);
  return typeof rest === "string" && end !== "" && rest.endsWith(end) ? rest.slice(0, -end.length) : rest;
}

/** As a wildcard; one that ends in `=` is a key whose command stands elsewhere, whatever its value is: `*=` is any text. */
function matchesOpen(pattern: string, text: string): boolean {
  if (!pattern.endsWith("=")) return matchesWildcard(pattern, text);
  return matchesWildcard(pattern.slice(0, -1), text) || matchesWildcard(`${pattern}*`, text);
}

/** The part of a wildcard in front of its last `*`, its other ones as short as can be. */
function keyPattern(pattern: string): RegExp {
  const parts = pattern.split("*").slice(0, -1);
  const literals = parts.map((part) => part.replace(/[\^$.+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${literals.join("[^=]*?")}\\s*=?\\s*!?`, "is");
}
