import type { Comparison, Parameter, Word } from "../syntax/index.ts";
import { addFinding, type Collection, type Place, spanAt } from "./collect.ts";
import type { Flow } from "./flow.ts";
import { isEvaluable, isSensitiveVariable } from "./shell.ts";
import type { Piece, Value } from "./value.ts";
import { evaluateWhole } from "./words.ts";

/** The literal text of a value that bash would run if it evaluated the value once more. */
export function evaluableText(value: Value): string | undefined {
  if (typeof value === "string") return isEvaluable(value) ? value : undefined;
  // Only what a hole is known to be can make one with the text beside it.
  const mayJoin = value.pieces.some((piece) => typeof piece !== "string" && piece.choices !== undefined);
  if (!mayJoin) return value.pieces.map(textIn).find(isEvaluable);
  const joined = value.pieces.map(textIn).join("");
  return isEvaluable(joined) ? joined : undefined;
}

// The beginning of a subscript that is computed, however its end is put behind it.
const SUBSCRIPT = /\w\[(?:\$(?!\])|`|[^\]]{0,64}?(?:\$\(|`|%[sbq])|[^\]]{65})/;

/** Whether a text is, or may be made, a name with a subscript that runs something: `a[$(x)]`, `'a[$'"$y"`, `printf 'a[%s]'`. */
export function mayBecomeSubscript(value: Value): boolean {
  if (typeof value === "string") return SUBSCRIPT.test(value);
  return value.pieces.some((piece) => typeof piece === "string" && SUBSCRIPT.test(piece));
}

/** The text that stands in the command line: a glob is one only for a subscript, `read a[text]`. */
function textIn(piece: Piece): string {
  if (typeof piece === "string") return piece;
  return piece.cause === "path" ? piece.text : (piece.choices?.join(" ") ?? " ");
}

/**
 * Arithmetic evaluates the variables in it, and the subscripts in their values, once more. The substitutions it holds
 * itself are found as such; text that becomes one only after quotes are removed is not.
 */
export function checkArithmetic(collection: Collection, expression: Word, flow: Flow, place: Place): void {
  if (/^[\s\d+*/%()<>=!&|^~?:,-]*$/.test(expression.text)) return;
  const span = spanAt(place, expression.span);
  if (/[A-Za-z_$]/.test(expression.text)) collection.evaluators.push(span);
  const value = evaluateWhole(expression, { flow, surroundings: collection.surroundings });
  if (evaluableText(value) !== undefined)
    addFinding(
      collection,
      "runtime-evaluation",
      "arithmetic evaluates the subscripts in its text once more",
      span,
      place.parent,
    );
}

const EVALUATING_TESTS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R"]);

/** `[[ x -eq y ]]` evaluates both sides as arithmetic, `[[ -v x ]]` the subscript of a name. */
export function checkTest(collection: Collection, comparison: Comparison, flow: Flow, place: Place): void {
  if (!EVALUATING_TESTS.has(comparison.operator)) return;
  for (const operand of comparison.operands) checkArithmetic(collection, operand, flow, place);
}

/** `${x@P}` expands the value as a prompt; `${!x}` takes the value for a name with a subscript. */
export function checkParameter(
  collection: Collection,
  part: Parameter,
  _flow: Flow,
  place: Place,
  segment: number | undefined,
): void {
  if (part.operator === "@P") {
    addFinding(
      collection,
      "prompt-expansion",
      `\`${part.text}\` runs the substitutions in the value of \`${part.name}\``,
      partSpan(collection, place, segment),
      segment,
    );
  }
  if (part.operator === "=" || part.operator === ":=") checkDefaultAssignment(collection, part, place, segment);
  const names = /^\$\{!\w+[@*]\}$|\[[@*]\]\}$/.test(part.text);
  if (part.indirect && !names)
    addFinding(
      collection,
      "indirect-expansion",
      `\`${part.text}\` takes the value of \`${part.name}\` for a name`,
      partSpan(collection, place, segment),
      segment,
    );
}

/** `${x:=text}` sets the variable. */
function checkDefaultAssignment(
  collection: Collection,
  part: Parameter,
  place: Place,
  segment: number | undefined,
): void {
  const span = partSpan(collection, place, segment);
  if (isSensitiveVariable(part.name))
    addFinding(
      collection,
      "sensitive-assignment",
      `\`${part.text}\` sets \`${part.name}\`, which decides what programs run or load`,
      span,
      segment,
    );
  if (
    part.operands.some((operand) => operand.parts.some((inner) => inner.kind === "literal" && isEvaluable(inner.value)))
  )
    collection.evaluable.push(span);
}

function partSpan(collection: Collection, place: Place, segment: number | undefined) {
  const owner = segment === undefined ? undefined : collection.segments[segment];
  return spanAt(place, owner?.span ?? { start: 0, end: collection.source.text.length });
}
