import type { CommandSpec, Doing, Entry, Escape, OperandFacts, OptionFacts, Role } from "./spec.ts";
import type { Piece, Value } from "./value.ts";

/** How the dictionary splits the words of one invocation. Indices count the words, the program is word 0. */
export interface Reading {
  readonly entry: Entry | undefined;
  /** The spec of the deepest verb that was found (the entry itself without one). */
  readonly spec: CommandSpec | undefined;
  /** The leading words that name the action, options left out; stops at the first dynamic word. */
  readonly prefix: readonly string[];
  /** Indices of the verb words that were found in the entry, in order. */
  readonly verbs: readonly number[];
  /** Every name of each of them: `install`, `i`, `add`. */
  readonly verbNames: readonly (readonly string[])[];
  readonly options: readonly ReadOption[];
  readonly operands: readonly ReadOperand[];
  /** Index of the `--` that ended the options. */
  readonly terminator: number | undefined;
  readonly inner: readonly Inner[];
  readonly files: readonly FileUse[];
  /** Options and verbs that do more than the program's name promises, known and unknown ones. */
  readonly escapes: readonly ReadEscape[];
  /** Where relative paths of this invocation start (`git -C d`), in order. */
  readonly directories: readonly Value[];
  /** Text that the shell or the program evaluates again, by its role. */
  readonly evaluated: readonly { readonly role: Role; readonly value: Value; readonly index: number }[];
  readonly hidden: readonly HiddenOption[];
  readonly transparent: boolean;
  readonly runner: boolean;
  readonly does: readonly Doing[];
}

export interface ReadOption {
  /** Canonical spelling (`--force` for `-f`), as in the entry; as written when the entry does not know it. */
  readonly name: string;
  readonly spelled: string;
  /** Every spelling the entry knows for it. */
  readonly spellings: readonly string[];
  readonly facts: OptionFacts | undefined;
  /** Word that it stands in; several options of one cluster share it. */
  readonly index: number;
  /** Its values, glued or separate. */
  readonly values: readonly Value[];
  /** Indices of separate value words. */
  readonly valueIndices: readonly number[];
  /** Stands before the last verb word. */
  readonly beforeVerb: boolean;
  /** The word that holds it is dynamic, so it may be another option. */
  readonly dynamic: boolean;
}

export interface ReadOperand {
  readonly index: number;
  readonly value: Value;
  readonly role: Role;
  /** Where in its text a file may be named. */
  readonly marks?: readonly string[];
  /** Wildcards over its text, where a command may stand. */
  readonly commands?: readonly string[];
  /** The option whose value it is, with the operand before it. */
  readonly keyed?: string;
  /** What is made beside it, by what its name is like. */
  readonly makes?: OperandFacts["makes"];
}

/** A command inside the words. */
export type Inner =
  | {
      readonly kind: "argv";
      readonly words: readonly Value[];
      /** Indices of the words, for spans. */
      readonly from: number;
      readonly to: number;
      readonly assignments: readonly { readonly name: string; readonly value: Value; readonly index: number }[];
      /** A placeholder that other words are put in place of (`{}`). */
      readonly placeholder: string | undefined;
      /** What is known of those words. */
      readonly fills?: readonly (readonly Piece[])[];
      /** What all of them are like. */
      readonly found?: readonly Piece[];
      readonly appends: boolean;
      /** It runs in directories that nobody knows. */
      readonly moved?: true;
      /** It is what the invocation is to its program: nothing else runs. */
      readonly instead?: true;
      readonly by: string;
    }
  | {
      readonly kind: "script";
      readonly role: "script" | "remote-script" | "program";
      readonly text: Value;
      /** `$0`, `$1` … of the script, when it has any. */
      readonly parameters: readonly Value[];
      /** The program quotes what it puts into the holes of the text: each stays in its word. */
      readonly quoted?: true;
      readonly from: number;
      readonly to: number;
      readonly by: string;
    }
  | {
      readonly kind: "file";
      readonly path: Value;
      readonly parameters: readonly Value[];
      readonly index: number;
      readonly by: string;
    }
  | { readonly kind: "stdin"; readonly by: string }
  | {
      readonly kind: "package-script";
      readonly names: readonly Value[];
      /** They run where there are such; no word names them. */
      readonly perhaps?: true;
      readonly index: number;
      readonly by: string;
    };

/** A file that the invocation uses; `path` as written, not yet resolved. */
export interface FileUse {
  readonly access:
    | "read"
    | "write"
    | "edit"
    | "list"
    | "search"
    | "extract"
    | "destination"
    | "onto"
    | "into"
    | "net"
    | "saved"
    | "member";
  readonly path: Value;
  /** What lies below it and is meant as well, by its name. */
  readonly others?: readonly Value[];
  /** The word that names it, or the program's where no word does. */
  readonly index: number;
  /** Used only if standard input is no pipe and no file. */
  readonly orInput?: true;
  /** Used only if there is such a file: the word may mean something else. */
  readonly perhaps?: true;
  /** Counts from the root of the repository as well. */
  readonly fromRoot?: true;
}

/** A word that may be an option of a known name. */
export interface HiddenOption {
  readonly index: number;
  readonly shown: string;
  readonly name: string;
}

export interface ReadEscape {
  readonly escape: Escape | "unknown";
  /** What an allow rule has to name: the option's canonical spelling, or the verb. */
  readonly name: string;
  /** All spellings that count as naming it. */
  readonly spellings: readonly string[];
  readonly index: number;
  /** A sentence fragment for people: `--compress-program makes sort run another program`. */
  readonly message: string;
}
