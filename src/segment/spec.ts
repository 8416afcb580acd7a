/**
 * The format of a dictionary entry (`arity/`): what one program does with its words. `arity/README.md` explains every
 * field for people; `arity/schema.json` is the same for editors. Entries are data: nothing here names a program.
 */

/** What a word (an operand, or the value of an option) is for its program. */
export const ROLES = [
  "text", // data: never looked at
  "read", // a file that is read
  "write", // a file that is created or overwritten
  "edit", // a file that is changed in place, moved away or deleted
  "open", // the same, and it is shown: what an editor is given
  "list", // a directory whose names are read, recursively or not
  "search", // a file that is read, or a directory all of whose files are read
  "extract", // a directory that many files are written under
  "destination", // a file that is written, or a directory that the other files are written into under their names
  "onto", // a file that another one is written to, or a directory that another one becomes
  "into", // a directory that the other files are written into under their names
  "net", // a URL or host that is contacted
  "download", // the same, and what it holds is saved under the URL's last component
  "member", // a file of an archive that is taken out under its whole name
  "tracked", // a path that is kept in version control, or a revision, or REV:PATH: read
  "restored", // the same, and the file is written over by what is kept
  "directory", // the directory that later relative paths of this invocation start in
  "command", // an inner command begins here and takes all the words that are left
  "program", // a command (often with arguments) in one word, run by name or by a shell
  "script", // one word that a shell runs as a script; as operand `script*`, all words joined by blanks
  "remote-script", // the same, run on another machine or in a container
  "script-file", // a file that a shell runs
  "package-script", // the name of a script in package.json
  "make-target", // a target of a makefile
  "code", // program text in another language
  "code-file", // a file with program text in another language
  "awk-program", // program text in awk: can run commands and write files
  "sed-script", // program text in sed: can run commands and write files
  "awk-file", // a file with program text in awk
  "sed-file", // a file with program text in sed
  "split-words", // one word that is split into words of an inner command (`env -S`)
  "assignment", // NAME=VALUE words in front of an inner command
  "file-name", // a wildcard for the names of the files that the inner command is given (`find -name`)
  "found-path", // the same for their whole paths
  "placeholder", // a text that an inner command's words have replaced (`xargs -I`)
  "config", // KEY=VALUE configuration that may name programs
  "config-file", // a file with configuration that may name programs
  "variable", // a shell variable's name, whose subscript bash evaluates
  "evaluated", // text that bash evaluates once more (arithmetic, `let`)
  "definition", // NAME=VALUE words of `declare` and its kin, whose text bash may evaluate once more
  "alias", // NAME=VALUE, where VALUE is shell text run later under NAME
  "function", // a shell function's name that the program runs
] as const;
export type Role = (typeof ROLES)[number];

/** What an option makes its program do beyond what its name promises. */
export const ESCAPES = ["runs", "writes", "deletes", "loads", "sends", "changes"] as const;
export type Escape = (typeof ESCAPES)[number];

/**
 * An option. A number is the short form for that many values without a role; a role is the short form for one value.
 */
export type OptionSpec = 0 | 1 | 2 | 3 | Role | OptionFacts;

