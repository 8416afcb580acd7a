import { letterFault, longOption, nameFault } from "./shell-options.ts";

/** What a long option stands for. */
export type ShellWord = "version" | "help" | "login" | "nothing" | "verbose" | "restricted";

/** A command line in bash's own conventions, read. */
export type ShellCall =
  | { readonly kind: "version" }
  | { readonly kind: "help" }
  | { readonly kind: "refused"; readonly message: string }
  | (ShellSource & {
      /** Options that bash is given too. */
      readonly options: readonly string[];
      readonly parameters: readonly string[];
    });

export type ShellSource =
  /** `-c TEXT NAME …` */
  | { readonly kind: "text"; readonly text: string; readonly name: string | undefined }
  /** `FILE …` */
  | { readonly kind: "file"; readonly path: string }
  /** Commands on standard input; a person's lines when that is a terminal. */
  | { readonly kind: "input"; readonly interactive: boolean };

interface Read {
  readonly options: string[];
  text: boolean;
  input: boolean;
  interactive: boolean;
}

/** Reads the words after the shell's name as bash does: long options, then clusters of letters, then the operands. */
export function readShellCall(argv: readonly string[]): ShellCall {
  const read: Read = { options: [], text: false, input: false, interactive: false };
  const long = readLongOptions(argv, read);
  if (typeof long !== "number") return long;
  const at = readClusters(argv, long, read);
  if (typeof at !== "number") return at;
  return sourceOf(argv.slice(at), read);
}

/** bash reads `-login` like `--login`, and looks for long options only in front of all others. */
function readLongOptions(argv: readonly string[], read: Read): number | ShellCall {
  for (let at = 0; ; at++) {
    const word = argv[at] ?? "";
    const name = /^--?([a-z][a-z-]+)$/.exec(word)?.[1];
    if (name === undefined) return at;
    const found = longOption(name);
    if ("fault" in found) {
      // With one dash and no such name it is a cluster of letters: `-lc`.
      if (!word.startsWith("--") && !["posix", "rcfile", "init-file"].includes(name)) return at;
      return refuse(found.fault);
    }
    if (found.word === "version" || found.word === "help") return { kind: found.word };
    if (found.word === "verbose" || found.word === "restricted") read.options.push(`--${found.word}`);
  }
}

function readClusters(argv: readonly string[], from: number, read: Read): number | ShellCall {
  let at = from;
  while (at < argv.length) {
    const word = argv[at++] ?? "";
    if (word === "-" || word === "--") return at;
    const [sign] = word;
    if (sign !== "-" && sign !== "+") return at - 1;
    if (word.startsWith("--")) return refuse(`\`${word}\` stands behind short options, where bash reads no long one`);
    for (const letter of word.slice(1)) {
      if (letter === "o" || letter === "O") {
        const name = argv[at++];
        if (name === undefined) return refuse(`\`${sign}${letter}\` needs the name of an option`);
        const fault = nameFault(letter, sign, name);
        if (fault !== undefined) return refuse(fault);
        read.options.push(`${sign}${letter}`, name);
        continue;
      }
      const fault = takeLetter(letter, sign, read);
      if (fault !== undefined) return refuse(fault);
    }
  }
  return at;
}

function takeLetter(letter: string, sign: "-" | "+", read: Read): string | undefined {
  if (letter === "c") read.text = true;
  else if (letter === "s") read.input = true;
  // A login shell reads profiles; this one does not, whatever it is called.
  else if (letter === "l") return undefined;
  else if (letter === "i" && sign === "-") read.interactive = true;
  else {
    const fault = letterFault(letter, sign);
    if (fault !== undefined) return fault;
    read.options.push(`${sign}${letter}`);
  }
  return undefined;
}

function sourceOf(operands: readonly string[], { options, text, input, interactive }: Read): ShellCall {
  const [first, ...rest] = operands;
  if (text) {
    if (first === undefined) return refuse("`-c` needs a text");
    if (interactive) return refuse(letterFault("i", "-") ?? "");
    const [name, ...parameters] = rest;
    return { kind: "text", text: first, name, options, parameters };
  }
  if (input || first === undefined) return { kind: "input", interactive, options, parameters: operands };
  if (interactive) return refuse(letterFault("i", "-") ?? "");
  return { kind: "file", path: first, options, parameters: rest };
}

function refuse(message: string): ShellCall {
  return { kind: "refused", message };
}
