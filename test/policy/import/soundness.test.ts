import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Agent, importRules, renderToml } from "../../../src/policy/import/index.ts";
import { evaluateRequest, type Policy } from "../../../src/policy/index.ts";
import { CWD, ENV, HOME, judge, policyOfToml } from "../judge.ts";

// INVARIANT of every import: what the other agent denies, the imported policy does not allow. Each agent's way to decide is
// written down here once more, as small as it gets, and compared on generated rules and command lines.

const word = fc.constantFrom(
  "git",
  "push",
  "status",
  "rm",
  "-rf",
  "x",
  "npm",
  "test",
  "a.txt",
  "test:unit",
  "-f",
  "log",
);
const words = fc.array(word, { minLength: 1, maxLength: 4 });
const command = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.map((part) => part.join(" ")));
const joined = fc.constantFrom(" && ", "; ", " | ", " || ", "\n");
const runs = { numRuns: 400, seed: 11 };

function imported(agent: Agent, text: string): Policy {
  return policyOfToml(renderToml(importRules(agent, text), "file"));
}

function expectNoLooser(denied: boolean, line: string, policy: Policy, source: string): void {
  if (denied && judge(line, policy).decision === "allow") expect({ source, line }).toBe("not allowed");
}

function wildcard(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\?]/g, "\\$&").replaceAll("*", "[^]*");
  return new RegExp(`^${escaped}$`);
}

