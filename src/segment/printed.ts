import type { SimpleCommand, Substitution } from "../syntax/index.ts";
import type { Value } from "./value.ts";
import { evaluateWhole, evaluateWord, type Scope } from "./words.ts";

/** The text that `$(…)` certainly gives, without the newlines at its end: `$(echo x)`, `$(cat <<E … E)`. */
export function substitutedText(part: Substitution, scope: Scope): string | undefined {
  const [statement, ...more] = part.statements;
  if (part.kind !== "command" || statement === undefined || more.length > 0 || statement.background) return undefined;
  if (statement.command.kind !== "simple") return undefined;
  const text = printedText(statement.command, scope);
  return typeof text === "string" ? text.replace(/\n+$/, "") : undefined;
}

/** The text that a command certainly prints, when it is one of the few whose output stands in the text itself. */
export function printedText(command: SimpleCommand, scope: Scope): Value | undefined {
  const [program, ...words] = command.words.flatMap((word) => evaluateWord(word, scope));
  if (command.assignments.length > 0 || typeof program !== "string" || scope.flow.functions.has(program))
    return undefined;
  if (program === "cat" && words.length === 0) return givenText(command, scope);
  if (command.redirects.length > 0) return undefined;
  return program === "echo" ? echoed(words) : program === "printf" ? formatted(words) : undefined;
}

/** The here-document or here-string that is a command's only redirect. */
function givenText(command: SimpleCommand, scope: Scope): Value | undefined {
  const [only, ...more] = command.redirects;
  return only !== undefined && more.length === 0 && only.operator.startsWith("<<") && only.descriptor === ""
    ? evaluateWhole(only.target, scope)
    : undefined;
}

/** What `echo` prints, when no option or escape makes that a question. */
function echoed(words: readonly Value[]): string | undefined {
  const plain = words[0] === "-n" ? words.slice(1) : words;
  if (!plain.every((word) => typeof word === "string")) return undefined;
  const text = plain.join(" ");
  return /^-[neE]+(?: |$)/.test(text) || text.includes("\\") ? undefined : text;
}

function formatted(words: readonly Value[]): string | undefined {
  const [format, argument, ...more] = words[0] === "--" ? words.slice(1) : words;
  if (typeof format !== "string" || more.length > 0) return undefined;
  if (argument === undefined)
    return /[%\\]/.test(format.replaceAll("\\n", "")) ? undefined : format.replaceAll("\\n", "\n");
  return /^%s(?:\\n)?$/.test(format) && typeof argument === "string" ? argument : undefined;
}
