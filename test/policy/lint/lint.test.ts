import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Document, parseInline, parseToml } from "../../../src/policy/index.ts";
import { LINT_CODES, type LintFinding, lintDocument, mended } from "../../../src/policy/lint/index.ts";
import { positionOf } from "../../../src/text/index.ts";
import { CWD, ENV, HOME } from "../judge.ts";

const flawed = join(import.meta.dirname, "flawed");
const presets = join(import.meta.dirname, "../../../presets");
const setting = { cwd: CWD, home: HOME, env: ENV };

function parse(text: string, name = "policy.toml"): Document {
  return parseToml({ name, text }, { layer: "given", trusted: true, windows: false, ...setting }).document;
}

/** `line code` of everything that makes lint fail. */
function faults(document: Document, unattended = false): string[] {
  return lintDocument(document, { ...setting, unattended })
    .filter(({ code }) => LINT_CODES[code].severity !== "info")
    .map(({ code, span }) => `${positionOf(document.origin.source, span.start).line} ${code}`);
}

/** The lines of a flawed policy that end in `# ! CODE`. */
function planted(text: string): string[] {
  return text.split("\n").flatMap((line, i) => {
    const code = /# ! ([a-z-]+)$/.exec(line)?.[1];
    return code === undefined ? [] : [`${i + 1} ${code}`];
  });
}

describe("flawed policies: every planted flaw is found, and nothing else", () => {
  test.each(readdirSync(flawed))("%s", (name) => {
    const text = readFileSync(join(flawed, name), "utf8");
    expect(faults(parse(text))).toEqual(planted(text));
  });

  test("there are thirteen of them, and together they show every code", () => {
    const texts = readdirSync(flawed).map((name) => readFileSync(join(flawed, name), "utf8"));
    const shown = new Set(texts.flatMap(planted).map((line) => line.split(" ")[1]));
    const others = ["ask-unanswerable", "no-examples"];
    expect([texts.length, [...shown, ...others].sort()]).toEqual([13, Object.keys(LINT_CODES).sort()]);
  });
});

test.each(["read-only.toml", "developer.toml", "catastrophe.toml"])("nothing is found in the preset %s", (name) => {
  expect(faults(parse(readFileSync(join(presets, name), "utf8"), name))).toEqual([]);
});

test("a good policy has nothing to find", () => {
  const text = `
[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "deny"
match = ["git push origin"]

[[permissions.rule]]
tool = "bash"
pattern = "git *"
action = "allow"
match = ["git log"]
`;
  expect(lintDocument(parse(text), setting)).toEqual([]);
});

describe("last match wins", () => {
  const document = (...rules: [string, string][]) =>
    parseInline(
      {
        order: "last-match",
        default_action: "ask",
        rules: rules.map(([pattern, action]) => ({ tool: "bash", pattern, action })),
      },
      { home: HOME, env: ENV, windows: false },
    ).documents[0] as Document;

  test("a deny in front of a wider allow is shadowed", () => {
    expect(faults(document(["git push *", "deny"], ["git *", "allow"]))).toEqual(["1 shadowed-rule"]);
    expect(faults(document(["git *", "allow"], ["git push *", "deny"]))).toEqual([]);
  });

  test("what stands before a catch-all is unreachable", () => {
    expect(faults(document(["ls *", "allow"], ["*", "ask"]))).toEqual(["1 unreachable-rule"]);
  });
});

test("asks are faults where nobody can answer", () => {
  const text = `[permissions]\ndefault_action = "ask"\n[[permissions.rule]]\ntool = "bash"\npattern = "git push *"\naction = "ask"\n`;
  expect(faults(parse(text), true)).toEqual(["1 ask-unanswerable", "6 ask-unanswerable"]);
  expect(faults(parse(text.replaceAll('"ask"', '"deny"')), true)).toEqual([]);
});