export interface OptionFacts {
  /** Role of its value; a list when it takes several words. Left out: it takes none. */
  readonly value?: Role | readonly Role[];
  /** Another role of the value if that option is given: tar's `-f` is read with `--extract`. */
  readonly as?: Readonly<Record<string, Role>>;
  /** The value can only be glued on (`-i.bak`, `--color=always`); without one the option stands alone. */
  readonly glued?: true;
  /** Its value is always the next word: letters behind it in a cluster are options (`bash -oc errexit 'rm x'`). */
  readonly separate?: true;
  /**
   * Wildcards over a KEY=VALUE value: with one of these keys, VALUE (behind a leading `!`) is a command for a shell. One that ends
   * in `=`: the command stands elsewhere, and nobody knows it.
   */
  readonly commands?: readonly string[];
  /** Wildcards over a KEY=VALUE value: the `*` of KEY names a verb that stands for the words of VALUE (`alias.*=*`). */
  readonly aliases?: readonly string[];
  /** Marks with which its value names a file that is read: `@*`, `*=@*`. A `*` at the end is the file, another a name. */
  readonly reads?: readonly string[];
  /** The options end behind its value: the words that follow belong to what it names (`python -m module …`). */
  readonly last?: true;
  /** The value begins an inner command that ends at one of these words (`find -exec … ;`). */
  readonly until?: readonly string[];
  /** How the words of its input are then taken: a number of them for each run, or in a way that is not followed (`xargs -0`). */
  readonly takes?: "groups" | "otherwise";
  /** Takes back a placeholder that stands in front of it, in some versions (`xargs -I{} -L2`). */
  readonly unplaces?: true;
  /** Links are followed: what is found may lie anywhere (`find -L`). */
  readonly follows?: true;
  /** What stands beside it need not hold of what is found (`find -o`, `-not`). */
  readonly loosens?: true;
  /** Its inner command runs in directories that are found only then (`find -execdir`). */
  readonly moved?: true;
  /** May be dropped in front of the verb when an allow rule is matched. */
  readonly transparent?: true;
  /** An allow rule whose pattern does not name this option becomes an ask; the word says what the option does. */
  readonly escape?: Escape;
  /** Wildcards: with such a value (or without a value, for "") the option is no escape. */
  readonly unless?: readonly string[];
}

/** An operand: a role, `role*` for any number of them, or facts. */
export type OperandSpec = Role | `${Role}*` | OperandFacts;

export interface OperandFacts {
  readonly role: Role;
  /** Any number of them; operands listed after it take the last words. */
  readonly many?: true;
  /** There only if one of these options is given. */
  readonly when?: readonly string[];
  /** Not there if one of these options is given. */
  readonly unless?: readonly string[];
  /** Wildcards over its text: what stands for the last `*` is then a command for a shell, as with an option. */
  readonly commands?: readonly string[];
  /** The operand before it is KEY and this one VALUE: both are read as the KEY=VALUE of that option (`git config k v`). */
  readonly keyed?: string;
  /** Another role if the option is given: `{ "-i": "edit" }`. */
  readonly as?: Readonly<Record<string, Role>>;
  /** The path that is used when no word is given for it: `.` for `ls`. */
  readonly default?: string;
  /** Marks with which it names a file that is read, as with an option. */
  readonly reads?: readonly string[];
  /** With `default`: a pipe or a file as standard input is read instead. */
  readonly orInput?: true;
  /** Files that are made beside it: what is made of a name that is like a wildcard; the first that fits counts. */
  readonly makes?: Readonly<Record<string, string | readonly string[]>>;
  /** Wildcards: a text like one is on another machine (`*:*`). What stands for the first `*` has no slash. */
  readonly remote?: readonly string[];
}

/** How a program reads its options. */
export const OPTION_SYNTAXES = [
  "gnu", // clusters, --long=value, abbreviations, options anywhere, `--` ends them
  "posix", // the same, but the first operand ends the options
  "plain", // clusters, --long=value, options anywhere, no abbreviations (most newer programs)
  "go", // -name value, -name=value, --name: no clusters
  "find", // words that begin with `-` are an expression; single-dash names, no clusters, no `=`
  "dd", // name=value words
  "tar", // gnu, and a first word without a dash is a cluster
  "none", // every word is an operand
] as const;
export type OptionSyntax = (typeof OPTION_SYNTAXES)[number];

/** Which language a shell reads: `posix` stands for all that may read something otherwise than bash (dash, BusyBox, ksh). */
export const DIALECTS = ["bash", "posix", "zsh", "ksh"] as const;
export type Dialect = (typeof DIALECTS)[number];

