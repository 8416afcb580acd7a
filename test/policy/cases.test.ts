import { expect, test } from "vitest";
import { CASE_FIELDS, parseCases } from "../../src/policy/index.ts";

test("a case may say everything that it expects, in both spellings", () => {
  const fields = { name: "n", tool: "file_write", command: "c", rule: "r", cwd: "d" };
  const line = JSON.stringify({ ...fields, decision: ["ask", "deny"], segments: ["a b", ["c", "d"]], todo: true });
  const toml = `[[case]]
name = "n"
tool = "file_write"
command = "c"
decision = ["ask", "deny"]
rule = "r"
segments = ["a b", ["c", "d"]]
cwd = "d"
todo = true
`;
  const expected = { ...fields, decisions: ["ask", "deny"], segments: ["a b", "c d"], todo: "" };
  const [[fromJson], [fromToml]] = [
    parseCases({ name: "c.jsonl", text: line }),
    parseCases({ name: "c.toml", text: toml }),
  ];
  expect(fromJson).toEqual({
    ...expected,
    origin: { source: { name: "c.jsonl", text: line }, span: { start: 0, end: line.length } },
  });
  expect(fromToml).toEqual({
    ...expected,
    origin: { source: { name: "c.toml", text: toml }, span: { start: 0, end: 8 } },
  });
  expect(CASE_FIELDS.every((field) => Object.hasOwn(JSON.parse(line), field))).toBe(true);
});

test("without more, a case is a command line of bash", () => {
  const [found] = parseCases({ name: "c.jsonl", text: '{"command":"ls","decision":"allow","todo":false}' });
  const { origin: _, ...rest } = found ?? { origin: undefined };
  expect(rest).toEqual({
    name: undefined,
    tool: "bash",
    command: "ls",
    decisions: ["allow"],
    rule: undefined,
    segments: undefined,
    cwd: undefined,
    todo: undefined,
  });
});

test("an empty file holds no cases", () => {
  expect([parseCases({ name: "c.jsonl", text: "\n" }), parseCases({ name: "c.toml", text: "" })]).toEqual([[], []]);
});
