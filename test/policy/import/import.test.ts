import { describe, expect, test } from "vitest";
import { type Agent, importRules, lossesOf, renderToml } from "../../../src/policy/import/index.ts";
import { checkExamples, evaluateRequest } from "../../../src/policy/index.ts";
import { CWD, ENV, HOME, judge, policyOfToml } from "../judge.ts";

/** The rules that come out, one a line, and the default. */
function rules(agent: Agent, text: string): string[] {
  const { items, otherwise } = importRules(agent, text);
  const lines = items.flatMap((item) =>
    item.kind === "rule" ? [`${item.decision} ${item.tool === "bash" ? "" : `${item.tool}: `}${item.pattern}`] : [],
  );
  return [...lines, `else ${otherwise}`];
}

const losses = (agent: Agent, text: string) => lossesOf(importRules(agent, text));

function policy(agent: Agent, text: string) {
  return policyOfToml(renderToml(importRules(agent, text), "file"));
}

describe("Claude Code", () => {
  const settings = (permissions: object) => JSON.stringify({ permissions });

  test("deny comes before ask before allow, whatever their order in the file", () => {
    const text = settings({
      allow: [
        "Bash(npm run test:*)",
        "Bash(git *)",
        "Bash(make)",
        "Read(src/**)",
        "Edit(/docs/**)",
        "mcp__github__get_issue",
      ],
      ask: ["Bash(git push:*)"],
      deny: [
        "Bash(rm -rf *)",
        "Read(.env)",
        "Read(//etc/**)",
        "Read(~/.ssh/**)",
        "WebFetch(domain:bad.test)",
        "mcp__evil",
        "Task",
      ],
    });
    expect(rules("claude", text)).toEqual([
      "deny rm -rf *",
      "deny file_read: .env",
      "deny file_read: **/.env/**",
      "deny file_read: /etc/**",
      "deny file_read: ~/.ssh/**",
      "deny webfetch: *bad.test*",
      "deny evil.*: *",
      "deny mcp__evil__*: *",
      "deny Task: *",
      "ask git push *",
      "allow npm run test *",
      "allow git *",
      "allow make",
      "allow file_read: src/**",
      "allow file_write: docs/**",
      "allow github.get_issue: *",
      "allow mcp__github__get_issue: *",
      "else ask",
    ]);
  });

  test("what cannot be carried over is listed; an allow is left out, a restriction is widened", () => {
    const text = settings({
      allow: [
        "Bash(cd * && npm test)",
        'Bash(git commit -m "*")',
        "Bash(curl https://x.test/?a=1)",
        "WebFetch(domain:*.x.test)",
        "Task(Explore)",
      ],
      deny: ["Bash(curl * | sh)", 'Bash(echo "secret")', "Bash(echo $TOKEN)", "Read({a,b}.txt)"],
      defaultMode: "bypassPermissions",
    });
    expect(rules("claude", text)).toEqual([
      "ask curl *",
      "deny echo secret",
      "deny echo *",
      "deny file_read: ?a,b?.txt",
      "deny file_read: **/?a,b?.txt/**",
      "else ask",
    ]);
    expect(losses("claude", text).map((line) => line.slice(0, 60))).toEqual(
      [
        "carried over stricter: Bash(curl * | sh): several commands t",
        "not carried over: Bash(cd * && npm test): each command is ju",
        'not carried over: Bash(git commit -m "*"): quotes are gone w',
        "not carried over: Bash(curl https://x.test/?a=1): `?` is any ",
        "not carried over: WebFetch(domain:*.x.test): a `*` in a host ",
        "not carried over: Task(Explore): what `Task` is given is not ",
        "not carried over: defaultMode bypassPermissions: what no rul",
      ].map((line) => line.slice(0, 60)),
    );
  });

  test("it decides as it did there", () => {
    const imported = policy(
      "claude",
      settings({
        allow: ["Bash(npm run test:*)", "Bash(git *)"],
        deny: ["Bash(git push *)"],
        ask: ["Bash(git rebase *)"],
      }),
    );
    const decisions = [
      "npm run test",
      "npm run test:unit",
      "npm run test -- x",
      "git log",
      "git push",
      "git log && git push -f",
      "git rebase main",
      "ls",
    ];
    expect(decisions.map((text) => judge(text, imported).decision)).toEqual([
      "allow",
      "ask",
      "allow",
      "allow",
      "deny",
      "deny",
      "ask",
      "ask",
    ]);
  });
});

