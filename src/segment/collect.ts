import type { Command, Statement } from "../syntax/index.ts";
import { type Diagnostic, LIMITS, type Source, type Span } from "../text/index.ts";
import { findEntry } from "./dictionary.ts";
import { FINDINGS, type Finding, type FindingCode } from "./finding.ts";
import type { Flow } from "./flow.ts";
import type { Link } from "./links.ts";
import type { FindEntry } from "./read.ts";
import type { Reading } from "./reading.ts";
import type { Effect, Origin, Segment, Surroundings } from "./segment.ts";
import type { Value } from "./value.ts";
import { Writers } from "./writers.ts";
import { WrittenPaths } from "./written-paths.ts";

/** What is gathered on the way through one command line. */
export interface Collection {
  readonly source: Source;
  readonly surroundings: Surroundings;
  readonly find: FindEntry;
  /** The words of invocations and how they are read, by the words: a text may run one thing thousands of times. */
  readonly readings: Map<string, ReadWords>;
  readonly segments: Segment[];
  /** How many of them may do more than look. */
  doers: number;
  readonly effects: Effect[];
  readonly findings: Finding[];
  /** Code, segment and span of each finding. */
  readonly noted: Set<string>;
  readonly diagnostics: Diagnostic[];
  /** Values set by the text that would run commands if bash evaluated them once more. */
  readonly evaluable: Span[];
  /** Places where bash evaluates the value of a variable once more. */
  readonly evaluators: Span[];
  /** Script files that the text runs, as far as nothing had written them before. */
  readonly scripts: ScriptRun[];
  /** Links that the text makes, and what it copies or moves. */
  readonly links: Link[];
  /** By the position of an effect: its absolute paths as written, where `..` follows a name that may be a link. */
  readonly climbs: Map<number, readonly string[]>;
  /** What the text's lists and functions may change. */
  readonly writers: Writers;
  /** What the text has written so far, as far as it was asked for; how many effects and links of it are noted. */
  readonly written: { readonly paths: WrittenPaths; effects: number; links: number };
  /** The bodies of functions that the text has defined so far: a call is judged with its own parameters. */
  readonly bodies: Map<string, Command>;
  /** The limit of segments is reached, which refuses the whole text: nothing more is looked at. */
  full: boolean;
  /** Calls that may still be judged so. */
  callBudget: number;
  /** Characters of scripts inside the text that may still be read; bounds the work on hostile text. */
  scriptBudget: number;
  /** Words of inner commands that may still be read: `sudo sudo sudo …` hands all the others on at every step. */
  wordBudget: number;
}

/** A script file that is run by its path. */
export interface ScriptRun {
  /** The paths that it can mean. */
  readonly files: readonly Value[];
  readonly span: Span;
  readonly segment: number;
  /** Effects that were known when it was met. */
  readonly effects: number;
}

/** Words and how the dictionary splits them. */
export interface ReadWords {
  readonly words: readonly Value[];
  readonly reading: Reading;
}

/** Where a command stands. */
export interface Place {
  readonly via: readonly string[];
  readonly origin: Origin;
  readonly parent: number | undefined;
  /** The span of everything inside a script that is not part of the command line's own text. */
  readonly fixed: Span | undefined;
  /** The name and text of what is being read: the command line, or a script inside it. */
  readonly stdin: Stdin;
  /** Scripts and wrappers inside each other so far. */
  readonly scripts: number;
  /** The script that the command stands in. */
  readonly script: readonly Statement[];
  /** Files followed so far. */
  readonly files: number;
}

/** What a command would read from standard input. */
export type Stdin =
  | { readonly kind: "inherited" }
  | { readonly kind: "pipe"; readonly from: Command; readonly flow: Flow };

export function collectionFor(source: Source, surroundings: Surroundings): Collection {
  const find: FindEntry = (name) => findEntry(name, surroundings.entries);
  return {
    source,
    surroundings,
    find,
    readings: new Map(),
    segments: [],
    doers: 0,
    effects: [],
    findings: [],
    noted: new Set(),
    diagnostics: [],
    evaluable: [],
    evaluators: [],
    scripts: [],
    links: [],
    climbs: new Map(),
    writers: new Writers(find),
    written: { paths: new WrittenPaths(), effects: 0, links: 0 },
    bodies: new Map(),
    full: false,
    callBudget: LIMITS.calls,
    wordBudget: LIMITS.innerWords + source.text.length,
    scriptBudget: LIMITS.scriptCharacters + source.text.length * 3,
  };
}

export const START: Place = {
  via: [],
  origin: "text",
  parent: undefined,
  fixed: undefined,
  stdin: { kind: "inherited" },
  scripts: 0,
  script: [],
  files: 0,
};

/** A place one operator or construct further in. */
export function within(place: Place, step: string, change?: Partial<Place>): Place {
  if (step === "" && change === undefined) return place;
  const via = step === "" ? place.via : [...place.via, step];
  return change === undefined ? stepped(place, via) : { ...place, ...change, via };
}

function stepped({ origin, parent, fixed, stdin, scripts, script, files }: Place, via: readonly string[]): Place {
  return { via, origin, parent, fixed, stdin, scripts, script, files };
}

/** Places one operator further in, one for each operator: a list has thousands of commands and two of those. */
export function stepsFrom(place: Place): (step: string) => Place {
  const known = new Map([["", place]]);
  return (step) => {
    const found = known.get(step) ?? within(place, step);
    known.set(step, found);
    return found;
  };
}

/** The span in the command line of something that stands at a place. */
export function spanAt(place: Place, span: Span): Span {
  return place.fixed ?? span;
}

/** Adds a finding, once for the same code, span and segment. */
export function addFinding(
  collection: Collection,
  code: FindingCode,
  message: string,
  span: Span,
  segment?: number,
): void {
  const key = `${code} ${segment} ${span.start} ${span.end}`;
  if (collection.noted.has(key)) return;
  collection.noted.add(key);
  collection.findings.push({ code, floor: FINDINGS[code].floor, message, span, segment });
}

/** Adds a segment and gives its index; undefined when the limit is reached, which refuses the whole text. */
export function addSegment(collection: Collection, segment: Segment): number | undefined {
  if (collection.segments.length >= LIMITS.segments) {
    if (collection.full) return undefined;
    collection.full = true;
    addFinding(collection, "limit-exceeded", `more than ${LIMITS.segments} simple commands`, segment.span);
    return undefined;
  }
  if (!onlyLooks(segment)) collection.doers++;
  return collection.segments.push(segment) - 1;
}

/** Whether a segment changes nothing: all that is known of its program is that it looks or fetches. */
export function onlyLooks({ reading }: Segment): boolean {
  const does = reading?.does ?? [];
  return does.length > 0 && does.every((doing) => doing === "looks" || doing === "fetches");
}
