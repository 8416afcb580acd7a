import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { openGuard } from "../guard.ts";
import { type LoadedFile, loadPolicyFile } from "../policy/index.ts";
import { LINT_CODES, type LintFinding, lintDocument, mended, type Severity } from "../policy/lint/index.ts";
import { positionOf, renderSnippet, type Source, WIDTH, wrapBehind } from "../text/index.ts";
import {
  CWD_OPTION,
  JSON_OPTION,
  type Parsed,
  POLICY_OPTION,
  type Terminal,
  UsageError,
  type Verb,
} from "./command.ts";
import { EXIT } from "./exit.ts";
import { openFor } from "./open.ts";
import { presetsFolder } from "./package.ts";
import { shownPath } from "./place.ts";

export const policyLintVerb: Verb = {
  name: "policy lint",
  summary: "rules that never decide, take more than they read, or match nothing",
  usage: ["policy lint [FILE…] [--fix] [--json]"],
  options: [
    { name: "fix", help: "write the mends that are certain into the files" },
    { name: "all", help: "hints too, which are no faults" },
    { name: "approver", value: "none", help: "nobody can answer: a rule that asks is a fault" },
    JSON_OPTION,
    POLICY_OPTION,
    CWD_OPTION,
  ],
  examples: [
    ["guarded-sh policy lint", "every policy file in force; exit status 1 when something is wrong"],
    ["guarded-sh policy lint guarded-sh.toml --fix", "comments and everything else stay as they are"],
  ],
  run: runLint,
};

interface LintedFile {
  readonly file: LoadedFile;
  readonly findings: readonly LintFinding[];
}

async function runLint(parsed: Parsed, terminal: Terminal): Promise<number> {
  const unattended = isUnattended(parsed);
  let files = lintFiles(parsed, terminal, unattended);
  if (parsed.is("fix") && files.filter((linted) => writeMends(linted, terminal)).length > 0)
    files = lintFiles(parsed, terminal, unattended);
  terminal.stdout.write(parsed.is("json") ? `${JSON.stringify(jsonOf(files))}\n` : textOf(files, terminal));
  const failed = files.some(({ findings }) => findings.some(({ code }) => severityOf(code) !== "info"));
  return failed ? EXIT.found : EXIT.ok;
}

function isUnattended(parsed: Parsed): boolean {
  const approver = parsed.text("approver");
  if (approver !== undefined && !["none", "tty", "queue"].includes(approver))
    throw new UsageError(`\`${approver}\` is no approver, use none, tty or queue`, policyLintVerb);
  return approver === "none";
}

/** The files that are named, or all that are in force. */
function lintFiles(parsed: Parsed, terminal: Terminal, unattended: boolean): readonly LintedFile[] {
  const named = parsed.operands.length > 0;
  // A file is looked at by itself: what else is in force may even be broken.
  const guard = named
    ? openGuard({ cwd: terminal.cwd, env: terminal.env, policy: { documents: [] } })
    : openFor(policyLintVerb, parsed, terminal);
  const { cwd, home, env } = guard.surroundings;
  const setting = { cwd, home, env, presets: presetsFolder() };
  const files = named
    ? parsed.operands.map((name) => loadPolicyFile(resolve(terminal.cwd, name), setting))
    : guard.loaded.files;
  return files.map((file) => {
    const findings = lintDocument(file.document, { ...setting, entries: file.entries, unattended });
    return { file, findings: parsed.is("all") ? findings : findings.filter(({ code }) => severityOf(code) !== "info") };
  });
}

/** A managed file is for whoever manages the machine. */
function writeMends({ file, findings }: LintedFile, terminal: Terminal): boolean {
  const { source } = file.document.origin;
  const text = mended(source, findings);
  if (text === source.text) return false;
  if (file.layer === "managed") {
    terminal.stderr.write(`guarded-sh: ${file.path} is the machine's own policy, it was not changed\n`);
    return false;
  }
  writeFileSync(file.path, text);
  const count = findings.filter(({ fix }) => fix !== undefined).length;
  terminal.stderr.write(`guarded-sh: ${file.path}: ${count === 1 ? "1 mend" : `${count} mends`} written\n`);
  if (file.layer === "project" && file.trusted)
    terminal.stderr.write("guarded-sh: the file has changed: run `guarded-sh trust` when it is as you want it\n");
  return true;
}

function severityOf(code: LintFinding["code"]): Severity {
  return LINT_CODES[code].severity;
}

function textOf(files: readonly LintedFile[], { cwd, env }: Terminal): string {
  const home = env.HOME ?? "/";
  const found = files.flatMap(({ file, findings }) =>
    findings.map((finding) =>
      renderFinding(finding, file.document.origin.source, shownPath(file.document.origin.source.name, cwd, home)),
    ),
  );
  if (found.length > 0) return `${found.join("\n\n")}\n`;
  return files.length === 0 ? "there is no policy: everything runs\n" : "nothing found\n";
}

/** A message that does not fit beside its place stands below it. */
function renderFinding({ code, message, help, span, fix }: LintFinding, source: Source, name: string): string {
  const { line, column } = positionOf(source, span.start);
  const place = `${name}:${line}:${column}: ${severityOf(code)}: ${code}:`;
  const beside = `${place} ${message}`;
  const head = beside.length <= WIDTH ? [beside] : [place, wrapBehind("  ", message)];
  const advice = help === undefined ? [] : [wrapBehind("help: ", `${help}${fix === undefined ? "" : " (--fix does)"}`)];
  return [...head, ...renderSnippet(source, span), ...advice].join("\n");
}

/** Offsets are UTF-16 units of the file; lines and columns start at 1. */
function jsonOf(files: readonly LintedFile[]) {
  return files.flatMap(({ file, findings }) =>
    findings.map(({ code, message, help, span, fix }) => ({
      file: file.path,
      ...positionOf(file.document.origin.source, span.start),
      span: [span.start, span.end],
      code,
      severity: severityOf(code),
      message,
      help: help ?? null,
      fix: fix === undefined ? null : { span: [fix.span.start, fix.span.end], text: fix.text },
    })),
  );
}
