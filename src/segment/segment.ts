import type { AbsolutePath, Diagnostic, Source, Span } from "../text/index.ts";
import type { Finding } from "./finding.ts";
import type { Reading } from "./reading.ts";
import type { Value } from "./value.ts";

/** One simple command with its place in the command line: the unit that is judged. */
export interface Segment {
  /** Its text; of what was found inside another segment, the words joined by blanks or the script's own text. */
  readonly text: string;
  /** In the command line; of a segment inside another segment's words, the words' span. */
  readonly span: Span;
  /** Quotes removed, expansions as written. */
  readonly argv: readonly string[];
  /** What each word evaluates to. Braces make several words of one, so this may be longer than `argv`. */
  readonly words: readonly Value[];
  /** The words with every substitution as a hole, where the text says what one prints: an allow rests on no computed word. */
  readonly uncomputed?: readonly Value[] | undefined;
  readonly assignments: readonly SegmentAssignment[];
  readonly redirects: readonly SegmentRedirect[];
  /** Operators and places in front of it, outermost first: `&&`, `|`, `$(`, `if`, `(`, `function f`. */
  readonly via: readonly string[];
  readonly origin: Origin;
  /** The segment it was found in: the wrapper, or the command whose word holds the substitution. */
  readonly parent: number | undefined;
  /** How the dictionary splits it; undefined for a bare assignment or redirect. */
  readonly reading: Reading | undefined;
  /** The program given by a path is the one that PATH finds under its name. Undefined: not given by a path. */
  readonly pathProgram: "found" | "elsewhere" | undefined;
  /** A wrapper whose inner commands stand for it: an allow for those is enough. */
  readonly transparent: boolean;
  /** Calls a function that the text defines and that is judged where it stands. */
  readonly callsFunction: boolean;
}

export type Origin = "text" | "wrapper" | "script" | "file";

export interface SegmentAssignment {
  readonly name: string;
  readonly value: Value;
  /** As written: `A=1`, `a[0]+=x`. */
  readonly text: string;
  readonly span: Span;
}

export interface SegmentRedirect {
  /** `>`, `>>`, `<`, `<>`, `>|`, `&>`, `&>>`, `>&`, `<&`, `<<`, `<<<`. */
  readonly operator: string;
  /** The descriptor as written in front of it: `2`, `{fd}`, or nothing. */
  readonly descriptor: string;
  readonly target: Value;
  readonly span: Span;
}

/** A file that a text uses, found in a redirect or in the operands of a known program. */
export interface Effect {
  readonly tool: "file_read" | "file_write";
  readonly access: "read" | "write" | "edit" | "list" | "search" | "extract" | "net";
  /** Absolute and normalised as far as it is known; starts with a `directory` hole below an unknown directory. */
  readonly path: Value;
  /** Where it may be as well: below a directory that an earlier `cd` may not have reached, or another choice. */
  readonly otherPaths: readonly Value[];
  /** As written. */
  readonly text: string;
  readonly span: Span;
  readonly segment: number;
  /** `redirect`: a request of its own, the default applies. `operand`: can only tighten. */
  readonly from: "redirect" | "operand";
  /** For a redirect, its operator: `>`, `>>`. */
  readonly operator: string | undefined;
}

/** Everything that bash would do with a text, as far as the text tells. Plain data. */
export interface Segmentation {
  readonly source: Source;
  readonly segments: readonly Segment[];
  readonly effects: readonly Effect[];
  readonly findings: readonly Finding[];
  /** Why the text could not be read, when it could not: the same as findings of the whole text, with a snippet. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What the stages need to know of the world. Everything but `cwd` and `home` may be missing. */
export interface Surroundings {
  readonly cwd: AbsolutePath;
  readonly home: AbsolutePath;
  /** The environment that the text will run in. */
  readonly env: ReadonlyMap<string, string>;
  /** The text of a file, or why it cannot be had. Never throws. */
  readonly readText?: ((path: string) => string | undefined) | undefined;
  /** Whether something lies at the path, readable or not. Undefined when nobody can tell. Never throws. */
  readonly exists?: ((path: string) => boolean | undefined) | undefined;
  /** The path with all symlinks resolved, as far as it exists. Never throws. */
  readonly realPath?: ((path: string) => string) | undefined;
  /** The file that PATH finds for a name. */
  readonly findProgram?: ((name: string) => string | undefined) | undefined;
  /** The shell that will read the text, when that is not bash. */
  readonly dialect?: import("./spec.ts").Dialect | undefined;
  /** More dictionary entries, from a policy file: they may add and tighten. */
  readonly entries?: ReadonlyMap<string, import("./spec.ts").Entry> | undefined;
}
