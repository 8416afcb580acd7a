import { configCommand, namedCommand } from "./config-commands.ts";
import { foundNames, foundPath } from "./found-names.ts";
import { extent, joinWords } from "./join-words.ts";
import { readLists } from "./read-lists.ts";
import type { Inner, ReadOperand } from "./reading.ts";
import { type Cell, isAssignment, type Scan, type ScannedOption } from "./scan.ts";
import { splitWords } from "./split-words.ts";
import { literalStart, shownValue, type Value, valueFrom } from "./value.ts";
import { aliasedCommands } from "./verb-aliases.ts";

type Assignments = Extract<Inner, { kind: "argv" }>["assignments"];

/** The commands inside the words: of options first, then of operands, then standard input. */
export function readInner(scan: Scan, operands: readonly ReadOperand[], by: string): readonly Inner[] {
  if (scan.shortened.size > 0) return [withWholeVerbs(scan)];
  const inner: Inner[] = [...withLikeVerb(scan)];
  const assignments = assignmentsOf(scan, operands);
  let found: ReturnType<typeof foundBy> | undefined;
  const names = () => {
    found ??= foundBy(scan, operands);
    return found;
  };
  for (const option of scan.options) inner.push(...innerOfOption(option, scan, assignments, names));
  inner.push(...aliasedCommands(scan, by));
  for (const [position, operand] of operands.entries()) {
    // With a key that is known, the value is read as that of an option.
    const keyed = operand.keyed !== undefined && typeof operands[position - 1]?.value === "string";
    inner.push(
      ...innerOfOperand(keyed ? { ...operand, commands: [] } : operand, () => operands.slice(position + 1), by),
    );
  }
  const packaged = operands.filter((operand) => operand.role === "package-script");
  const [first] = packaged;
  if (first !== undefined) {
    inner.push({ kind: "package-script", names: packaged.map((name) => name.value), index: first.index, by });
  }
  const { scripts } = scan.compiled.spec;
  const verb = scan.verbs.at(-1)?.cell.index ?? 0;
  if (scripts !== undefined) inner.push({ kind: "package-script", names: scripts, perhaps: true, index: verb, by });
  if (scan.rest?.slot !== undefined) inner.push(...innerOfRest(scan, scan.rest.cells, assignments, by));
  if (readsScriptFromInput(scan, operands, inner)) inner.push({ kind: "stdin", by });
  return inner;
}

/** The same words under the verb that does the same: `git send-pack` is judged as `git push` too. */
function withLikeVerb({ cells, compiled, verbs }: Scan): readonly Inner[] {
  const { like } = compiled.spec;
  const at = verbs.at(-1)?.cell.index;
  if (like === undefined || at === undefined) return [];
  const words = cells.map(({ value, index }) => (index === at ? like : value));
  const made = { words, from: 0, to: words.length, assignments: [], placeholder: undefined, appends: false };
  return [{ kind: "argv", ...made, by: shownValue(words[0] ?? "") }];
}

/** The same words with the verbs that they mean: rules are about `npm publish`, not about `npm publ`. */
function withWholeVerbs({ cells, shortened }: Scan): Inner {
  const words = cells.map(({ value }, index) => shortened.get(index) ?? value);
  const by = shownValue(words[0] ?? "");
  const made = { words, from: 0, to: words.length, assignments: [], placeholder: undefined, appends: false };
  return { kind: "argv", ...made, instead: true, by };
}

/** What is known of the words that the inner commands of `find` are given. */
function foundBy(scan: Scan, operands: readonly ReadOperand[]) {
  return { path: foundPath(scan, operands), fills: foundNames(scan, operands) };
}

function innerOfOption(
  option: ScannedOption,
  scan: Scan,
  assignments: Assignments,
  names: () => ReturnType<typeof foundBy>,
): readonly Inner[] {
  const { known } = option;
  if (known === undefined) return [];
  const by = known.name;
  if (known.facts.until !== undefined) {
    const { path, fills } = names();
    const more = {
      ...(fills.length > 0 && { fills }),
      ...(path !== undefined && !known.facts.moved && { found: path }),
      ...(known.facts.moved && { moved: true as const }),
    };
    return argvOf(option.list, [], "{}", false, by).map((inner) => ({ ...inner, ...more }));
  }
  if (scan.rest?.option === option) return argvOf(scan.rest.cells, assignments, placeholderOf(scan), false, by);
  return option.values.flatMap((text, position): readonly Inner[] => {
    const from = option.valueIndices.at(position - option.values.length) ?? option.index;
    const role = known.roles[position] ?? known.roles.at(-1);
    if (role === "script" || role === "remote-script" || role === "program") {
      return [{ kind: "script", role, text, parameters: [], from, to: from + 1, by }];
    }
    if (role === "script-file") return [{ kind: "file", path: text, parameters: [], index: from, by }];
    if (role === "package-script") return [{ kind: "package-script", names: [text], index: from, by }];
    const command = configCommand(option, text);
    if (command === undefined) return [];
    return [{ kind: "script", role: "script", text: command, parameters: [], from, to: from + 1, by }];
  });
}

