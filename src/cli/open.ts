import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Guard, openGuard } from "../guard.ts";
import type { Parsed, Terminal } from "./command.ts";
import { UsageError, type Verb } from "./command.ts";
import { presetsFolder } from "./package.ts";

/** Opens the guard that the options of a verb name. Throws a `UsageError` or a `DiagnosticError`. */
export function openFor(verb: Verb, parsed: Parsed, terminal: Terminal): Guard {
  const cwd = resolve(terminal.cwd, parsed.text("cwd") ?? ".");
  if (parsed.text("cwd") !== undefined && !isDirectory(cwd))
    throw new UsageError(`\`${cwd}\` is not a directory`, verb);
  return openGuard({
    cwd,
    env: terminal.env,
    policyFiles: parsed.texts("policy").map((file) => resolve(terminal.cwd, file)),
    presets: presetsFolder(),
    ...skillOf(parsed, terminal),
  });
}

function skillOf(parsed: Parsed, terminal: Terminal): { readonly skill?: string } {
  const skill = parsed.text("skill");
  return skill === undefined ? {} : { skill: resolve(terminal.cwd, skill) };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The command line that a verb is given as its only operand. */
export function commandLineOf(verb: Verb, parsed: Parsed): string {
  const [text, ...more] = parsed.operands;
  if (text === undefined) throw new UsageError("no command line is given", verb);
  if (more.length > 0) throw new UsageError("more than one operand: quote the command line as one word", verb);
  if (text.trim() === "") throw new UsageError("the command line is empty", verb);
  return text;
}
