import { existsSync, readdirSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Guard } from "../guard.ts";
import { type Case, compileWildcard, matchesWildcard, parseCases, rulesOf } from "../policy/index.ts";
import { DiagnosticError, escapeText, positionOf, renderDiagnostic } from "../text/index.ts";
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
import { paintFor } from "./paint.ts";
import { isPreset, placeOf, shownPath } from "./place.ts";
import { type Coverage, renderReport, reportOf, type TestReport } from "./test-report.ts";
import { type CaseResult, type Reached, runCase, runExamples } from "./test-run.ts";
import { readTextFile } from "./text-file.ts";

export const testVerb: Verb = {
  name: "test",
  summary: "judge the examples of a policy and case files, and say which fail",
  usage: ["test [FILE…] [--coverage] [--run PATTERN] [--watch] [--json]"],
  options: [
    JSON_OPTION,
    { name: "coverage", help: "name the rules that no case and no example reached" },
    { name: "threshold", value: "PERCENT", help: "with less coverage than this, fail" },
    { name: "run", value: "PATTERN", help: "only cases whose name or command holds this; wildcards are * and ?" },
    { name: "watch", help: "run again when a file changes" },
    POLICY_OPTION,
    CWD_OPTION,
  ],
  examples: [
    ["guarded-sh test", "the policy in force, guarded-sh.test.toml and .jsonl, .guarded-sh/test/*"],
    ["guarded-sh test cases.toml --policy strict.toml --coverage --threshold 90", "FILE: cases, or a policy"],
  ],
  run: runTest,
};

async function runTest(parsed: Parsed, terminal: Terminal): Promise<number> {
  const threshold = thresholdOf(parsed);
  if (!parsed.is("watch")) return runOnce(parsed, threshold, terminal).status;
  for (;;) {
    const { stamps } = runOnce(parsed, threshold, terminal);
    terminal.stderr.write("guarded-sh: waiting for a change\n");
    await changed(stamps);
  }
}

function thresholdOf(parsed: Parsed): number | undefined {
  const text = parsed.text("threshold");
  if (text === undefined) return undefined;
  const percent = Number(text);
  if (text !== "" && percent >= 0 && percent <= 100) return percent;
  throw new UsageError(`--threshold wants a number from 0 to 100, not \`${text}\``, testVerb);
}

interface Ran {
  readonly status: number;
  /** Of every file that was read, when it was read. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** One run. A policy or case file that cannot be read ends it; examples that fail are failures. */
function runOnce(parsed: Parsed, threshold: number | undefined, terminal: Terminal): Ran {
  const given = filesOf(parsed, terminal);
  const stamps = new Map([...given.cases, ...given.policies].map((file) => [file, stampOf(file)]));
  try {
    const reached: Reached = new Set();
    const cases = given.cases.flatMap((path) => casesOf(path, terminal.cwd)).filter(filterOf(parsed));
    const guard = openFor(testVerb, withPolicies(parsed, given.policies), terminal);
    for (const { path } of guard.loaded.files) stamps.set(path, stamps.get(path) ?? stampOf(path));
    const results = [...examplesOf(guard, parsed, reached), ...cases.map((wanted) => runCase(guard, wanted, reached))];
    const coverage =
      parsed.is("coverage") || threshold !== undefined ? coverageOf(guard, reached, terminal.cwd) : undefined;
    const report = reportOf(
      results.map((found) => shownResult(found, guard)),
      coverage,
    );
    return { status: finish(report, threshold, parsed, terminal), stamps };
  } catch (error) {
    const failed = failedExamples(error, parsed, terminal);
    if (failed === undefined && !parsed.is("watch")) throw error;
    if (failed === undefined) terminal.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return { status: failed ?? EXIT.usage, stamps };
  }
}

const CASE_FILES = ["guarded-sh.test.toml", "guarded-sh.test.jsonl"];

/** The operands, told apart by what is in them; without one, the case files of the directory. */
function filesOf(parsed: Parsed, terminal: Terminal): { readonly cases: string[]; readonly policies: string[] } {
  const paths = parsed.operands.map((name) => {
    const path = resolve(terminal.cwd, name);
    if (!existsSync(path)) throw new UsageError(`there is no file \`${escapeText(name)}\``, testVerb);
    return path;
  });
  const cases =
    paths.length > 0 ? paths.filter(isCaseFile) : usualFiles(resolve(terminal.cwd, parsed.text("cwd") ?? "."));
  return { cases, policies: paths.filter((path) => !isCaseFile(path)) };
}

function usualFiles(cwd: string): string[] {
  const folder = join(cwd, ".guarded-sh", "test");
  const inFolder = existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => join(folder, name))
    : [];
  const found = CASE_FILES.map((name) => join(cwd, name)).filter((path) => existsSync(path));
  return [...found, ...inFolder.filter((path) => /\.(?:toml|jsonl)$/.test(path))];
}