function innerOfOperand(operand: ReadOperand, after: () => readonly ReadOperand[], by: string): readonly Inner[] {
  const { role, value, index } = operand;
  const parameters = () => after().map((parameter) => parameter.value);
  if (role === "script" || role === "remote-script" || role === "program") {
    return [{ kind: "script", role, text: value, parameters: parameters(), from: index, to: index + 1, by }];
  }
  if (role === "script-file") return [{ kind: "file", path: value, parameters: parameters(), index, by }];
  const command = operand.commands && namedCommand(operand.commands, value);
  if (command !== undefined)
    return [{ kind: "script", role: "script", text: command, parameters: [], from: index, to: index + 1, by }];
  if (role !== "split-words") return [];
  return argvOf(
    splitWords(value).map((word) => ({ value: word, index })),
    [],
    undefined,
    false,
    by,
  );
}

function innerOfRest(scan: Scan, cells: readonly Cell[], assignments: Assignments, by: string): readonly Inner[] {
  const role = scan.rest?.slot?.role;
  const { lists, apart } = scan.compiled.spec;
  const others = apart === true ? keptApart(scan, cells, by) : [];
  if (lists !== undefined) return [...readLists(cells, lists, placeholderOf(scan), by), ...others];
  if (role === "script" || role === "remote-script") {
    const text = joinWords(cells.map((cell) => cell.value));
    const [from, to] = extent(cells);
    return [{ kind: "script", role, text, parameters: [], from, to, by }, ...others];
  }
  const placeholder = placeholderOf(scan);
  const appends = scan.compiled.spec.appends === true && placeholder === undefined;
  // A program that appends words may have its own sign for where they go: a hole there is the stricter reading.
  const sign = placeholder ?? (appends && cells.some((cell) => cell.value === "{}") ? "{}" : undefined);
  const placed = argvOf(cells, assignments, sign, appends, by);
  const unplaced = placeholder !== undefined && scan.options.some(({ known }) => known?.facts.unplaces);
  return unplaced ? [...placed, ...argvOf(cells, assignments, undefined, true, by)] : placed;
}

/** The words as they were written, where joining them takes one of them apart: `watch sh -c 'git reset --hard'`. */
function keptApart(scan: Scan, cells: readonly Cell[], by: string): readonly Inner[] {
  const { lists } = scan.compiled.spec;
  const ends = (value: Value) => typeof value === "string" && lists !== undefined && Object.hasOwn(lists, value);
  const end = cells.findIndex(({ value }) => ends(value));
  const command = end < 0 ? cells : cells.slice(0, end);
  if (command.length < 2 || !command.some(({ value }) => typeof value === "string" && /\s/.test(value))) return [];
  return argvOf(command, [], placeholderOf(scan) ?? (lists && "{}"), lists !== undefined, by);
}

function argvOf(
  cells: readonly Cell[],
  assignments: Assignments,
  placeholder: string | undefined,
  appends: boolean,
  by: string,
): readonly Inner[] {
  if (cells.length === 0) return [];
  const [from, to] = extent(cells);
  return [{ kind: "argv", words: cells.map((cell) => cell.value), from, to, assignments, placeholder, appends, by }];
}

/** The text that words are put in place of: the value of an option, `{}` when it has none. */
function placeholderOf(scan: Scan): string | undefined {
  const option = scan.options.findLast(({ known }) => known?.roles.includes("placeholder"));
  if (option === undefined) return undefined;
  const [value] = option.values;
  return typeof value === "string" && value !== "" ? value : "{}";
}

/** NAME=VALUE words and option values in front of an inner command. */
function assignmentsOf(scan: Scan, operands: readonly ReadOperand[]): Assignments {
  const ofOptions = scan.options.flatMap(({ known, values, valueIndices, index }) =>
    known?.roles[0] === "assignment" ? values.map((value) => ({ value, index: valueIndices[0] ?? index })) : [],
  );
  const ofOperands = operands.filter((operand) => operand.role === "assignment");
  return [...ofOptions, ...ofOperands].filter(({ value }) => isAssignment(value)).map(splitAssignment);
}

function splitAssignment({ value, index }: Cell): Assignments[number] {
  const start = literalStart(value);
  const equals = start.indexOf("=");
  const name = equals < 0 ? start : start.slice(0, equals);
  if (typeof value === "string") return { name, value: value.slice(equals + 1), index };
  const [first, ...others] = value.pieces;
  const rest = typeof first === "string" ? [first.slice(equals + 1), ...others] : value.pieces;
  return { name, value: valueFrom(rest, value.splits), index };
}

/** A shell without a script among its words reads one from standard input. */
function readsScriptFromInput(scan: Scan, operands: readonly ReadOperand[], inner: readonly Inner[]): boolean {
  const { spec } = scan.compiled;
  if (spec.stdin === undefined) return false;
  // `bash -n f` only reads `f`.
  if (operands[0]?.role === "read") return false;
  if (inner.some(({ kind }) => kind === "script" || kind === "file" || kind === "argv")) return false;
  if (spec.stdin === "script") return true;
  const { when, unless } = spec.stdin;
  const isGiven = (name: string) => scan.options.some((option) => isSpelled(option, name));
  return (when?.some(isGiven) ?? true) && !unless?.some(isGiven);
}

function isSpelled({ known, spelled }: ScannedOption, name: string): boolean {
  return spelled === name || (known?.spellings.includes(name) ?? false);
}
