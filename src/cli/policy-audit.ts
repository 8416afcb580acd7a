import { resolve } from "node:path";
import { openGuard } from "../guard.ts";
import { type Audit, type AuditFinding, auditDocument } from "../policy/audit/index.ts";
import { type LoadedFile, loadPolicyFile } from "../policy/index.ts";
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
    ["guarded-sh policy audit imported.toml", "rules without examples are tried with one made from their pattern"],
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
  const lines = files.flatMap(({ file, audit: { rules, texts, findings } }) => [
    ...byExample(findings).map((group) => exampleText(group, shown)),
    `${shown(file.path)}: ${texts} texts for ${rules} rules, ${findings.length} judged weaker`,
  ]);
  return `${lines.join("\n")}\n`;
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
  const about = `${rule.decision} \`${escapeText(rule.pattern)}\`, by the example \`${escapeText(example)}\``;
  const lines = group.map(({ decision, text, way }) =>
    wrapBehind(`  ${decision.padEnd(5)} `, `${escapeText(text)}   (${way ?? "as it is written"})`),
  );
  return [...wrapFrom(0, `${shown(placeOf(rule.origin))}: ${about}`), ...lines, ""].join("\n");
}

function jsonOf({ audit }: AuditedFile) {
  return audit.findings.map(({ rule, example, way, text, wanted, decision }) => ({
    source: placeOf(rule.origin),
    tool: rule.tool,
    pattern: rule.pattern,
    action: rule.decision,
    example,
    way: way ?? null,
    text,
    wanted,
    decision,
  }));
}
