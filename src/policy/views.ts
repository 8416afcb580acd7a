import type { Reading } from "../segment/reading.ts";
import type { Segment, SegmentRedirect } from "../segment/segment.ts";
import { type Value, valueFrom } from "../segment/value.ts";
import { type SubjectWord, staticText, subjectWord } from "./subject.ts";

/** One way to read a segment: its words, and their text when all of them are known. */
export interface View {
  readonly words: readonly SubjectWord[];
  readonly text: string | undefined;
}

/** The views of one segment, each made when a rule first asks for it. */
export class SegmentViews {
  readonly segment: Segment;
  /** The words as written, assignments and redirects left out. */
  readonly written: View;
  /** The program as written; undefined when it is not known or there is none. */
  readonly program: string | undefined;
  /** The program without its directory. */
  readonly name: string;
  #restricting: readonly View[] | undefined;
  #allowing: readonly View[] | undefined;
  #withAssignments: readonly View[] | undefined;
  #withRedirects: readonly View[] | undefined;
  #allowingByName: readonly View[] | undefined;
  #actions: readonly string[] | undefined;

  constructor(segment: Segment) {
    this.segment = segment;
    this.written = viewOf(segment.words.map(subjectWord));
    const [program] = segment.words;
    this.program = typeof program === "string" ? program : undefined;
    this.name = this.program === undefined ? "" : this.program.slice(this.program.lastIndexOf("/") + 1);
  }

  /** For deny and ask: as written, without the program's directory, without options before the verb, and without both. */
  get restricting(): readonly View[] {
    this.#restricting ??= [...this.#programs(true)].flatMap((words) => this.#withoutOptions(words, false));
    return this.#restricting;
  }

  /** For allow: as written, or with nothing dropped but what the dictionary calls transparent and a path that PATH agrees with. */
  get allowing(): readonly View[] {
    const found = this.segment.pathProgram === "found";
    this.#allowing ??= [...this.#programs(found)].flatMap((words) => this.#withoutOptions(words, true));
    return this.#allowing;
  }

  /** Those of the allowing views in which the program is a plain name. */
  get allowingByName(): readonly View[] {
    this.#allowingByName ??= this.allowing.filter(({ words }) => isPlainName(words[0]?.value ?? ""));
    return this.#allowingByName;
  }

  /** What the segment does, as program and verb: `git push`, and `/usr/bin/git push`. */
  get actions(): readonly string[] {
    this.#actions ??= actionsOf(this.segment.reading?.prefix ?? []);
    return this.#actions;
  }

  /** The restricting views behind the segment's assignments, written as words. */
  get withAssignments(): readonly View[] {
    const assignments = this.segment.assignments.map(({ name, value, text }) =>
      subjectWord(prefixed(text.startsWith(`${name}+=`) ? `${name}+=` : `${name}=`, value)),
    );
    this.#withAssignments ??= this.restricting.map((view) => viewOf([...assignments, ...view.words]));
    return this.#withAssignments;
  }

  /** The restricting views with all redirects behind them, and with each one alone. */
  get withRedirects(): readonly View[] {
    const redirects = this.segment.redirects.filter(namesFile).map(redirectWords);
    const sets = redirects.length < 2 ? [redirects.flat()] : [redirects.flat(), ...redirects];
    this.#withRedirects ??= this.restricting.flatMap((view) => sets.map((set) => viewOf([...view.words, ...set])));
    return this.#withRedirects;
  }

  #programs(withoutDirectory: boolean): Set<readonly Value[]> {
    const { words } = this.segment;
    const programs = new Set<readonly Value[]>([words]);
    const name = words[0] === undefined ? undefined : nameOfPath(words[0]);
    if (withoutDirectory && name !== undefined) programs.add([name, ...words.slice(1)]);
    for (const one of [...programs]) for (const other of this.#withOtherNames(one)) programs.add(other);
    return programs;
  }

  /** `npm i` is `npm install`: the same verb, so a rule for either means both. */
  *#withOtherNames(words: readonly Value[]): Iterable<readonly Value[]> {
    const { verbs, verbNames } = this.segment.reading ?? NO_VERBS;
    for (const [position, at] of verbs.entries()) {
      const written = words[at];
      const names = verbNames[position] ?? [];
      // A hole is no verb that somebody wrote.
      if (typeof written !== "string" || !names.includes(written)) continue;
      for (const name of names) if (name !== written) yield words.with(at, name);
    }
  }

  #withoutOptions(words: readonly Value[], onlyTransparent: boolean): View[] {
    const { reading } = this.segment;
    const all = words === this.segment.words ? this.written : viewOf(words.map(subjectWord));
    const dropped = reading === undefined ? new Set<number>() : optionsBeforeVerb(reading, onlyTransparent);
    if (dropped.size === 0) return [all];
    return [all, viewOf(words.filter((_, i) => !dropped.has(i)).map(subjectWord))];
  }
}

const NO_VERBS: Pick<Reading, "verbs" | "verbNames"> = { verbs: [], verbNames: [] };

function isPlainName(program: Value): boolean {
  return typeof program === "string" && !program.includes("/");
}

function actionsOf([program, ...verbs]: readonly string[]): readonly string[] {
  if (program === undefined) return [];
  const name = program.slice(program.lastIndexOf("/") + 1);
  return [program, name].map((first) => [first, ...verbs].join(" "));
}

/** A view of these words. */
export function viewOf(words: readonly SubjectWord[]): View {
  return { words, text: staticText(words) };
}

/** Whether a redirect opens a file: a here-document and a copy of a descriptor do not, nor does the null device. */
export function namesFile({ operator, target }: SegmentRedirect): boolean {
  if (operator.startsWith("<<")) return false;
  if (target === "/dev/null") return false;
  return !(operator.endsWith("&") && typeof target === "string" && /^(?:[0-9]+-?|-)$/.test(target));
}

/** The program's name when it is given by a path, as far as it is literal. */
function nameOfPath(program: Value): string | undefined {
  const tail = typeof program === "string" ? program : program.pieces.at(-1);
  if (typeof tail !== "string" || !tail.includes("/")) return undefined;
  return tail.slice(tail.lastIndexOf("/") + 1);
}

function optionsBeforeVerb(reading: Reading, onlyTransparent: boolean): Set<number> {
  const dropped = new Set<number>();
  const kept = new Set<number>();
  for (const option of reading.options) {
    if (!option.beforeVerb) continue;
    const drop = !onlyTransparent || option.facts?.transparent === true;
    for (const index of [option.index, ...option.valueIndices]) (drop ? dropped : kept).add(index);
  }
  // Letters of one cluster share a word: it goes only when all of them may.
  for (const index of kept) dropped.delete(index);
  return dropped;
}

function redirectWords({ operator, descriptor, target }: SegmentRedirect): SubjectWord[] {
  const usual = operator.startsWith("<") ? "0" : "1";
  return [subjectWord(descriptor === usual ? operator : descriptor + operator), subjectWord(target)];
}

function prefixed(start: string, value: Value): Value {
  return typeof value === "string" ? start + value : valueFrom([start, ...value.pieces], value.splits);
}
