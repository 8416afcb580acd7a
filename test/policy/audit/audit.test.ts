import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { auditDocument } from "../../../src/policy/audit/index.ts";
import { respell } from "../../../src/policy/audit/respelling.ts";
import { importRules, renderToml } from "../../../src/policy/import/index.ts";
import { type Document, parseToml } from "../../../src/policy/index.ts";
import { CWD, ENV, HOME, segmentsIn } from "../judge.ts";

const setting = { cwd: CWD, home: HOME, env: ENV };

function parse(text: string): Document {
  return parseToml({ name: "policy.toml", text }, { layer: "given", trusted: true, windows: false, ...setting })
    .document;
}

/** Rules as TOML: the fields besides tool and action. */
function policy(...rules: readonly [action: string, fields: string][]): Document {
  const tables = rules.map(
    ([action, fields]) => `[[permissions.rule]]\ntool = "bash"\naction = "${action}"\n${fields}\n`,
  );
  return parse(`[permissions]\ndefault_action = "allow"\n${tables.join("\n")}`);
}

const weaker = (document: Document) =>
  auditDocument(document, setting).findings.map(({ way, text, decision }) => `${way}: ${text} → ${decision}`);

describe("rules that are as strong as they look", () => {
  test.each(["read-only", "developer", "catastrophe"])("the preset %s", (name) => {
    const text = readFileSync(join(import.meta.dirname, `../../../presets/${name}.toml`), "utf8");
    // One example a rule: the others differ in what they name, not in how they are judged.
    const { rules, ...document } = parse(text);
    const fewer = rules.map((rule) => ({ ...rule, match: rule.match.slice(0, 1) }));
    expect(weaker({ ...document, rules: fewer })).toEqual([]);
  });

  test.each<[string, string]>([
    ["deny", 'pattern = "rm -rf *"\nmatch = ["rm -rf build", "rm -r -f a b"]'],
    ["ask", 'pattern = "git push *"\nflags = ["--force"]\nmatch = ["git push --force origin main"]'],
    ["deny", 'pattern = "git push *"'],
    ["deny", 'pattern = "kubectl delete *"\nmatch = ["kubectl delete pod x"]'],
    ["deny", 'pattern = "sed -i *"\nmatch = ["sed -i s/a/b/ x"]'],
  ])("%s %s", (action, fields) => {
    const { findings, texts } = auditDocument(policy([action, fields]), setting);
    expect([findings, texts > 50]).toEqual([[], true]);
  });

  test("rules of another agent are tried by their patterns", () => {
    const settings = JSON.stringify({ permissions: { deny: ["Bash(rm:*)", "Bash(git push *)", "Read(.env)"] } });
    const { rules, findings } = auditDocument(parse(renderToml(importRules("claude", settings), "s")), setting);
    expect([rules, findings]).toEqual([4, []]);
  });
});

describe("rules that something gets past", () => {
  test("a laxer rule in front that is about one spelling", () => {
    const found = weaker(
      policy(["allow", 'pattern = "git -C . push *"'], ["deny", 'pattern = "git push *"\nmatch = ["git push origin"]']),
    );
    expect(found).toEqual(["-C . in front of the verb: git -C . push origin → allow"]);
  });

  test("an example that the policy does not even decide so", () => {
    const found = weaker(
      policy(["allow", 'pattern = "git *"'], ["deny", 'pattern = "git push *"\nmatch = ["git push"]']),
    );
    expect(found).toEqual(["undefined: git push → allow"]);
  });
});

test("the same policy is audited the same way each time", () => {
  const document = policy(["deny", 'pattern = "rm -rf *"']);
  expect(auditDocument(document, setting)).toEqual(auditDocument(document, setting));
});

describe("respellings do what the example does", () => {
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // Run for real, with a harmless program: each must print what the example prints, once.
  const text = "printf '%s,' a b";
  const segmentation = segmentsIn(text);
  const [segment] = segmentation.segments;
  const ways = respell({ text, words: ["printf", "%s,", "a", "b"], segment });
  const skipped = [
    "sudo",
    "two wrappers",
    "timeout",
    "while",
    "behind &",
    "background",
    "trap",
    "behind exec",
    "substitution",
    "xargs",
    "assignment of",
    "setsid",
    "behind command",
    "the name from",
  ];

  test.each(ways.filter(({ way }) => !skipped.some((word) => way.includes(word))))("$way", (respelling) => {
    const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-c", respelling.text], {
      cwd: folder,
      encoding: "utf8",
      timeout: 10_000,
    });
    expect(stdout.replaceAll("\n", "")).toBe("a,b,");
  });
});
