import type { CommandSpec, Escape, OptionFacts, OptionSpec, Role } from "./spec.ts";

/** What a role means for an option that takes such a value: it does more than the program's name promises. */
const ESCAPE_OF_ROLE: ReadonlyMap<Role, Escape> = new Map<Role, Escape>([
  ["write", "writes"],
  ["edit", "writes"],
  ["command", "runs"],
  ["program", "runs"],
  ["script", "runs"],
  ["script-file", "runs"],
  ["code", "runs"],
  ["code-file", "runs"],
  ["awk-file", "runs"],
  ["sed-file", "runs"],
  ["config", "loads"],
  ["config-file", "loads"],
]);

const NUMBERS: ReadonlyMap<number, readonly Role[]> = new Map<number, readonly Role[]>([
  [0, []],
  [1, ["text"]],
  [2, ["text", "text"]],
  [3, ["text", "text", "text"]],
]);

/** Whether an option that a spec does not list is an escape: where an inner command begins depends on every option. */
export function isClosed(spec: CommandSpec): boolean {
  if (spec.closed === true) return true;
  return (spec.operands ?? []).some((operand) => (typeof operand === "string" ? operand : operand.role) === "command");
}

/** The verb that has this name itself, other names left out. */
export function verbOf(verbs: CommandSpec["verbs"], name: string): CommandSpec | undefined {
  const verb = verbs !== undefined && Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  return typeof verb === "object" ? verb : undefined;
}

/** All spellings of a key, in its order. */
export function spellingsOf(key: string): readonly string[] {
  return key.includes(",") ? key.split(",").map((spelling) => spelling.trim()) : [key];
}

/** The facts of an option in their long form. */
export function factsOf(spec: OptionSpec): OptionFacts {
  if (typeof spec === "object") return spec;
  if (typeof spec === "string") return { value: spec };
  return spec === 0 ? {} : { value: NUMBERS.get(spec) ?? [] };
}

/** What an option does beyond its program's name: as its facts say, or as the role of a value implies. */
export function escapeOf(facts: OptionFacts): Escape | undefined {
  return (
    facts.escape ??
    rolesOf(facts)
      .map((role) => ESCAPE_OF_ROLE.get(role))
      .find((found) => found !== undefined)
  );
}

/** The roles of an option's values, one a value. */
export function rolesOf(facts: OptionFacts): readonly Role[] {
  if (facts.value === undefined) return [];
  return typeof facts.value === "string" ? [facts.value] : facts.value;
}
