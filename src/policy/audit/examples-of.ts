import type { ExampleSetting } from "../examples.ts";
import type { Rule } from "../rule.ts";
import type { EffectTool } from "../tool.ts";
import { madeFrom } from "./made-from.ts";
import { quoted } from "./respelling.ts";

/** A command line that a rule is about. */
export interface AuditExample {
  readonly text: string;
  /** Written in the rule; else made from its pattern. */
  readonly given: boolean;
}

/** The examples of a deny or ask; without any, command lines that are made from what it says. Empty when none can be. */
export function examplesOf(rule: Rule, setting: ExampleSetting): readonly AuditExample[] {
  if (rule.command !== undefined) {
    const given = rule.match.map(({ text }) => ({ text, given: true }));
    if (given.length > 0) return given;
    const made = madeFrom(rule, setting).map((text) => ({ text, given: false }));
    if (made.length > 0 || rule.path === undefined) return made;
  }
  const tool = BY_COMMAND.find((name) => rule.effects[name]);
  if (tool === undefined) return [];
  const subjects = rule.match.length > 0 ? rule.match.map(({ text }) => text) : subjectOf(rule, tool);
  return subjects.flatMap((subject) => commandsFor(tool, subject)).map((text) => ({ text, given: false }));
}

/** Of a rule about several, the strictest first. */
const BY_COMMAND: readonly EffectTool[] = ["file_write", "file_read", "external_directory", "webfetch"];

/** Why a rule has no examples, or none that it decides; part of a sentence. */
export function whyNone({ command, effects }: Rule, made: readonly AuditExample[]): string {
  const [first] = made;
  if (first !== undefined) return `another rule decides \`${first.text}\`, made from it`;
  if (command === undefined && !Object.values(effects).includes(true)) return "no command line does what its tool does";
  return "no command line could be made from it, give it `match`";
}

/** A path or address that a pattern matches, if one can be told. */
function subjectOf({ path, pattern }: Rule, tool: EffectTool): readonly string[] {
  if (tool === "webfetch") return [filled(pattern === "*" ? "https://example.org" : pattern)];
  if (path === undefined) return [];
  if (path.kind === "everything") return [tool === "external_directory" ? "/opt/x" : "x"];
  const glob = path.glob.replace(/\{([^{},]*),[^{}]*\}/g, "$1");
  return /[[\]{}()!+@|\\]/.test(glob) ? [] : [filled(glob.replace(/\*\*\//g, ""))];
}

function filled(pattern: string): string {
  return pattern.replace(/[*]+|\?/g, "x");
}

function commandsFor(tool: EffectTool, subject: string): readonly string[] {
  // The shell makes a home of a `~` that is not quoted.
  const word = subject.startsWith("~/") ? `~/${quoted(subject.slice(2))}` : subject === "~" ? "~" : quoted(subject);
  switch (tool) {
    case "file_read":
      return [`cat ${word}`, `cp ${word} /tmp/copy`];
    case "file_write":
      return [`rm -rf ${word}`, `echo x > ${word}`];
    case "external_directory":
      return [`cat ${word}`, `touch ${word}`];
    case "webfetch":
      return [`curl ${word}`];
  }
}