describe("mends", () => {
  const mend = (name: string, change = (text: string) => text) => {
    const text = readFileSync(join(flawed, name), "utf8").replaceAll(/ # ! [\w-]+/g, "");
    const document = parse(change(text));
    return mended(document.origin.source, lintDocument(document, setting));
  };

  test("a redundant rule goes, the comments around it stay", () => {
    const text = mend("06-redundant.toml");
    expect(text.slice(0, 230)).toBe(
      `[permissions]
default_action = "ask"

# First comment stays.
# Last comment stays.

[[permissions.rule]]
tool = "bash"
pattern = "npm t?st *"
action = "allow"

[[permissions.rule]]
tool = "bash"
pattern = "rm -rf *"
action = "deny"
`
        .padEnd(230)
        .slice(0, 230)
        .trimEnd() + text.slice(0, 230).slice(text.slice(0, 230).trimEnd().length),
    );
    // What only the meaning of the options tells is left to a person.
    expect(faults(parse(text)).map((line) => line.split(" ")[1])).toEqual(["redundant-rule"]);
  });

  const denying = (text: string) => text.replaceAll('"allow"', '"deny"');

  test.each([
    ["04-too-broad.toml", (text: string) => text, 'pattern = "git diff*"', 'pattern = "git diff *"'],
    ["08-foreign.toml", denying, 'tool = "Bash"', 'tool = "bash"'],
    ["08-foreign.toml", denying, 'pattern = "cat  *"', 'pattern = "cat *"'],
  ])("%s: %s %s becomes %s", (name, change, before, after) => {
    const text = mend(name, change);
    expect([text.includes(before), text.includes(after)]).toEqual([false, true]);
  });

  test("what would allow more, or deny less, is left to a person", () => {
    for (const kept of ['tool = "Bash"', 'pattern = "cat  *"', 'pattern = "npm run test:*"'])
      expect(mend("08-foreign.toml")).toContain(kept);
    expect(mend("08-foreign.toml", denying)).toContain('pattern = "npm run test:*"');
  });

  test("a rule with a comment in it stays", () => {
    const commented = (text: string) => text.replace('"npm test *"', '"npm test *" # as the others do');
    expect(mend("06-redundant.toml", commented)).toContain("# as the others do");
  });

  test("a rule stays that another one takes only until it is mended itself", () => {
    const text = `[permissions]\ndefault_action = "ask"\n${["p*", "perl *"]
      .map((pattern) => `[[permissions.rule]]\ntool = "bash"\npattern = "${pattern}"\naction = "allow"\n`)
      .join("")}`;
    const document = parse(text);
    expect(mended(document.origin.source, lintDocument(document, setting))).toContain('pattern = "perl *"');
  });

  test("a mended policy needs no more mending", () => {
    for (const name of readdirSync(flawed)) {
      const once = parse(mend(name));
      expect(mended(once.origin.source, lintDocument(once, setting))).toBe(once.origin.source.text);
    }
  });
});

test("a finding says what it is about, which rule is to blame and what to do", () => {
  const text = readFileSync(join(flawed, "01-order.toml"), "utf8");
  const [first] = lintDocument(parse(text), setting).filter(({ code }) => code === "shadowed-rule");
  expect(first).toEqual({
    code: "shadowed-rule",
    message: "deny `git push *` is never reached: allow `git *` (line 4) takes all of it first",
    help: "move it in front of that rule",
    span: { start: text.indexOf('"git push *"'), end: text.indexOf('"git push *"') + 12 },
  } satisfies LintFinding);
});

describe("a home below a folder that a rule names", () => {
  const rule = (pattern: string, action: string, example: string) =>
    `[[permissions.rule]]\ntool = "file_write"\npattern = "${pattern}"\naction = "${action}"\nmatch = ["${example}"]\n`;
  const faultsAt = (home: string, ...rules: readonly string[]) => {
    const text = `[permissions]\ndefault_action = "ask"\n${rules.join("")}`;
    const at = { ...setting, home, env: new Map([["HOME", home]]) };
    const { document } = parseToml({ name: "p.toml", text }, { layer: "given", trusted: true, windows: false, ...at });
    return lintDocument(document, at).map(({ code }) => code);
  };

  test.each(["/home/me", "/tmp/me"])("%s: is not what an example of a home is judged with", (home) => {
    expect(faultsAt(home, rule("/tmp/**", "allow", "/tmp/x"), rule("*", "ask", "~/.bashrc"))).toEqual([]);
  });

  test.each(["/home/me", "/tmp/me"])("%s: is, where the pattern speaks of it", (home) => {
    const both = [rule("~/**", "allow", "~/x"), rule("*", "ask", "~/.bashrc")];
    expect(faultsAt(home, ...both)).toEqual(["example-not-reached"]);
  });
});
