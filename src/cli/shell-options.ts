import type { ShellWord } from "./shell-call.ts";

/*
 * Every option of bash's own command line, by what becomes of it. A text is judged as bash reads it with its default
 * settings, so what changes the reading, or reads a file of commands, is refused: the text itself can say `shopt -s …`,
 * which is judged. Nothing is ignored in silence.
 */

/** Letters that only change how the commands run; both signs are passed on. */
const PASSED_LETTERS = "abefhmnptuvxCET";
/** Letters that restrict; there is no way back, so only `-` exists. */
const RESTRICTED = "r";

/** Names of `-o` that only change how the commands run. */
const PASSED_NAMES: ReadonlySet<string> = new Set([
  "allexport",
  "emacs",
  "errexit",
  "errtrace",
  "functrace",
  "hashall",
  "ignoreeof",
  "interactive-comments",
  "monitor",
  "noclobber",
  "noexec",
  "noglob",
  "nolog",
  "notify",
  "nounset",
  "onecmd",
  "pipefail",
  "privileged",
  "verbose",
  "vi",
  "xtrace",
]);

/** Names of `-O` whose either setting leaves the reading of the text as it is. */
const PASSED_SHOPTS: ReadonlySet<string> = new Set([
  "checkhash",
  "checkjobs",
  "checkwinsize",
  "dotglob",
  "execfail",
  "failglob",
  "globasciiranges",
  "globskipdots",
  "globstar",
  "gnu_errfmt",
  "huponexit",
  "inherit_errexit",
  "interactive_comments",
  "localvar_inherit",
  "localvar_unset",
  "nocaseglob",
  "nocasematch",
  "nullglob",
  "patsub_replacement",
  "promptvars",
  "shift_verbose",
]);

/** Names of `-O` that are off in `bash -c` anyway: `+O` says what is so. */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set([
  "autocd",
  "cdable_vars",
  "expand_aliases",
  "extdebug",
  "extglob",
  "lastpipe",
  "xpg_echo",
]);

/** Why an option of a cluster is refused; undefined when it is passed on. */
export function letterFault(letter: string, sign: "-" | "+"): string | undefined {
  if (PASSED_LETTERS.includes(letter)) return undefined;
  if (letter === RESTRICTED && sign === "-") return undefined;
  // `+B`: a brace expansion was judged as the words it makes.
  if (letter === "B" && sign === "-") return undefined;
  if ("kHP".includes(letter) && sign === "+") return undefined;
  if ("kBHP".includes(letter)) return changesReading(`${sign}${letter}`, `set ${sign}${letter}`);
  if (letter === "i") return "`-i` reads ~/.bashrc, which is not judged: leave it out";
  if (letter === "D") return "`-D` prints strings for translators, which guarded-sh does not do: call bash itself";
  return `\`${sign}${letter}\` is not an option of bash that guarded-sh knows`;
}

/** Why a name of `-o` or `-O` is refused; undefined when it is passed on. */
export function nameFault(letter: "o" | "O", sign: "-" | "+", name: string): string | undefined {
  const written = `${sign}${letter} ${name}`;
  if (letter === "o") {
    if (PASSED_NAMES.has(name) || (name === "braceexpand" && sign === "-")) return undefined;
    if (["history", "histexpand", "keyword", "physical", "posix"].includes(name) && sign === "+") return undefined;
    return changesReading(written, `set ${written}`);
  }
  if (PASSED_SHOPTS.has(name) || (sign === "+" && OFF_BY_DEFAULT.has(name))) return undefined;
  return changesReading(written, `shopt ${sign === "-" ? "-s" : "-u"} ${name}`);
}

/** What becomes of a long option. */
export function longOption(name: string): { readonly word: ShellWord } | { readonly fault: string } {
  switch (name) {
    case "version":
    case "help":
    case "login":
      return { word: name };
    // Always so.
    case "noprofile":
    case "norc":
    case "noediting":
      return { word: "nothing" };
    case "verbose":
      return { word: "verbose" };
    case "restricted":
      return { word: "restricted" };
    case "rcfile":
    case "init-file":
      return { fault: `\`--${name}\` reads a file of commands that is not judged: put \`. FILE\` into the text` };
    case "posix":
      return { fault: "`--posix` changes how bash reads the text: guarded-sh judges bash's own language only" };
    default:
      return { fault: `\`--${name}\` is not an option of bash that guarded-sh knows` };
  }
}

function changesReading(option: string, instead: string): string {
  return `\`${option}\` may change how bash reads the text: write \`${instead}\` as a line of the text, which is judged`;
}
