import { type LogEntry, readLog } from "../ask/log.ts";
import { stateFolderFor } from "../guard.ts";
import { escapeText, shorten, WIDTH, wrapBehind } from "../text/index.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";

/** Prints the log, or the rules that it suggests. */
export async function runLog(verb: Verb, parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.operands.length > 0) throw new UsageError("`log` takes no operands", verb);
  const session = parsed.text("session");
  const all = readLog(stateFolderFor(terminal.env)).filter(
    (entry) => session === undefined || entry.session === session,
  );
  if (parsed.is("rules")) {
    for (const rule of approvedRules(all)) terminal.stdout.write(rule);
    return EXIT.ok;
  }
  const entries = all.slice(-limitOf(verb, parsed, all.length));
  for (const entry of entries) terminal.stdout.write(`${parsed.is("json") ? JSON.stringify(entry) : linesOf(entry)}\n`);
  return EXIT.ok;
}

function limitOf(verb: Verb, parsed: Parsed, all: number): number {
  const text = parsed.text("limit");
  if (text === undefined) return parsed.is("json") ? Math.max(1, all) : 20;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit <= 0)
    throw new UsageError(`--limit wants a whole number above 0, not \`${escapeText(text)}\``, verb);
  return limit;
}

/** What was decided on one line, the text cut to it; what a person said about it whole below. */
function linesOf({ at, outcome, tool, text, feedback }: LogEntry): string {
  const head = `${at.slice(0, 19).replace("T", " ")}  ${outcome.padEnd(15)} `;
  const what = shorten(escapeText(tool === "bash" ? text : `${tool} ${text}`), WIDTH - head.length);
  const note = feedback === undefined ? "" : `\n${wrapBehind(" ".repeat(21), escapeText(feedback))}`;
  return `${head}${what}${note}`;
}

const LEAST_APPROVALS = 2;

/** The narrowest rules for what a person has approved again and again and never rejected. */
function approvedRules(entries: readonly LogEntry[]): readonly string[] {
  const approvals = new Map<string, number>();
  const rejected = new Set<string>();
  for (const { outcome, parts } of entries) {
    for (const { tool, pattern } of parts) {
      const key = JSON.stringify([tool, pattern]);
      if (outcome === "rejected" || outcome === "corrected" || outcome === "denied") rejected.add(key);
      else if (pattern !== null && (outcome === "once" || outcome === "always"))
        approvals.set(key, (approvals.get(key) ?? 0) + 1);
    }
  }
  return [...approvals]
    .filter(([key, count]) => count >= LEAST_APPROVALS && !rejected.has(key))
    .map(([key, count]) => ruleText(JSON.parse(key) as [string, string], count));
}

function ruleText([tool, pattern]: readonly [string, string], count: number): string {
  const fields = [`tool = ${JSON.stringify(tool)}`, `pattern = ${JSON.stringify(pattern)}`, 'action = "allow"'];
  return `# approved ${count} times\n[[permissions.rule]]\n${fields.join("\n")}\n\n`;
}