describe("Codex", () => {
  const text = `
# my rules
prefix_rule(
    pattern = ["git", ["push", "pull"]],
    decision = "prompt",
    justification = "leaves the machine",
    match = ["git push origin", ["git", "pull", "a b"]],
    not_match = ["git status"],
)
prefix_rule(pattern=["gh", "pr", "view"], decision="allow")
prefix_rule(pattern=["rm", "-rf"], decision="forbidden", justification = 'use "trash"')
prefix_rule(pattern = ["ls"])
host_executable(name = "git", paths = ["/usr/bin/git"])
`;

  test("the strictest rule stands first, each alternative is a rule with the examples that are its own", () => {
    expect(rules("codex", text)).toEqual([
      "deny rm -rf *",
      "ask git push *",
      "ask git pull *",
      "allow gh pr view *",
      "allow ls *",
      "else ask",
    ]);
    const toml = renderToml(importRules("codex", text), "default.rules");
    expect(toml).toContain('match = ["git push origin"]\nnot_match = ["git status"]');
    expect(toml).toContain(`match = ["git pull 'a b'"]`);
    expect(toml).toContain('reason = "use \\"trash\\""');
  });

  test("what is more than a literal is never run: it is listed, and allows become asks behind it", () => {
    const computed = `words = ["git"]\nfor w in words:\n    prefix_rule(pattern=[w], decision="forbidden")\n\nprefix_rule(pattern=["git"], decision="allow")\n`;
    expect(rules("codex", computed)).toEqual(["ask git *", "else ask"]);
    expect(losses("codex", computed)).toEqual([
      'not carried over: line 1: words = ["git"]: only calls with literal arguments are read, and none is run',
      'not carried over: line 2: for w in words: prefix_rule(pattern=[w], decision="forbidden"): only calls with literal arguments are read, and none is run',
      'carried over stricter: line 5: prefix_rule(pattern=["git"], decision="allow"): an allow there; a restriction in front of it could not be carried over',
    ]);
  });

  test.each([
    ['prefix_rule(pattern=["a*"], decision="allow")', ["else ask"]],
    ['prefix_rule(pattern=["echo", "a b"], decision="allow")', ["else ask"]],
    ['prefix_rule(pattern=["a*"], decision="forbidden")', ["deny a* *", "else ask"]],
    ['prefix_rule(pattern=["a" + "b"])', ["allow ab *", "else ask"]],
    [`prefix_rule(pattern=["""a""", r'b'],)`, ["allow a b *", "else ask"]],
    ['prefix_rule(["ls"])', ["else ask"]],
    ['prefix_rule(pattern=["ls"], decision="perhaps")', ["else ask"]],
    ['prefix_rule(pattern=["ls"]) if True else None', ["else ask"]],
    ['prefix_rule(pattern=["ls"]', ["else ask"]],
    ["", ["else ask"]],
  ])("%s", (line, expected) => {
    expect(rules("codex", line)).toEqual(expected);
  });
});

describe("Gemini CLI", () => {
  test("settings: exclude before allowed, core commands and no others", () => {
    const text = JSON.stringify({
      tools: {
        exclude: ["run_shell_command(rm)", "write_file"],
        allowed: ["run_shell_command(git status)", "run_shell_command(npm test)", "read_file"],
        core: ["run_shell_command(git)", "run_shell_command(ls)", "read_file"],
      },
    });
    expect(rules("gemini", text)).toEqual([
      "deny rm *",
      "deny file_write: *",
      "allow git status *",
      "allow file_read: *",
      "ask git *",
      "ask ls *",
      "deny *",
      "else ask",
    ]);
  });

  test("a policy: the highest priority stands first", () => {
    const text = `
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git", "npm run"]
decision = "allow"
priority = 10

[[rule]]
toolName = "run_shell_command"
commandPrefix = "git push"
decision = "deny"
priority = 100
denyMessage = "ask the team"

[[rule]]
toolName = ["write_file", "replace"]
decision = "ask_user"
priority = 5

[[rule]]
mcpName = "files"
toolName = "delete"
decision = "deny"
priority = 50
`;
    expect(rules("gemini", text)).toEqual([
      "deny git push *",
      "deny files.delete: *",
      "allow git *",
      "allow npm run *",
      "ask file_write: *",
      "ask file_write: *",
      "else ask",
    ]);
  });

  test("a denied regular expression makes the allows behind it asks, not those in front", () => {
    const rule = (fields: string) => `[[rule]]\ntoolName = "run_shell_command"\n${fields}\n`;
    const text =
      rule('commandPrefix = "ls"\ndecision = "allow"\npriority = 9') +
      rule('commandRegex = "rm.*"\ndecision = "deny"\npriority = 8') +
      rule('commandPrefix = "make"\ndecision = "allow"\npriority = 7') +
      rule('commandPrefix = "cat"\ndecision = "allow"\npriority = 10\nmodes = ["yolo"]');
    expect(rules("gemini", text)).toEqual(["allow ls *", "ask make *", "else ask"]);
    expect(losses("gemini", text)).toHaveLength(3);
  });
});

