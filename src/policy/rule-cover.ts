import type { Rule } from "./rule.ts";
import { toolNames } from "./tool.ts";
import { isCatchAll, matchesWildcard } from "./wildcard.ts";
import { covers, overlaps } from "./containment.ts";

/** Whether a rule takes everything that another one would, as the patterns are written. */
export function coversRule(wide: Rule, narrow: Rule): boolean {
  return coversTool(wide, narrow) && coversSubject(wide, narrow) && coversFields(wide, narrow);
}

/**
 * Whether a deny in front of an allow counts although the last match decides: the allow takes all of it, so that it could never
 * count. `*`, or the same pattern once more, is meant to undo it.
 */
export function isBuried(deny: Rule, by: Rule): boolean {
  if (deny.decision !== "deny" || by.decision !== "allow") return false;
  return !isCatchAll(by.pattern) && by.pattern !== deny.pattern && coversRule(by, deny);
}

/** Whether some request may be matched by both; yes when it cannot be told. */
export function mayOverlap(a: Rule, b: Rule): boolean {
  const tools = [...namesOf(a), a.tool].some((name) => matchesWildcard(b.toolPattern, name)) || coversTool(a, b);
  if (!tools) return false;
  if (a.command === undefined || b.command === undefined) return true;
  // A deny is read by meaning: `rm -rf *` and `rm -fr x` share no text, but the program.
  const [first, second] = [a.command.words[0] ?? "", b.command.words[0] ?? ""];
  const plain = !/[*?]/.test(first + second);
  return plain ? first === second : overlaps(a.command.expanded, b.command.expanded);
}

function coversTool(wide: Rule, narrow: Rule): boolean {
  if (wide.everyTool) return true;
  if (/[*?]/.test(narrow.tool)) return covers(wide.toolPattern, narrow.toolPattern);
  return namesOf(narrow).some((name) => matchesWildcard(wide.toolPattern, name));
}

function namesOf({ tool }: Rule): readonly string[] {
  return toolNames(tool);
}

function coversSubject(wide: Rule, narrow: Rule): boolean {
  if (isCatchAll(wide.pattern)) return true;
  if (wide.pattern === narrow.pattern) return true;
  const asCommand =
    narrow.command === undefined ||
    (wide.command !== undefined && covers(wide.command.expanded, narrow.command.expanded));
  const asPath = narrow.path === undefined || coversPath(wide, narrow);
  return asCommand && asPath;
}

/** For globs only what is certain: one folder inside another, or two names without a slash. */
function coversPath({ path: wide }: Rule, { path: narrow }: Rule): boolean {
  if (wide === undefined || narrow === undefined) return false;
  if (wide.kind === "everything" || wide.glob === narrow.glob) return true;
  const all = wide.glob === "**" || wide.glob === "**/*";
  if (all && (wide.kind !== "project" || narrow.kind === "project")) return true;
  const folder = /^([^*?[\]{}()!+@|\\]+)\/\*\*$/.exec(wide.glob)?.[1];
  if (folder !== undefined && wide.kind === narrow.kind) return narrow.glob.startsWith(`${folder}/`);
  if (wide.kind !== narrow.kind || wide.kind !== "basename" || !wide.plain || !narrow.plain) return false;
  const [outer, inner] = [wide.wide[0], narrow.wide[0]];
  return outer !== undefined && inner !== undefined && covers(outer, inner);
}

function coversFields(wide: Rule, narrow: Rule): boolean {
  if (wide.certain === true && narrow.certain !== true && narrow.decision !== "allow") return false;
  const flags =
    wide.flags.length === 0 || (narrow.flags.length > 0 && narrow.flags.every((flag) => wide.flags.includes(flag)));
  if (wide.does.length === 0) return flags;
  const samePurpose = (wide.decision === "allow") === (narrow.decision === "allow");
  return flags && samePurpose && narrow.does.length > 0 && narrow.does.every((doing) => wide.does.includes(doing));
}
