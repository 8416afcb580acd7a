import type { Part, Word } from "../syntax/index.ts";
import { checkArithmetic, checkParameter } from "./checks.ts";
import { type Collection, type Place, within } from "./collect.ts";
import type { Flow } from "./flow.ts";
import { walkStatements } from "./walk.ts";

/** Goes into every substitution of some words, wherever bash expands it. Each runs in a process of its own. */
export function walkSubstitutions(
  collection: Collection,
  words: readonly Word[],
  flow: Flow,
  place: Place,
  parent: number | undefined,
): void {
  for (const word of words) for (const part of word.parts) walkPart(collection, part, flow, place, parent);
}

function walkPart(collection: Collection, part: Part, flow: Flow, place: Place, parent: number | undefined): void {
  switch (part.kind) {
    case "literal":
    case "glob":
    case "tilde":
      return;
    case "parameter": {
      checkParameter(collection, part, flow, place, parent);
      const inner = part.subscript ? [part.subscript, ...part.operands] : part.operands;
      if (part.subscript) checkArithmetic(collection, part.subscript, flow, place);
      if (part.operator === ":") for (const operand of part.operands) checkArithmetic(collection, operand, flow, place);
      walkSubstitutions(collection, inner, flow, place, parent);
      return;
    }
    case "arithmetic":
      checkArithmetic(collection, part.expression, flow, place);
      walkSubstitutions(collection, [part.expression], flow, place, parent);
      return;
    case "command":
    case "process":
      walkStatements(
        collection,
        part.statements,
        flow,
        within(place, part.opener, { parent, stdin: { kind: "inherited" } }),
      );
  }
}