/** A program, or one of its verbs (sub-commands). A verb inherits `syntax` and the options above it. */
export interface CommandSpec {
  /** How many leading words name the action, options left out. Default: the program and the verbs found. */
  readonly words?: number;
  readonly syntax?: OptionSyntax;
  /** Keys are all spellings of one option, comma separated, the canonical one last: `"-o, --output"`. */
  readonly options?: Readonly<Record<string, OptionSpec>>;
  readonly operands?: readonly OperandSpec[];
  /** Files that it uses whatever its words are (`npm pkg set`: package.json), or only with some options. */
  readonly uses?: Readonly<Record<string, Role | UsedFile>>;
  /** The verb beside it that does the same: rules about that one count for this one too (`git send-pack`: `push`). */
  readonly like?: string;
  /** A verb may be written by any beginning that no other verb has (`npm publ`). */
  readonly shortened?: true;
  /** A string is another name of a verb beside it. */
  readonly verbs?: Readonly<Record<string, CommandSpec | string>>;
  /** All options are listed: one that is not makes an allow an ask. So it is of itself where an inner command begins. */
  readonly closed?: true;
  /** A wrapper that an allow rule sees through; `"bare"`: only without options. */
  readonly transparent?: true | "bare";
  /** The words of its inner command are followed by words nobody knows (`xargs`). */
  readonly appends?: true;
  /** Words that end the inner command, and what the words behind them are: its arguments, or commands without one (`parallel :::`). */
  readonly lists?: Readonly<Record<string, "text" | "read">>;
  /** Joins the words of its inner command for a shell, or leaves them apart, as its version has it: both are judged. */
  readonly apart?: true;
  /** What it writes at its destination is another name of what it is given: always, or with one of these options. */
  readonly links?: true | readonly string[];
  /** A word that is, or ends in, one of these begins another command of the program itself (`tmux ls \; kill-server`). */
  readonly separators?: readonly string[];
  /** Standard input is a shell script when no operand says otherwise. `when`: only with one of these options. */
  readonly stdin?: "script" | StdinFacts;
  /** For builtins: what it does to the shell that runs the text. */
  readonly shell?: {
    /** Its inner commands run in this shell: what they set stays (`eval`, `source`, `command`, `builtin`). */
    readonly keeps?: true;
    /** Its inner commands run in this shell at some later time (`trap`): what they set may hold from then on. */
    readonly later?: true;
    /** With no other operands than these they run when nothing else does any more (`trap … EXIT`). */
    readonly last?: readonly string[];
    /** Works in a function alone: elsewhere it only fails (`local`). */
    readonly local?: true;
    /** Nothing after it runs (`exit`). */
    readonly leaves?: true;
    /** What it defines cannot be changed afterwards (`readonly`). */
    readonly pins?: true;
    /** Sets options that decide which files a glob stands for (`shopt`). */
    readonly globs?: true;
    /** Sets the positional parameters (`set --`, `shift`). */
    readonly positional?: true | "shift";
  };
  /** Moves the shell's own directory: `cd` to its operand, `push`, `pop`. */
  readonly moves?: "to" | "push" | "pop";
  /** Scripts of package.json that it runs where there are such, with those in front of and behind each (`npm test`). */
  readonly scripts?: readonly string[];
  /** For shells, how the scripts inside its words are read; left out: `posix`, as `/bin/sh` is started for most of them. */
  readonly dialect?: Dialect;
  /** What it runs is not decided by its words: no prefix of it is ever proposed for *always*. */
  readonly runner?: true;
  /** What it does to files, machines or history, for presets: the strongest that can happen. */
  readonly does?: readonly Doing[];
  /** What it does with some options, or with few operands, when that is not `does`; the first that fits counts. */
  readonly cases?: readonly DoesCase[];
  /** Which text among its `code` words does no harm, for `cases`. */
  readonly code?: CodeFacts;
  /** What it can do beyond that, as with an option: the whole verb is an escape of a wider pattern (`git difftool`). */
  readonly escape?: Escape;
}