function isCaseFile(path: string): boolean {
  if ([".jsonl", ".ndjson"].includes(extname(path))) return true;
  return extname(path) === ".toml" && /^\s*\[\[\s*case\s*\]\]/m.test(readTextFile(path, "/", testVerb));
}

function casesOf(path: string, cwd: string): readonly Case[] {
  return parseCases({ name: shownPath(path, cwd, "/"), text: readTextFile(path, "/", testVerb) });
}

function filterOf(
  parsed: Parsed,
): (found: { readonly name?: string | undefined; readonly command: string }) => boolean {
  const pattern = parsed.text("run");
  if (pattern === undefined) return () => true;
  const wildcard = compileWildcard(`*${pattern}*`);
  return ({ name, command }) => [name ?? "", command].some((text) => matchesWildcard(wildcard, text));
}

function withPolicies(parsed: Parsed, policies: readonly string[]): Parsed {
  return {
    ...parsed,
    texts: (name) => (name === "policy" ? [...parsed.texts(name), ...policies] : parsed.texts(name)),
  };
}

function examplesOf(guard: Guard, parsed: Parsed, reached: Reached): readonly CaseResult[] {
  return runExamples(guard, reached).filter(filterOf(parsed));
}

function shownResult(found: CaseResult, { surroundings: { cwd, home } }: Guard): CaseResult {
  return { ...found, source: shownPath(found.source, cwd, home) };
}

function coverageOf({ loaded, surroundings }: Guard, reached: Reached, cwd: string): Coverage {
  const own = rulesOf(loaded.policy).filter(({ document }) => !isPreset(document));
  const unreached = own.filter(({ rule }) => !reached.has(rule.id));
  const count = own.length - unreached.length;
  return {
    rules: own.length,
    reached: count,
    percent: own.length === 0 ? 100 : Math.floor((100 * count) / own.length),
    unreached: unreached.map(({ rule: { origin, pattern, decision } }) => ({
      source: shownPath(placeOf(origin), cwd, surroundings.home),
      pattern,
      action: decision,
    })),
  };
}

function finish(report: TestReport, threshold: number | undefined, parsed: Parsed, terminal: Terminal): number {
  const { passed, failed, errors, skipped, coverage } = report;
  terminal.stdout.write(
    parsed.is("json") ? `${JSON.stringify(report)}\n` : `${renderReport(report, paintFor(terminal.colours))}\n`,
  );
  if (passed + failed + errors + skipped === 0) {
    terminal.stderr.write("guarded-sh: no cases were run: write guarded-sh.test.toml, or give rules `match`\n");
    return EXIT.found;
  }
  if (errors > 0) return EXIT.usage;
  if (threshold !== undefined && coverage !== undefined && coverage.percent < threshold) {
    terminal.stderr.write(`guarded-sh: coverage ${coverage.percent} % is below the threshold of ${threshold} %\n`);
    return EXIT.found;
  }
  return failed > 0 ? EXIT.found : EXIT.ok;
}

/** A policy that does not load because of its examples has failed its test; undefined: something else is wrong. */
function failedExamples(error: unknown, parsed: Parsed, terminal: Terminal): number | undefined {
  if (!(error instanceof DiagnosticError)) return undefined;
  const { diagnostics } = error;
  if (!diagnostics.every(({ code }) => code === "example-failed" || code === "suggestion-denied")) return undefined;
  const results = diagnostics.map(({ source, span, message }): CaseResult => {
    const place = `${source.name}:${positionOf(source, span.start).line}`;
    return {
      source: shownPath(place, terminal.cwd, "/"),
      command: source.text.slice(span.start, span.end),
      outcome: "fail",
      why: [message],
    };
  });
  if (parsed.is("json")) terminal.stdout.write(`${JSON.stringify(reportOf(results, undefined))}\n`);
  else {
    for (const diagnostic of diagnostics) terminal.stdout.write(`${renderDiagnostic(diagnostic)}\n`);
    terminal.stdout.write(`${results.length} failed; the cases were not run\n`);
  }
  return EXIT.found;
}

const POLL_MS = 250;

/** Ends when one of the files is no longer as it was; a change during the run counts, so the stamps are from before it. */
async function changed(stamps: ReadonlyMap<string, string>): Promise<void> {
  while ([...stamps].every(([file, stamp]) => stampOf(file) === stamp)) await setTimeout(POLL_MS);
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "none" : `${stat.mtimeMs} ${stat.size}`;
}
