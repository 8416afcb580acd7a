import type { LanguageEscape } from "./languages.ts";

/**
 * What an awk program does beyond reading and printing: `system()`, pipes to and from commands, redirections of
 * output, and gawk's ways to load code. Strings, regular expressions and comments are skipped; what cannot be told
 * apart counts as doing it.
 */
export function awkEscapes(program: string): readonly LanguageEscape[] {
  const code = withoutLiterals(program);
  const found: LanguageEscape[] = [];
  if (/\bsystem\s*\(/.test(code)) found.push({ escape: "runs", name: "system", message: "`system()` runs a command" });
  if (/(?:^|[^|])\|(?!\|)/.test(code)) found.push({ escape: "runs", name: "|", message: "a pipe runs a command" });
  if (writesFile(code)) found.push({ escape: "writes", name: ">", message: "`>` after `print` writes a file" });
  if (/@(?:load|include)\b|@[A-Za-z_]\w*\s*\(/.test(code))
    found.push({ escape: "unknown", name: "@", message: "`@` loads code or calls by name" });
  return found;
}

/** `print … > "file"`: a comparison in a print statement needs parentheses in awk. */
function writesFile(code: string): boolean {
  for (const statement of code.split(/[;{}\n]/)) {
    const printed = /\bprintf?\b(.*)/s.exec(statement)?.[1];
    if (printed !== undefined && withoutParentheses(printed).includes(">")) return true;
  }
  return false;
}

function withoutParentheses(text: string): string {
  let out = "";
  let depth = 0;
  for (const c of text) {
    if (c === "(") depth++;
    else if (c === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) out += c;
  }
  return out;
}

/** The program with strings, regular expressions and comments emptied. */
function withoutLiterals(program: string): string {
  let out = "";
  for (let i = 0; i < program.length; ) {
    const c = program[i] ?? "";
    if (c === '"') {
      i = literalEnd(program, i, '"');
      out += '""';
    } else if (c === "/" && beginsPattern(out)) {
      i = literalEnd(program, i, "/");
      out += "//";
    } else if (c === "#") i = lineEnd(program, i);
    else {
      out += c;
      i++;
    }
  }
  return out;
}

/** A slash divides after a value, and begins a regular expression anywhere else. */
function beginsPattern(before: string): boolean {
  return !/[\w)\]$]\s*$/.test(before) || /\b(?:return|print|printf|in|case|getline)\s*$/.test(before);
}

function literalEnd(text: string, i: number, close: string): number {
  for (let j = i + 1; j < text.length; j++) {
    if (text[j] === "\\") j++;
    else if (text[j] === close || (text[j] === "\n" && close === "/")) return j + 1;
  }
  return text.length;
}

function lineEnd(text: string, i: number): number {
  const end = text.indexOf("\n", i);
  return end < 0 ? text.length : end;
}
