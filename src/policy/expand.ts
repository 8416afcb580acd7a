import type { PatternSetting } from "./rule.ts";

const HOME_OR_VARIABLE = /(^|[ =:])(~(?=$|[/ *])|\$HOME(?![A-Za-z0-9_])|\$\{[A-Za-z_][A-Za-z0-9_]*\})/g;

/**
 * A pattern with `~`, `$HOME` and `${VAR}` at the start of its words replaced. A variable that is not set stays as it is
 * written: an empty text in its place would make `rm ${DIR}/*` mean `rm /*`.
 */
export function expandPattern(pattern: string, setting: Pick<PatternSetting, "home" | "env">): string {
  if (!pattern.includes("~") && !pattern.includes("$")) return pattern;
  return pattern.replace(HOME_OR_VARIABLE, (whole, before: string, written: string) => {
    const value = expansionOf(written, setting);
    return value === undefined ? whole : before + value;
  });
}

function expansionOf(written: string, setting: Pick<PatternSetting, "home" | "env">): string | undefined {
  if (written === "~" || written === "$HOME") return setting.home;
  const name = written.slice(2, -1);
  return name === "HOME" ? setting.home : setting.env.get(name);
}
