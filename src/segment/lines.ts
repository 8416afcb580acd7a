import type { Statement } from "../syntax/index.ts";
import type { Collection, Place } from "./collect.ts";
import { bothEnds, type Ends, type Flow, forget, joinEnds, joinFlows } from "./flow.ts";
import { walkStatements } from "./walk.ts";
import { mayChange } from "./writers.ts";

/**
 * Goes through the lines of a script as through statements. What bash cannot expand ends the line that it stands in, and with it
 * the compound or the function around it, but not the script: the next line may find all that was known at some point of this one.
 */
export function walkLines(
  collection: Collection,
  text: string,
  statements: readonly Statement[],
  flow: Flow,
  place: Place,
): Ends {
  if (!MAY_FAIL.test(text)) return walkStatements(collection, statements, flow, place);
  const always = text.includes("failglob");
  let known = flow;
  let given: Flow | undefined;
  let last: Statement | undefined;
  for (const statement of statements) {
    if (always || mayBeGivenUp(collection, [statement], known)) {
      const left = forget(known, mayChange(collection, [statement]));
      given = given === undefined ? left : joinFlows(given, left);
    }
    known = joinEnds(walkStatements(collection, [statement], known, place, last));
    last = statement;
    if (statement.goesOn || given === undefined) continue;
    known = joinFlows(known, given);
    given = undefined;
  }
  return bothEnds(known);
}

function mayBeGivenUp(collection: Collection, part: readonly Statement[], { pins }: Flow): boolean {
  const { fails, variables } = mayChange(collection, part);
  return fails || (variables !== "all" && [...pins].some((name) => variables.has(name)));
}

// What bash may fail to expand or to assign: arithmetic, `${x?}`, a subscript, a read-only variable.
const MAY_FAIL =
  /\$\(\(|\$\[|\$\{(?:[^}]{0,64}[?\s!:[]|[^}]{65}|#)|\w\[|readonly|declare|typeset|(?:UID|PPID|BASHOPTS|SHELLOPTS|BASH_VERSINFO)=|failglob|eval|\bsource\b|(?:^|[\s;&|])\.\s/;
