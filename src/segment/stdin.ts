import type { SimpleCommand } from "../syntax/index.ts";
import type { Collection } from "./collect.ts";
import type { Flow } from "./flow.ts";
import type { Wrapped } from "./peel.ts";
import type { Value } from "./value.ts";
import { evaluateWhole, evaluateWord } from "./words.ts";

/** A script that a shell reads from standard input: its text, or the file that holds it. */
export type StdinScript =
  | { readonly kind: "text"; readonly text: Value }
  | { readonly kind: "file"; readonly path: Value };

/** Finds what a shell will read from standard input, where the text itself says it: `sh <<E`, `sh <<< x`, `echo x | sh`. */
export function stdinScript(collection: Collection, wrapped: Wrapped): StdinScript | undefined {
  const { redirects, flow, place } = wrapped;
  const own = redirects.findLast(
    (redirect) => redirect.operator.startsWith("<") && (redirect.descriptor === "" || redirect.descriptor === "0"),
  );
  if (own !== undefined) {
    const target = evaluateWhole(own.target, { flow, surroundings: collection.surroundings });
    if (own.operator === "<") return { kind: "file", path: target };
    return own.operator.startsWith("<<") ? { kind: "text", text: target } : undefined;
  }
  if (place.stdin.kind !== "pipe") return undefined;
  const { from, flow: before } = place.stdin;
  return from.kind === "simple" ? printed(collection, from, before) : undefined;
}

/** The text that a command certainly prints. */
function printed(collection: Collection, command: SimpleCommand, flow: Flow): StdinScript | undefined {
  const scope = { flow, surroundings: collection.surroundings };
  const [program, ...words] = command.words.flatMap((word) => evaluateWord(word, scope));
  if (command.redirects.some((redirect) => !redirect.operator.startsWith("<"))) return undefined;
  if (flow.functions.has(String(program))) return undefined;
  if (program === "cat" && words.length === 0) {
    const last = command.redirects.at(-1);
    if (last === undefined || command.redirects.length !== 1) return undefined;
    const text = evaluateWhole(last.target, scope);
    if (last.operator === "<") return { kind: "file", path: text };
    return last.operator.startsWith("<<") ? { kind: "text", text } : undefined;
  }
  if (program === "cat" && words.length === 1 && command.redirects.length === 0) {
    const [path] = words;
    return typeof path === "string" && !path.startsWith("-") ? { kind: "file", path } : undefined;
  }
  const text = program === "echo" ? echoed(words) : program === "printf" ? formatted(words) : undefined;
  return text === undefined ? undefined : { kind: "text", text };
}

/** What `echo` prints, when no option or escape makes that a question. */
function echoed(words: readonly Value[]): string | undefined {
  const plain = words[0] === "-n" ? words.slice(1) : words;
  if (!plain.every((word) => typeof word === "string")) return undefined;
  const text = plain.join(" ");
  return text.startsWith("-") || text.includes("\\") ? undefined : text;
}

function formatted(words: readonly Value[]): string | undefined {
  const [format, argument] = words[0] === "--" ? words.slice(1) : words;
  if (typeof format !== "string" || words.length > 2) return undefined;
  if (argument === undefined)
    return /[%\\]/.test(format.replaceAll("\\n", "")) ? undefined : format.replaceAll("\\n", "\n");
  return /^%s(?:\\n)?$/.test(format) && typeof argument === "string" ? argument : undefined;
}