/** When a program or verb does something else than usually. An option that is not known never lets a case fit. */
export interface DoesCase {
  /** One of these options is given; `--dry-run=client`: with that value. */
  readonly when?: readonly string[];
  /** None of these options is given. */
  readonly unless?: readonly string[];
  /** No other options than these are given. */
  readonly only?: readonly string[];
  /** No more operands than this. */
  readonly operands?: number;
  /** Wildcards: one of its words is like this. */
  readonly like?: readonly string[];
  /** Wildcards: none of its words is like this. */
  readonly unlike?: readonly string[];
  /** No word names or holds program text, so that it comes from standard input. */
  readonly input?: true;
  /** It is given program text, and all of it is such as `code` of the program describes. */
  readonly code?: true;
  readonly does: readonly Doing[];
}

/** Program text that does no harm. */
export const CODE_LANGUAGES = [
  "prints", // nothing but literals that are printed, as most scripting languages write them
  "python", // what computes, reads files whose names are written out, and prints
  "sql", // queries that only read
  "ex", // none: what commands for ed, ex and vim run, read and write is found
  "make", // none: what definitions and rules run and write while they are read is found
] as const;

export interface CodeFacts {
  readonly language: (typeof CODE_LANGUAGES)[number];
  /** `prints`: what prints its arguments (`print`, `console.log`). `python`: functions that do no harm. */
  readonly calls?: readonly string[];
  /** `prints`: names of what may be printed (`sys.version`). `python`: what may be used of modules (`json.load`). */
  readonly names?: readonly string[];
  /** `prints`: what gives the data of a file that is named in its brackets (`require('./package.json')`). */
  readonly loads?: readonly string[];
  /** `python`: attributes that do no harm, whatever has them. */
  readonly methods?: readonly string[];
  /** `python`: names that are no variables, whatever the text sets. */
  readonly reserved?: readonly string[];
  /** Wildcards over a statement (`import sys`), or, with `sql`, over a command of the client (`.tables*`). */
  readonly lines?: readonly string[];
}

/** Options in canonical spelling. */
export interface UsedFile {
  readonly role: Role;
  readonly when?: readonly string[];
  readonly unless?: readonly string[];
}

export interface StdinFacts {
  readonly role: "script";
  readonly when?: readonly string[];
  readonly unless?: readonly string[];
}

/** What a program or verb does, in the words presets are written with. */
export const DOINGS = [
  "looks", // only reads, prints, computes
  "reveals", // prints keys, passwords, or the whole environment
  "writes", // creates or changes files
  "deletes", // removes files or data
  "runs", // runs code of the project or of its arguments
  "obeys", // runs what comes from standard input or another machine, which nobody has seen
  "installs", // brings code onto the machine
  "sends", // sends data to another machine, or changes something there
  "fetches", // reads from another machine
  "rewrites", // changes history or state that others share
  "administers", // changes the system: users, services, disks, packages
] as const;
export type Doing = (typeof DOINGS)[number];

/** A dictionary file. */
export interface Entry extends CommandSpec {
  /** The program's name, then its other names. */
  readonly names: readonly [string, ...string[]];
  /** Environment variables that make it run programs or load code. */
  readonly variables?: readonly string[];
  /** Its verbs are programs of their own as well, `NAME-VERB`. */
  readonly joined?: true;
  readonly examples?: readonly Example[];
  /** The generated entry of the same program, heard where this one says nothing. Set when it is loaded, never in a file. */
  readonly beneath?: CommandSpec;
}

/** A command line of the entry's own program and how it is to be split. Fields left out are not compared. */
export interface Example {
  readonly line: string;
  /** The prefix, joined by blanks. */
  readonly prefix?: string;
  /** The inner commands, each joined by blanks, in order. */
  readonly inner?: readonly string[];
  /** Files: `read a`, `write b`, `edit c`, `list d`, `net e`, in order. */
  readonly files?: readonly string[];
  /** Options that are escapes here, in canonical spelling. */
  readonly escapes?: readonly string[];
}
