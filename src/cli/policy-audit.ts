import { resolve } from "node:path";
import { openGuard } from "../guard.ts";
import { type Audit, type AuditFinding, auditDocument, type SkippedRule } from "../policy/audit/index.ts";
import { type LoadedFile, loadPolicyFile } from "../policy/index.ts";
import { ruleText } from "../policy/lint/shown.ts";
import { escapeText, wrapBehind, wrapFrom } from "../text/index.ts";
import { CWD_OPTION, JSON_OPTION, type Parsed, POLICY_OPTION, type Terminal, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { openFor } from "./open.ts";
import { presetsFolder } from "./package.ts";
import { placeOf, shownPath } from "./place.ts";

export const policyAuditVerb: Verb = {
  name: "policy audit",
  summary: "other texts that do what a rule denies, and get past it",
  usage: ["policy audit [FILE…] [--json]"],
  options: [JSON_OPTION, POLICY_OPTION, CWD_OPTION],
  examples: [
    ["guarded-sh policy audit", "respells the examples of every deny and ask; exit status 1 when one is judged weaker"],
    ["guarded-sh policy audit imported.toml", "rules without examples are tried with one made from what they say"],
  ],
  run: runAudit,
};

interface AuditedFile {
  readonly file: LoadedFile;
  readonly audit: Audit;
}

async function runAudit(parsed: Parsed, terminal: Terminal): Promise<number> {
  const files = auditFiles(parsed, terminal);
  terminal.stdout.write(parsed.is("json") ? `${JSON.stringify(files.flatMap(jsonOf))}\n` : textOf(files, terminal));
  return files.some(({ audit }) => audit.findings.length > 0) ? EXIT.found : EXIT.ok;
}

function auditFiles(parsed: Parsed, terminal: Terminal): readonly AuditedFile[] {
  const named = parsed.operands.length > 0;
  const guard = named
    ? openGuard({ cwd: terminal.cwd, env: terminal.env, policy: { documents: [] } })
    : openFor(policyAuditVerb, parsed, terminal);
  const { cwd, home, env } = guard.surroundings;
  const setting = { cwd, home, env, presets: presetsFolder() };
  const files = named
    ? parsed.operands.map((name) => loadPolicyFile(resolve(terminal.cwd, name), setting))
    : guard.loaded.files;
  return files.map((file) => ({ file, audit: auditDocument(file.document, { ...setting, entries: file.entries }) }));
}

function textOf(files: readonly AuditedFile[], { cwd, env }: Terminal): string {
  if (files.length === 0) return "there is no policy: everything runs\n";
  const shown = (path: string) => shownPath(path, cwd, env.HOME ?? "/");
  const lines = files.flatMap(({ file, audit: { rules, texts, findings, skipped } }) => [
    ...byExample(findings).map((group) => exampleText(group, shown)),
    ...skipped.flatMap((each) => wrapFrom(0, skippedText(each, shown))),
    `${shown(file.path)}: ${texts} texts for ${rules} ${rules === 1 ? "rule" : "rules"}, ${findings.length} judged weaker${notTried(skipped.length)}`,
  ]);
  return `${lines.join("\n")}\n`;
}

function skippedText({ rule, why }: SkippedRule, shown: (path: string) => string): string {
  return `${shown(placeOf(rule.origin))}: not tried: ${escapeText(ruleText(rule))}: ${escapeText(why)}`;
}

function notTried(count: number): string {
  return count === 0 ? "" : `, ${count} ${count === 1 ? "rule" : "rules"} not tried`;
}

function byExample(findings: readonly AuditFinding[]): readonly (readonly [AuditFinding, ...AuditFinding[]])[] {
  const groups = new Map<string, [AuditFinding, ...AuditFinding[]]>();
  for (const finding of findings) {
    const key = `${finding.rule.id} ${finding.example}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

function exampleText(group: readonly [AuditFinding, ...AuditFinding[]], shown: (path: string) => string): string {
  const [{ rule, example }] = group;
  const about = `${escapeText(ruleText(rule))}, by the example \`${escapeText(example)}\``;
  const lines = group.map(({ decision, text, way }) =>
    wrapBehind(`  ${decision.padEnd(5)} `, `${escapeText(text)}   (${way ?? "as it is written"})`),
  );
  return [...wrapFrom(0, `${shown(placeOf(rule.origin))}: ${about}`), ...lines, ""].join("\n");
}

/** An entry for each text, and one without a text for each rule that was not tried. */
function jsonOf({ audit: { findings, skipped } }: AuditedFile) {
  const none = { example: null, way: null, text: null, wanted: null, decision: null };
  return [
    ...findings.map(({ rule, example, way, text, wanted, decision }) => ({
      ...jsonRule(rule),
      ...{ example, way: way ?? null, text, wanted, decision },
      skipped: null,
    })),
    ...skipped.map(({ rule, why }) => ({ ...jsonRule(rule), ...none, skipped: why })),
  ];
}

function jsonRule({ origin, tool, pattern, decision }: AuditFinding["rule"]) {
  return { source: placeOf(origin), tool, pattern, action: decision };
}
