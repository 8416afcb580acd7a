import { extname, resolve } from "node:path";
import { findNodeAtLocation, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { checkEntry, type Entry } from "../dictionary.ts";
import type { Guard } from "../guard.ts";
import { openGuard } from "../guard.ts";
import { loadPolicyFile } from "../policy/index.ts";
import { type Diagnostic, DiagnosticError, renderDiagnostic, type Source } from "../text/index.ts";
import { failedExamples } from "./arity-examples.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { presetsFolder } from "./package.ts";
import { readTextFile } from "./text-file.ts";

export const arityLintVerb: Verb = {
  name: "arity lint",
  summary: "check an entry, or the entries of a policy file, and run their examples",
  usage: ["arity lint FILE…"],
  options: [],
  examples: [
    ["guarded-sh arity lint mytool.json", "an entry as in the folder arity/"],
    ["guarded-sh arity lint guarded-sh.toml", "the tables [arity] and [[command]] of a policy"],
  ],
  run: runLint,
};

async function runLint(parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.operands.length === 0) throw new UsageError("no file is named", arityLintVerb);
  const guard = openGuard({ cwd: terminal.cwd, env: terminal.env, policy: { documents: [] } });
  let found = 0;
  let unread = 0;
  for (const name of parsed.operands) {
    const { count, diagnostics } = lintFile(resolve(terminal.cwd, name), name, guard);
    found += diagnostics.filter(({ severity }) => severity === "error").length;
    unread += diagnostics.filter(({ code }) => code === "unreadable-file").length;
    for (const diagnostic of diagnostics) terminal.stdout.write(`${renderDiagnostic(diagnostic)}\n`);
    if (diagnostics.length === 0)
      terminal.stdout.write(`${name}: ${entries(count)}, all examples are read as they say\n`);
  }
  if (unread > 0) return EXIT.usage;
  return found > 0 ? EXIT.found : EXIT.ok;
}

function entries(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}

interface Linted {
  readonly count: number;
  readonly diagnostics: readonly Diagnostic[];
}

function lintFile(path: string, name: string, guard: Guard): Linted {
  return extname(path) === ".json"
    ? lintJson({ name, text: readTextFile(name, guard.surroundings.cwd, arityLintVerb) }, guard)
    : lintPolicy(path, name, guard);
}

function lintJson(source: Source, guard: Guard): Linted {
  const errors: ParseError[] = [];
  const tree = parseTree(source.text, errors);
  if (errors[0] !== undefined || tree === undefined) {
    const { offset = 0, length = 1, error } = errors[0] ?? {};
    const message = error === undefined ? "the file is empty" : printParseErrorCode(error);
    return { count: 0, diagnostics: [diagnosticOf(source, "json-syntax", message, offset, length)] };
  }
  const at = (path: readonly (string | number)[]) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = findNodeAtLocation(tree, path.slice(0, depth));
      if (node !== undefined) return node;
    }
    return tree;
  };
  const entry = checkEntry(JSON.parse(source.text));
  if ("names" in entry) return { count: 1, diagnostics: exampleFaults(entry, source, guard, at) };
  const diagnostics = entry.map(({ path, message, help }) => {
    const { offset, length } = at(path);
    const where = path.length === 0 ? "" : `\`${path.join(".")}\` `;
    return diagnosticOf(source, "bad-entry", `${where}${message}`, offset, length, help);
  });
  return { count: 1, diagnostics };
}

function exampleFaults(
  entry: Entry,
  source: Source,
  guard: Guard,
  at: (path: readonly (string | number)[]) => { readonly offset: number; readonly length: number },
): Diagnostic[] {
  if ((entry.examples ?? []).length === 0) {
    const message = `\`${entry.names[0]}\` has no example: nothing shows that it is right`;
    return [diagnosticOf(source, "bad-entry", message, 0, 1, 'add "examples": [{ "line": "…", "prefix": "…" }]')];
  }
  return failedExamples(entry, guard).map(({ index, field, expected, got }) => {
    const { offset, length } = at(["examples", index, field]);
    return diagnosticOf(
      source,
      "example-failed",
      `\`${field}\` is ${got}, the example says ${expected}`,
      offset,
      length,
    );
  });
}

function lintPolicy(path: string, name: string, guard: Guard): Linted {
  const { cwd, home, env } = guard.surroundings;
  try {
    const file = loadPolicyFile(path, { cwd, home, env, presets: presetsFolder() });
    const own = [...new Set(file.entries.values())];
    const source = { name, text: file.text };
    const diagnostics = own.flatMap((entry) =>
      failedExamples(entry, guard).map(({ line, field, expected, got }) => {
        const offset = Math.max(0, file.text.indexOf(line));
        const message = `\`${field}\` of \`${line}\` is ${got}, the example says ${expected}`;
        return diagnosticOf(source, "example-failed", message, offset, line.length);
      }),
    );
    return { count: own.length, diagnostics };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { count: 0, diagnostics: error.diagnostics };
  }
}

function diagnosticOf(
  source: Source,
  code: Diagnostic["code"],
  message: string,
  offset: number,
  length: number,
  help?: string,
): Diagnostic {
  const span = { start: offset, end: offset + Math.max(1, length) };
  return { code, severity: "error", message, source, span, ...(help === undefined ? {} : { help }) };
}
