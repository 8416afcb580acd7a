import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { auditDocument } from "../../../src/policy/audit/index.ts";
import { examplesOf } from "../../../src/policy/audit/examples-of.ts";
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

describe("a rule without examples is tried with what it says", () => {
  const made = (fields: string) => {
    const [rule] = policy(["deny", fields]).rules;
    return rule === undefined ? [] : examplesOf(rule, setting).map(({ text }) => text);
  };

  test.each<[string, readonly string[]]>([
    ['pattern = "git push *"', ["git push x"]],
    ['pattern = "git push *"\nflags = ["--force"]', ["git push x --force x"]],
    ['pattern = "python*"\ndoes = ["runs"]\nflags = ["-c"]', ["python -c x"]],
    ['pattern = "*"', ["rm"]],
    ['pattern = "* < /dev/tcp/*"', ["rm < /dev/tcp/x"]],
    ['pattern = "a?c *"', ["axc x"]],
    ['pattern = "it\'s *"', ["'it'\\''s' x"]],
    ['flags = ["--force", "-f"]', ["rm --force x"]],
    ['does = ["deletes", "sends"]', ["rm x", "git push origin x"]],
    [
      'does = ["looks", "reveals", "writes", "runs", "obeys", "installs", "fetches", "rewrites", "administers"]',
      [
        ...["ls x", "printenv", "touch x", "make x", "sh", "npm install x", "curl https://example.org/x"],
        ...["git rebase x", "systemctl restart x"],
      ],
    ],
    ['does = ["looks"]\nflags = ["-f"]', ["ls x -f x"]],
  ])("%s", (fields, texts) => expect(made(fields)).toEqual(texts));

  const other = (tool: string, pattern: string) =>
    parse(
      `[permissions]\ndefault_action = "allow"\n[[permissions.rule]]\ntool = "${tool}"\npattern = "${pattern}"\naction = "deny"\n`,
    );

  test.each<[string, string, number, readonly string[]]>([
    ["file_write", "**/{.env,x}", 1, []],
    ["external_directory", "/opt/**", 1, []],
    ["webfetch", "https://example.com/*", 1, []],
    ["*", "*", 1, []],
    ["mcp_*", "*", 0, ["no command line does what its tool does"]],
    ["file_read", "[ab]", 0, ["no command line could be made from it, give it `match`"]],
  ])("%s %s: %i tried", (tool, pattern, tried, why) => {
    const { rules, skipped, findings } = auditDocument(other(tool, pattern), setting);
    expect([rules, skipped.map((each) => each.why), findings]).toEqual([tried, why, []]);
  });

  test("one that another rule decides is no finding of this one", () => {
    const document = policy(["allow", 'pattern = "git *"'], ["deny", 'pattern = "git push *"']);
    expect(auditDocument(document, setting).skipped.map(({ why }) => why)).toEqual([
      "another rule decides `git push x`, made from it",
    ]);
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
