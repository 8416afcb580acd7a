import type { Diagnostic, Source, Span } from "../text/index.ts";

/**
 * The syntax tree of a command line, in bash's own terms. Plain data. Spans point into the command line; of nodes whose
 * text bash rewrites before it reads them (escaped backquotes), into the construct that holds them.
 */
export interface Script {
  readonly source: Source;
  readonly statements: readonly Statement[];
  /** What bash or guarded-sh could not read. Empty for a text that may be trusted to be read as bash reads it. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Statement {
  readonly command: Command;
  readonly background: boolean;
  /** Another statement follows on its line. */
  readonly goesOn?: true;
}

export type Command =
  | SimpleCommand
  | Pipeline
  | AndOr
  | Group
  | If
  | Loop
  | For
  | ArithmeticFor
  | Case
  | Arithmetic
  | Test
  | FunctionDefinition
  | Coproc;

/** Assignments, words and redirects: the leaf that runs a program. */
export interface SimpleCommand {
  readonly kind: "simple";
  readonly text: string;
  readonly span: Span;
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

export interface Pipeline {
  readonly kind: "pipeline";
  readonly negated: boolean;
  readonly timed: boolean;
  readonly commands: readonly Command[];
  /** Between the commands: `|` or `|&`. */
  readonly operators: readonly string[];
}

export interface AndOr {
  readonly kind: "and-or";
  readonly commands: readonly Command[];
  /** Between the commands: `&&` or `||`. */
  readonly operators: readonly string[];
}

interface Compound {
  readonly span: Span;
  readonly redirects: readonly Redirect[];
}

/** `( … )` in a process of its own, or `{ …; }`. */
export interface Group extends Compound {
  readonly kind: "group";
  readonly subshell: boolean;
  readonly body: readonly Statement[];
}

export interface If extends Compound {
  readonly kind: "if";
  readonly branches: readonly { readonly condition: readonly Statement[]; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[];
}

export interface Loop extends Compound {
  readonly kind: "loop";
  readonly keyword: "while" | "until";
  readonly condition: readonly Statement[];
  readonly body: readonly Statement[];
}

export interface For extends Compound {
  readonly kind: "for";
  readonly keyword: "for" | "select";
  readonly name: string;
  /** Without `in`: the positional parameters. */
  readonly words: readonly Word[] | undefined;
  readonly body: readonly Statement[];
}

export interface ArithmeticFor extends Compound {
  readonly kind: "arithmetic-for";
  readonly header: Word;
  readonly body: readonly Statement[];
}

export interface Case extends Compound {
  readonly kind: "case";
  readonly word: Word;
  readonly items: readonly { readonly patterns: readonly Word[]; readonly body: readonly Statement[] }[];
}

/** `(( … ))` */
export interface Arithmetic extends Compound {
  readonly kind: "arithmetic";
  readonly expression: Word;
}

/** `[[ … ]]` */
export interface Test extends Compound {
  readonly kind: "test";
  readonly comparisons: readonly Comparison[];
}

export interface Comparison {
  readonly operator: string;
  readonly operands: readonly Word[];
}

export interface FunctionDefinition {
  readonly kind: "function";
  readonly name: string;
  readonly span: Span;
  readonly body: Command;
}

export interface Coproc {
  readonly kind: "coproc";
  readonly name: string | undefined;
  readonly span: Span;
  readonly body: Command;
}

/** `name=value`, `name[subscript]+=value`, `name=(…)`. */
export interface Assignment {
  readonly name: string;
  readonly text: string;
  readonly span: Span;
  readonly append: boolean;
  readonly subscript: Word | undefined;
  readonly value: Word;
  /** The elements of an array value; `value` is empty then. */
  readonly elements: readonly Word[] | undefined;
}

export interface Redirect {
  readonly operator: string;
  /** As written before the operator: `2`, `{fd}`, or nothing. */
  readonly descriptor: string;
  readonly span: Span;
  /** The file, the descriptor, or the text of a here-string or here-document. */
  readonly target: Word;
  /** A subscript in `{name[…]}>file`, which bash evaluates. */
  readonly subscript: Word | undefined;
}

/** One shell word as written. */
export interface Word {
  readonly text: string;
  readonly span: Span;
  readonly parts: readonly Part[];
  /** The words that brace expansion makes of it, when it makes any. */
  readonly braces: readonly Word[] | undefined;
}

export type Part = Literal | Glob | Tilde | Parameter | Substitution | ArithmeticPart;

export interface Literal {
  readonly kind: "literal";
  readonly value: string;
  readonly quoted: boolean;
}

/** Unquoted `*`, `?` or `[…]`: bash puts the names of files there. */
export interface Glob {
  readonly kind: "glob";
  readonly text: string;
}

/** `~` or `~user` where bash expands it. */
export interface Tilde {
  readonly kind: "tilde";
  readonly user: string;
}

/** `$name`, `${name…}`. */
export interface Parameter {
  readonly kind: "parameter";
  readonly text: string;
  /** `HOME`, `1`, `@`; empty when bash would refuse it. */
  readonly name: string;
  readonly quoted: boolean;
  /** `${!name}` */
  readonly indirect: boolean;
  /** `${#name}` */
  readonly length: boolean;
  /** `:-`, `#`, `//`, `^`, `@P`, `:`; empty for a plain one. */
  readonly operator: string;
  readonly subscript: Word | undefined;
  /** The texts after the operator that bash expands. */
  readonly operands: readonly Word[];
}

/** `$(…)`, backquotes, `<(…)`, `>(…)`. */
export interface Substitution {
  readonly kind: "command" | "process";
  readonly text: string;
  /** `$(`, `` ` ``, `<(` or `>(`. */
  readonly opener: string;
  readonly quoted: boolean;
  readonly statements: readonly Statement[];
  readonly span: Span;
}

/** `$((…))`, `$[…]`. */
export interface ArithmeticPart {
  readonly kind: "arithmetic";
  readonly text: string;
  readonly quoted: boolean;
  readonly expression: Word;
}