describe("OpenCode", () => {
  test("the last match becomes the first", () => {
    const text = `{
  // comments are read
  "permission": {
    "bash": { "*": "ask", "git *": "allow", "git push *": "deny" },
    "edit": { "*": "ask", "src/*": "allow", "a*b": "deny" },
    "webfetch": "deny",
  },
  "tools": { "task": false },
}`;
    expect(rules("opencode", text)).toEqual([
      "deny task: *",
      "deny webfetch: *",
      "deny file_write: a*b",
      "deny file_write: a{*,*/**/*}b",
      "allow file_write: src/**",
      "ask file_write: *",
      "deny git push *",
      "allow git *",
      "ask *",
      "else ask",
    ]);
  });

  test("rules for one agent are listed", () => {
    const text = '{"permission": "allow", "agent": {"plan": {"permission": {"edit": "deny"}}}}';
    expect(rules("opencode", text)).toEqual(["allow *: *", "else ask"]);
    expect(losses("opencode", text)).toEqual([
      "not carried over: agent.plan.permission: rules for one agent have no form here: give it a policy of its own",
    ]);
  });
});

describe("Copilot CLI", () => {
  test("a deny goes before an allow", () => {
    const text = `#!/bin/sh
# my way to start it
exec copilot --allow-tool 'shell(git:*)' 'shell(npm test)' --allow-tool=write,shell(ls) \\
  --deny-tool "shell(git push)" --deny-tool='MyMCP(delete)' --model x "$@"
`.replace("write,shell(ls)", "'write,shell(ls)'");
    expect(rules("copilot", text)).toEqual([
      "deny git push *",
      "deny MyMCP.delete: *",
      "allow git *",
      "allow npm test *",
      "allow file_write: *",
      "allow ls *",
      "else ask",
    ]);
  });

  test("the options alone, one a line", () => {
    expect(
      rules("copilot", "--allow-tool shell(git)\n--allow-all-tools\n".replace("shell(git)", "'shell(git)'")),
    ).toEqual(["allow git", "else ask"]);
  });
});

test("Copilot CLI: what has no form here is named with its value", () => {
  const text = "copilot --deny-url https://x.test --add-dir=/srv --allow-all-paths --allow-tool write";
  expect(lossesOf(importRules("copilot", text)).map((line) => line.replace(/: [^:]*$/, ""))).toEqual([
    "not carried over: --deny-url https://x.test",
    "not carried over: --add-dir /srv",
    "not carried over: --allow-all-paths",
  ]);
});

describe("whatever comes in", () => {
  test.each<[Agent, string]>([
    ["claude", "[]"],
    ["claude", "{"],
    ["opencode", '{"permission": {"bash": "perhaps"}}'],
    ["gemini", "[[rule"],
    ["copilot", "copilot --allow-tool 'x"],
    ["codex", "a\0b"],
    ["claude", ""],
    ["opencode", ""],
  ])("%s: %s is refused", (agent, text) => {
    expect(() => importRules(agent, text)).toThrow(expect.objectContaining({ name: "ImportError" }));
  });

  test.each<[Agent, string]>([
    ["codex", ""],
    ["codex", "# nothing\n"],
    ["gemini", ""],
    ["gemini", "{}"],
    ["opencode", "{}"],
    ["opencode", "[]"],
    ["copilot", ""],
    ["copilot", "ls"],
  ])("%s: %j holds no rule, and that is said", (agent, text) => {
    const losses = lossesOf(importRules(agent, text));
    expect(losses).toEqual([
      expect.stringMatching(/^not carried over: the whole file: no rule is in it; .* is wanted$/),
    ]);
  });

  test("what comes out loads, comments and patterns with signs of all kinds included", () => {
    const nasty = [
      'Bash(echo "a\\nb")',
      "Bash(x \u0007 \u202e)",
      "Bash(a\n[[permissions.rule]])",
      'Read(a"b)',
      "Bash(#)",
      "Odd\n(x)",
      "Bash(\u007f)",
      "Edit(\\*)",
    ];
    for (const list of ["allow", "deny", "ask"]) {
      const toml = renderToml(importRules("claude", JSON.stringify({ permissions: { [list]: nasty } })), "a\nb");
      const { documents } = policyOfToml(toml);
      for (const document of documents) checkExamples(document, { cwd: CWD, home: HOME, env: ENV });
      expect(toml.split("\n").filter((line) => /^[^#\w[\]]/.test(line))).toEqual([]);
    }
  });

  test("a rule for files answers an editor", () => {
    const imported = policy("claude", JSON.stringify({ permissions: { deny: ["Edit(secrets)"] } }));
    const decide = (subject: string) =>
      evaluateRequest({ tool: "edit", subject }, imported, { cwd: CWD, home: HOME, projectRoot: CWD, env: ENV })
        .decision;
    expect(["secrets", "lib/secrets/key", "src/a"].map(decide)).toEqual(["deny", "deny", "ask"]);
  });
});
