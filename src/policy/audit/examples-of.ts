import type { Rule } from "../rule.ts";
import { isPathTool } from "../tool.ts";
import { matchesWildcard } from "../wildcard.ts";
import { quoted } from "./respelling.ts";

/** A command line that a rule is about. */
export interface AuditExample {
  readonly text: string;
  /** Written in the rule; else made from its pattern. */
  readonly given: boolean;
}

/** The examples of a deny or ask; without any, command lines made from its pattern. */
export function examplesOf(rule: Rule): readonly AuditExample[] {
  if (rule.command !== undefined && (rule.tool === "bash" || rule.path === undefined)) {
    const given = rule.match.map(({ text }) => ({ text, given: true }));
    return given.length > 0 ? given : commandFrom(rule);
  }
  const tool = ["file_write", "file_read"].find(
    (name) => matchesWildcard(rule.toolPattern, name) || namesFamily(rule, name),
  );
  if (tool === undefined) return [];
  const paths = rule.match.length > 0 ? rule.match.map(({ text }) => text) : pathFrom(rule);
  return paths.flatMap((path) => commandsFor(tool, path)).map((text) => ({ text, given: false }));
}

function namesFamily({ tool, effects }: Rule, name: string): boolean {
  return isPathTool(tool) && (name === "file_write" ? effects.file_write : effects.file_read);
}

/** `git push *` as `git push x`, with the first of its options. */
function commandFrom({ pattern, flags, does }: Rule): readonly AuditExample[] {
  if (does.length > 0 || /["'`\\$<>|;&]/.test(pattern)) return [];
  const words = pattern
    .replace(/\?/g, "x")
    .split(" ")
    .flatMap((word) => (word === "*" ? ["x"] : [word.replaceAll("*", "x")]));
  if (/^\*|^$/.test(pattern) || words[0] === "x") return [];
  const [flag] = flags;
  return [{ text: [...words, ...(flag === undefined ? [] : [flag])].map(quoted).join(" "), given: false }];
}

function pathFrom({ path }: Rule): readonly string[] {
  if (path === undefined || path.kind === "everything" || /[[\]{}()!+@|\\]/.test(path.glob)) return [];
  return [
    path.glob
      .replace(/\*\*\//g, "")
      .replace(/\*+/g, "x")
      .replace(/\?/g, "x"),
  ];
}

function commandsFor(tool: string, path: string): readonly string[] {
  // The shell makes a home of a `~` that is not quoted.
  const word = path.startsWith("~/") ? `~/${quoted(path.slice(2))}` : path === "~" ? "~" : quoted(path);
  return tool === "file_read" ? [`cat ${word}`, `cp ${word} /tmp/copy`] : [`rm -rf ${word}`, `echo x > ${word}`];
}
