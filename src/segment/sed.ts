import type { LanguageEscape } from "./languages.ts";

// Commands of GNU sed that only edit what is printed.
const PLAIN = "=dDgGhHlnNpPqQxzF";

/**
 * What a sed script does beyond editing what it prints: `e` and the `e` flag of `s` run commands, `w`, `W` and the `w`
 * flag write files. A command that is not understood counts as doing it.
 */
export function sedEscapes(script: string): readonly LanguageEscape[] {
  const found = new Map<string, LanguageEscape>();
  let i = 0;
  while (i < script.length) {
    i = skipAddress(script, i);
    if (i < 0) return [UNKNOWN];
    if (i >= script.length) break;
    const step = readCommand(script, i);
    if (step === undefined) return [...found.values(), UNKNOWN];
    if (step.escape !== undefined) found.set(step.escape.name, step.escape);
    i = step.next;
  }
  return [...found.values()];
}

const UNKNOWN: LanguageEscape = { escape: "unknown", name: "sed", message: "a sed command that is not understood" };
const RUNS: LanguageEscape = { escape: "runs", name: "e", message: "the sed command `e` runs a command" };
const WRITES: LanguageEscape = { escape: "writes", name: "w", message: "the sed command `w` writes a file" };

interface Step {
  readonly next: number;
  readonly escape?: LanguageEscape;
}

/** Offset after blanks, separators and addresses; -1 when an address does not end. */
function skipAddress(script: string, start: number): number {
  let i = start;
  while (i < script.length) {
    const c = script[i] ?? "";
    if (/[\s;{},!~+\d$I0-9]/.test(c)) i++;
    else if (c === "M" && script[i - 1] === "/") i++;
    else if (c === "/") i = delimited(script, i + 1, "/");
    else if (c === "\\" && i + 1 < script.length) i = delimited(script, i + 2, script[i + 1] ?? "");
    else if (c === "#") i = lineEnd(script, i);
    else return i;
    if (i < 0) return -1;
  }
  return i;
}

/** Offset after the closing delimiter; -1 without one. A bracket expression does not hide it in sed. */
function delimited(script: string, start: number, delimiter: string): number {
  let bracket = false;
  for (let i = start; i < script.length; i++) {
    const c = script[i];
    if (c === "\\" && !bracket) i++;
    else if (c === "[" && !bracket) bracket = closes(script, i, delimiter);
    else if (c === "]") bracket = false;
    else if (c === delimiter && !bracket) return i + 1;
  }
  return -1;
}

/** Whether a bracket expression that begins here ends before the line does. */
function closes(script: string, i: number, _delimiter: string): boolean {
  const end = script.indexOf("]", i + 2);
  const line = script.indexOf("\n", i);
  return end > 0 && (line < 0 || end < line);
}

function lineEnd(script: string, i: number): number {
  const end = script.indexOf("\n", i);
  return end < 0 ? script.length : end;
}

function readCommand(script: string, i: number): Step | undefined {
  const c = script[i] ?? "";
  if (PLAIN.includes(c)) return { next: skipNumber(script, i + 1) };
  switch (c) {
    case "s":
      return substitute(script, i);
    case "y": {
      const middle = delimited(script, i + 2, script[i + 1] ?? "");
      const end = middle < 0 ? -1 : delimited(script, middle, script[i + 1] ?? "");
      return end < 0 ? undefined : { next: end };
    }
    case "a":
    case "i":
    case "c":
      return { next: textEnd(script, i) };
    case "b":
    case "t":
    case "T":
    case ":":
      return { next: labelEnd(script, i) };
    case "r":
    case "R":
      return { next: lineEnd(script, i) };
    case "e":
      return { next: lineEnd(script, i), escape: RUNS };
    case "w":
    case "W":
      return { next: lineEnd(script, i), escape: WRITES };
    default:
      return undefined;
  }
}

function skipNumber(script: string, i: number): number {
  const digits = /^[ \t]*\d*/.exec(script.slice(i, i + 16))?.[0].length ?? 0;
  return i + digits;
}

/** The text of `a`, `i`, `c` goes on over lines that end in a backslash. */
function textEnd(script: string, i: number): number {
  let end = lineEnd(script, i);
  while (script[end - 1] === "\\" && end < script.length) end = lineEnd(script, end + 1);
  return end;
}

function labelEnd(script: string, i: number): number {
  const end = script.slice(i).search(/[;\n}]/);
  return end < 0 ? script.length : i + end;
}

function substitute(script: string, i: number): Step | undefined {
  const delimiter = script[i + 1] ?? "";
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return undefined;
  const middle = delimited(script, i + 2, delimiter);
  const end = middle < 0 ? -1 : replacementEnd(script, middle, delimiter);
  if (end < 0) return undefined;
  const flags = /^[gpiImMe\d]*/.exec(script.slice(end))?.[0] ?? "";
  const next = end + flags.length;
  if (script[next] === "w") return { next: lineEnd(script, next), escape: WRITES };
  return flags.includes("e") ? { next, escape: RUNS } : { next };
}

/** In the replacement a bracket means nothing. */
function replacementEnd(script: string, start: number, delimiter: string): number {
  for (let i = start; i < script.length; i++) {
    if (script[i] === "\\") i++;
    else if (script[i] === delimiter) return i + 1;
  }
  return -1;
}