describe("what is denied there is not allowed here", () => {
  test("Claude Code", () => {
    const inside = fc
      .tuple(words, fc.constantFrom("", ":*", " *", "*", "* x"))
      .map(([each, end]) => each.join(" ") + end);
    const list = fc.array(inside, { maxLength: 4 });
    const matches = (rule: string, part: string) => {
      const prefix = /^(.*):\*$/.exec(rule)?.[1] ?? (rule.endsWith(" *") ? rule.slice(0, -2) : undefined);
      if (prefix !== undefined && !prefix.includes("*")) return part === prefix || part.startsWith(`${prefix} `);
      return wildcard(rule).test(part);
    };
    fc.assert(
      fc.property(list, list, command, joined, (allow, deny, parts, between) => {
        const rulesOf = (rules: string[]) => rules.map((rule) => `Bash(${rule})`);
        const source = JSON.stringify({ permissions: { allow: [...rulesOf(allow), "Bash(*)"], deny: rulesOf(deny) } });
        const denied = parts.some((part) => deny.some((rule) => matches(rule, part)));
        expectNoLooser(denied, parts.join(between), imported("claude", source), source);
      }),
      runs,
    );
  });

  test("Codex", () => {
    const element = fc.oneof(word, fc.uniqueArray(word, { minLength: 1, maxLength: 3 }));
    const rule = fc.tuple(
      fc.array(element, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("allow", "prompt", "forbidden"),
    );
    const matches = (pattern: readonly (string | string[])[], part: string) => {
      const given = part.split(" ");
      return pattern.every((each, i) => [each].flat().includes(given[i] ?? ""));
    };
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), command, joined, (rules, parts, between) => {
        const source = rules
          .map(([pattern, decision]) => `prefix_rule(pattern = ${JSON.stringify(pattern)}, decision = "${decision}")`)
          .join("\n");
        const held = (kept: readonly string[]) =>
          parts.some((part) => rules.some(([pattern, decision]) => kept.includes(decision) && matches(pattern, part)));
        expectNoLooser(held(["forbidden", "prompt"]), parts.join(between), imported("codex", source), source);
        // And what is allowed there word for word is allowed here.
        const all = parts.every((part) =>
          rules.some(([pattern, decision]) => decision === "allow" && matches(pattern, part)),
        );
        if (all && !held(["forbidden", "prompt"]))
          expect(judge(parts.join(between), imported("codex", source)).decision).not.toBe("deny");
      }),
      runs,
    );
  });

  test("Gemini CLI", () => {
    const rule = fc.record({
      prefix: words,
      decision: fc.constantFrom("allow", "deny", "ask_user"),
      priority: fc.integer({ min: 0, max: 3 }),
      regex: fc.constantFrom(false, false, false, true),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), words, (rules, given) => {
        const source = rules
          .map(({ prefix, decision, priority, regex }) => {
            const by = regex ? "commandRegex" : "commandPrefix";
            return `[[rule]]\ntoolName = "run_shell_command"\n${by} = "${prefix.join(" ")}"\ndecision = "${decision}"\npriority = ${priority}\n`;
          })
          .join("");
        const line = given.join(" ");
        const found = [...rules]
          .sort((a, b) => b.priority - a.priority)
          .find(({ prefix, regex }) => {
            const text = prefix.join(" ");
            return regex ? line.startsWith(text) : line === text || line.startsWith(`${text} `);
          });
        expectNoLooser(found?.decision === "deny", line, imported("gemini", source), source);
      }),
      runs,
    );
  });

  test("OpenCode, commands", () => {
    const pattern = fc.tuple(words, fc.constantFrom("", " *", "*")).map(([each, end]) => each.join(" ") + end);
    const entry = fc.tuple(fc.oneof(pattern, fc.constant("*")), fc.constantFrom("allow", "ask", "deny"));
    const matches = (rule: string, part: string) =>
      wildcard(rule).test(part) || (rule.endsWith(" *") && wildcard(rule.slice(0, -2)).test(part));
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { maxLength: 5, selector: ([name]) => name }),
        command,
        joined,
        (entries, parts, between) => {
          const source = JSON.stringify({ permission: { bash: Object.fromEntries(entries) } });
          const denied = parts.some((part) => entries.findLast(([rule]) => matches(rule, part))?.[1] === "deny");
          expectNoLooser(denied, parts.join(between), imported("opencode", source), source);
        },
      ),
      runs,
    );
  });

  test("OpenCode, files", () => {
    const unit = fc.constantFrom("a", "b", "/", "*", ".", "?");
    const glob = fc
      .string({ unit, minLength: 1, maxLength: 6 })
      .filter((text) => !text.includes("//") && !/(^|\/)\.{1,2}(\/|$)/.test(text) && !/^\/|\/$/.test(text));
    const path = fc
      .array(fc.constantFrom("a", "b", "ab", "a.b", ".a", "ba"), { minLength: 1, maxLength: 4 })
      .map((names) => names.join("/"));
    const matches = (rule: string, subject: string) =>
      new RegExp(wildcard(rule).source.replaceAll("\\?", "[^]")).test(subject);
    fc.assert(
      fc.property(glob, path, (rule, subject) => {
        const source = JSON.stringify({ permission: { edit: { "*": "allow", [rule]: "deny" } } });
        if (!matches(rule, subject)) return;
        const verdict = evaluateRequest({ tool: "edit", subject }, imported("opencode", source), {
          cwd: CWD,
          home: HOME,
          projectRoot: CWD,
          env: ENV,
        });
        expect({ rule, subject, decision: verdict.decision }).toEqual({ rule, subject, decision: "deny" });
      }),
      { numRuns: 1500, seed: 12 },
    );
  });

  test("Copilot CLI", () => {
    const tool = fc.tuple(words, fc.constantFrom("", ":*")).map(([each, end]) => `shell(${each.join(" ")}${end})`);
    const list = fc.array(tool, { maxLength: 4 });
    fc.assert(
      fc.property(list, list, command, joined, (allow, deny, parts, between) => {
        const source = [
          ...allow.map((each) => `--allow-tool '${each}'`),
          ...deny.map((each) => `--deny-tool '${each}'`),
        ].join("\n");
        const denied = parts.some((part) =>
          deny.some((rule) => {
            const prefix = rule.slice(6, -1).replace(/:\*$/, "");
            return part === prefix || part.startsWith(`${prefix} `);
          }),
        );
        expectNoLooser(denied, parts.join(between), imported("copilot", source), source);
      }),
      runs,
    );
  });
});
