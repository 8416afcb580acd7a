import type { SimpleCommand } from "../syntax/index.ts";
import type { Collection, Stdin } from "./collect.ts";
import { evaluateTarget } from "./effects.ts";
import type { Flow } from "./flow.ts";
import type { Wrapped } from "./peel.ts";
import { printedText } from "./printed.ts";
import type { Value } from "./value.ts";
import { evaluateWord } from "./words.ts";

/** A script that a shell reads from standard input: its text, or the file that holds it. */
export type StdinScript =
  | { readonly kind: "text"; readonly text: Value }
  | { readonly kind: "file"; readonly path: Value };

/** Finds what a shell will read from standard input, where the text itself says it: `sh <<E`, `sh <<< x`, `echo x | sh`. */
export function stdinScript(
  collection: Collection,
  wrapped: Pick<Wrapped, "flow" | "place" | "redirects">,
): StdinScript | undefined {
  const { redirects, flow, place } = wrapped;
  const own = redirects.findLast(
    (redirect) => redirect.operator.startsWith("<") && (redirect.descriptor === "" || redirect.descriptor === "0"),
  );
  if (own !== undefined) {
    const target = evaluateTarget(own, { flow, surroundings: collection.surroundings });
    if (own.operator === "<") return { kind: "file", path: target };
    return own.operator.startsWith("<<") ? { kind: "text", text: target } : undefined;
  }
  if (place.stdin.kind !== "pipe") return undefined;
  const { from, flow: before } = place.stdin;
  return from.kind === "simple" ? printed(collection, from, before) : undefined;
}

/** What a command certainly prints: its text, or the file that `cat` gives on. */
function printed(collection: Collection, command: SimpleCommand, flow: Flow): StdinScript | undefined {
  const scope = { flow, surroundings: collection.surroundings };
  const text = printedText(command, scope);
  if (text !== undefined) return { kind: "text", text };
  const [program, path, ...more] = command.words.flatMap((word) => evaluateWord(word, scope));
  if (program !== "cat" || flow.functions.has(program) || more.length > 0) return undefined;
  const [redirect] = command.redirects;
  if (path === undefined)
    return redirect?.operator === "<" && command.redirects.length === 1
      ? { kind: "file", path: evaluateTarget(redirect, scope) }
      : undefined;
  return redirect === undefined && typeof path === "string" && !path.startsWith("-")
    ? { kind: "file", path }
    : undefined;
}

/** The text that comes through the pipe a command stands behind, where the text itself says it. */
export function pipedText(collection: Collection, stdin: Stdin): string | undefined {
  if (stdin.kind !== "pipe" || stdin.from.kind !== "simple") return undefined;
  const text = printedText(stdin.from, { flow: stdin.flow, surroundings: collection.surroundings });
  return typeof text === "string" ? text : undefined;
}
