import { findOption } from "./compile.ts";
import type { ReadOperand } from "./reading.ts";
import type { Scan, ScannedOption } from "./scan.ts";
import { shownValue, type Value, valueFrom } from "./value.ts";

/** Operands that are a key and its value, as the option that takes `KEY=VALUE`: `git config core.pager x`. */
export function keyedOptions(scan: Scan, operands: readonly ReadOperand[]): readonly ScannedOption[] {
  return operands.flatMap((operand, position) => {
    const key = operands[position - 1];
    const known = operand.keyed === undefined ? undefined : findOption(scan.compiled, operand.keyed);
    if (key === undefined || known === undefined) return [];
    const verb = shownValue(scan.verbs[0]?.cell.value ?? "");
    // An allow rule that names the verb means what it does.
    const spellings = [...known.spellings, verb];
    return [
      {
        known: { ...known, spellings },
        spelled: verb,
        index: key.index,
        values: [joined(key.value, operand.value)],
        valueIndices: [operand.index],
        list: [],
        dynamic: false,
        unlisted: false,
        beforeVerb: false,
      },
    ];
  });
}

function joined(key: Value, value: Value): Value {
  const pieces = [key, "=", value].flatMap((each) => (typeof each === "string" ? [each] : each.pieces));
  return valueFrom(
    pieces,
    [key, value].some((each) => typeof each !== "string" && each.splits),
  );
}
