import { HOLE, type ProgramText } from "./languages.ts";

type NamedFile = ProgramText["files"][number];

/**
 * What make runs and writes while it reads a definition or a rule: `X!=cmd`, `$(shell cmd)` in either brackets and inside other
 * functions, `$(call shell,cmd)`, `$(file >f)`, recipes and `include`. A command that make itself computes is a hole.
 */
export function makeProgram(text: string): ProgramText {
  const commands: string[] = [];
  const files: NamedFile[] = [];
  for (const { name, rest } of callsOf(text)) readCall(name, rest, commands, files);
  // The make of the BSDs has a sign of its own: `${:!cmd!}`.
  for (const [, command = ""] of text.matchAll(/\$[({][^!${}()]*:!([^!]*)!/g)) commands.push(expanded(command));
  for (const line of text.split("\n")) {
    const assigned = /^[^\s:#=!]+\s*!=([\s\S]*)$/.exec(line)?.[1] ?? recipeOf(line);
    if (assigned !== undefined) commands.push(expanded(assigned));
    const included = /^\s*[-s]?include\s+(.+)$/.exec(line)?.[1];
    for (const path of included?.trim().split(/\s+/) ?? []) files.push({ access: "read", path: expanded(path) });
  }
  return { escapes: [], files, commands: commands.filter((command) => command.trim() !== "") };
}

/** `x:;cmd`, and a line that begins with a tab, as a shell gets it: without the signs in front. */
function recipeOf(line: string): string | undefined {
  const recipe = /^\t([\s\S]*)$/.exec(line)?.[1] ?? /^[^=;]*:[^=;]*;([\s\S]*)$/.exec(line)?.[1];
  return recipe?.replace(/^[\s@+-]+/, "").replaceAll("$$", "$");
}

function readCall(name: string, rest: string, commands: string[], files: NamedFile[]): void {
  if (name === "shell") commands.push(expanded(rest));
  const called = /^\s*([^,]*),?([\s\S]*)$/.exec(rest);
  if (name === "call" && called?.[1]?.trim() === "shell") commands.push(expanded(called[2] ?? ""));
  // A function by a computed name, or text that is read once more: it may be any of these.
  if (name === "call" && called?.[1]?.includes("$")) commands.push(HOLE);
  if (name === "eval") {
    const again = makeProgram(rest.replaceAll("$$", "$"));
    commands.push(...again.commands);
    files.push(...again.files);
  }
  if (name !== "file") return;
  const [, sign, path = ""] = /^\s*(>>?|<)\s*([^,]*)/.exec(rest) ?? [];
  if (sign !== undefined) files.push({ access: sign === "<" ? "read" : "write", path: expanded(path.trim()) });
}

/** Every `$(name rest)` and `${name rest}`, also inside others; a name that is computed is a hole. */
function callsOf(text: string): readonly { readonly name: string; readonly rest: string }[] {
  return [...text.matchAll(/\$([({])/g)].flatMap(({ index, 1: opener }) => {
    const start = index + 2;
    const [, name = "", rest = ""] =
      /^\s*([\w-]+)\s+([\s\S]*)$/.exec(text.slice(start, endOf(text, start, opener ?? "("))) ?? [];
    return name === "" ? [] : [{ name, rest }];
  });
}

/** Where the bracket that was opened is closed; the end of the text where it is not. */
function endOf(text: string, start: number, opener: string): number {
  const closer = opener === "(" ? ")" : "}";
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === opener) depth++;
    else if (text[at] === closer && depth-- === 0) return at;
  }
  return text.length;
}

/** With a hole for each variable and function that make puts there. */
function expanded(text: string): string {
  let made = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "$" || text[at + 1] === undefined) made += text[at];
    else if (text[at + 1] === "$") {
      made += "$";
      at++;
    } else {
      made += HOLE;
      const opener = text[at + 1] ?? "";
      at = opener === "(" || opener === "{" ? endOf(text, at + 2, opener) : at + 1;
    }
  }
  return made;
}
