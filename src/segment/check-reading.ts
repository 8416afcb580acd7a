import { evaluableText } from "./checks.ts";
import { addFinding, type Collection } from "./collect.ts";
import type { Invocation } from "./invoke.ts";
import type { Reading } from "./reading.ts";
import { isSensitiveVariable, readingOption } from "./shell.ts";
import { literalStart, type Value } from "./value.ts";

/** Findings that the words of one invocation give by what the dictionary knows of its program. */
export function checkReading(collection: Collection, invocation: Invocation, reading: Reading, index: number): void {
  checkWrapperOptions(collection, invocation, reading, index);
  for (const { index: at, shown, name } of reading.hidden) {
    const span = invocation.wordSpans[at] ?? invocation.span;
    addFinding(collection, "unknown-wrapper-option", `\`${shown}\` may be \`${name}\``, span, index);
  }
  checkEvaluated(collection, invocation, reading, index);
  checkReferences(collection, invocation, reading, index);
  checkGivenText(collection, invocation, reading);
  checkStartupFiles(collection, invocation, reading, index);
  checkClusters(collection, invocation, reading, index);
  const [program = "", ...words] = invocation.argv;
  const option = readingOption(program, words);
  if (option !== undefined)
    addFinding(
      collection,
      "shell-option",
      `\`${program} ${option}\` changes how later text is read`,
      invocation.span,
      index,
    );
}

/** With an option nobody knows it is not sure where the inner command begins. */
function checkWrapperOptions(collection: Collection, invocation: Invocation, reading: Reading, index: number): void {
  if (reading.inner.length === 0) return;
  for (const { escape: kind, index: at, name } of reading.escapes) {
    if (kind !== "unknown") continue;
    const span = invocation.wordSpans[at] ?? invocation.span;
    addFinding(
      collection,
      "unknown-wrapper-option",
      `\`${name}\` is not an option that is known of \`${invocation.argv[0] ?? ""}\``,
      span,
      index,
    );
  }
}

/** A shell that is told to read a file of commands before its script. */
function checkStartupFiles(collection: Collection, invocation: Invocation, reading: Reading, index: number): void {
  if (reading.spec?.stdin === undefined) return;
  for (const { name, facts, index: at } of reading.options) {
    if (facts?.value !== "config-file") continue;
    const span = invocation.wordSpans[at] ?? invocation.span;
    addFinding(collection, "startup-file", `\`${name}\` makes the shell read a file of commands first`, span, index);
  }
}

/** `-abc` with a letter nobody knows: what follows it may be its value, or options of their own. */
function checkClusters(collection: Collection, invocation: Invocation, reading: Reading, index: number): void {
  if (reading.spec?.closed !== true) return;
  for (const { facts, index: at } of reading.options) {
    const word = invocation.words[at];
    if (facts !== undefined || typeof word !== "string" || !/^-[A-Za-z0-9]{2,}$/.test(word)) continue;
    const known = reading.options.some((other) => other.index === at && other.facts !== undefined);
    const span = invocation.wordSpans[at] ?? invocation.span;
    if (known)
      addFinding(
        collection,
        "option-cluster-ambiguous",
        `\`${word}\` holds a letter that is no option that is known`,
        span,
        index,
      );
  }
}

/** Names, definitions and arithmetic that builtins evaluate once more. */
function checkEvaluated(collection: Collection, invocation: Invocation, reading: Reading, index: number): void {
  for (const { role, value, index: at } of reading.evaluated) {
    if (role !== "variable" && role !== "evaluated" && role !== "definition") continue;
    const span = invocation.wordSpans[at] ?? invocation.span;
    if (role === "evaluated") collection.evaluators.push(span);
    if (evaluableText(value) !== undefined)
      addFinding(
        collection,
        "runtime-evaluation",
        `\`${invocation.argv[0] ?? ""}\` evaluates the text of its operand once more`,
        span,
        index,
      );
    checkWrittenName(collection, value, span, index);
  }
}

/** What `NAME=VALUE` sets, when it is known. */
function writtenValue(definition: Value): string | undefined {
  return typeof definition === "string" ? /^\w+\+?=(.*)$/s.exec(definition)?.[1] : undefined;
}

/** A builtin that sets a variable by its name: one that decides what programs run, or one whose name nobody knows. */
function checkWrittenName(collection: Collection, value: Value, span: Invocation["span"], index: number): void {
  const start = literalStart(value);
  const name = /^[A-Za-z_]\w*/.exec(start)?.[0];
  const whole = typeof value === "string" || (name !== undefined && name.length < start.length);
  if (name !== undefined && whole && isSensitiveVariable(name, writtenValue(value)))
    addFinding(collection, "sensitive-assignment", `\`${name}\` decides what programs run or load`, span, index);
  else if (!whole)
    addFinding(
      collection,
      "sensitive-assignment",
      "a variable is set whose name is known only when the text runs",
      span,
      index,
    );
}

/** `declare -n r=x`: what is set through `r` from here on is set in another variable. */
/** `read x <<< text`: the variable will hold the text. */
function checkGivenText(collection: Collection, invocation: Invocation, reading: Reading): void {
  if (!reading.evaluated.some(({ role }) => role === "variable")) return;
  for (const { operator, target, span } of invocation.redirects)
    if (operator.startsWith("<<") && evaluableText(target) !== undefined) collection.evaluable.push(span);
}

function checkReferences(collection: Collection, invocation: Invocation, reading: Reading, index: number): void {
  if (!reading.evaluated.some(({ role }) => role === "definition")) return;
  for (const { name, index: at } of reading.options) {
    const span = invocation.wordSpans[at] ?? invocation.span;
    if (name === "-n" || name === "+n")
      addFinding(collection, "indirect-expansion", "a name that stands for another variable is set", span, index);
    if (name === "-i" || name === "+i") collection.evaluators.push(span);
  }
}
