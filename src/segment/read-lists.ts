import { extent, joinWords } from "./join-words.ts";
import type { Inner } from "./reading.ts";
import type { Cell } from "./scan.ts";
import type { CommandSpec } from "./spec.ts";
import type { Piece, Value } from "./value.ts";
import { valueFrom } from "./value.ts";

type Lists = NonNullable<CommandSpec["lists"]>;

/** One list of arguments: the word that begins it is left out. */
interface List {
  readonly role: "text" | "read";
  readonly cells: readonly Cell[];
}

/**
 * The inner commands of words with lists of arguments behind them (`parallel gzip ::: a b`): a command with each of its
 * arguments; without a command, every argument is one, and a file holds one a line.
 */
export function readLists(
  cells: readonly Cell[],
  lists: Lists,
  placeholder: string | undefined,
  by: string,
): readonly Inner[] {
  const starts = cells.flatMap(({ value }, at) =>
    typeof value === "string" && Object.hasOwn(lists, value) ? [at] : [],
  );
  const command = cells.slice(0, starts[0]);
  const found = starts.map((start, position): List => {
    const name = cells[start]?.value;
    const role = (typeof name === "string" ? lists[name] : undefined) ?? "text";
    return { role, cells: cells.slice(start + 1, starts[position + 1]) };
  });
  if (command.length > 0) {
    const [from, to] = extent(cells);
    const text = templateText(joinWords(command.map(({ value }) => value)), found, placeholder);
    return [{ kind: "script", role: "script", text, parameters: [], quoted: true, from, to, by }];
  }
  return found.flatMap(({ role, cells: words }) => words.map((cell) => commandOf(cell, role, by)));
}

function commandOf({ value, index }: Cell, role: List["role"], by: string): Inner {
  if (role === "read") return { kind: "file", path: value, parameters: [], index, by };
  return { kind: "script", role: "script", text: value, parameters: [], from: index, to: index + 1, by };
}

// `{}`, `{1}`, `{.}`, `{/.}`, `{#}` …: what an argument, or a part of it, takes the place of.
const PLACE = /(\{-?\d*(?:\/\/|\/\.|[./#%])?\})/;

/** The command's text with a hole for each argument: where it says so, else behind it. Without lists they are read from input. */
function templateText(text: Value, lists: readonly List[], placeholder: string | undefined): Value {
  let placed = false;
  const pieces = (typeof text === "string" ? [text] : text.pieces).flatMap((piece): readonly Piece[] => {
    if (typeof piece !== "string") return [piece];
    const parts = (placeholder === undefined ? piece : piece.replaceAll(placeholder, "{}")).split(PLACE);
    placed ||= parts.length > 1;
    return parts.map((part, at) => (at % 2 === 0 ? part : holeFor(part, lists)));
  });
  const sources = lists.length > 0 ? lists : [{ role: "read" as const, cells: [] }];
  const behind = placed ? [] : sources.flatMap((list): readonly Piece[] => [" ", holeOf("{}", list)]);
  return valueFrom([...pieces, ...behind], false);
}

function holeFor(place: string, lists: readonly List[]): Piece {
  const number = /^\{(\d+)\}$/.exec(place)?.[1];
  const list = number === undefined ? lists[0] : lists[Number(number) - 1];
  const whole = number !== undefined || (place === "{}" && lists.length === 1);
  return whole && list !== undefined ? holeOf(place, list) : { cause: "input", text: place };
}

/** A hole with the arguments as its choices, as far as each of them is plain text. */
function holeOf(text: string, { role, cells }: List): Piece {
  const choices = cells.flatMap(({ value }) => (typeof value === "string" && PLAIN.test(value) ? [value] : []));
  const known = role === "text" && choices.length > 0 && choices.length === cells.length;
  return { cause: "input", text, ...(known && { choices }) };
}

const PLAIN = /^[\w@%+:,./-]+$/;
