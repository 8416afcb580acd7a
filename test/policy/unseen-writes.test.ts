import { describe, expect, test } from "vitest";
import { judge, policyOf } from "./judge.ts";

const READ_ONLY = ["deny edit: *", "allow *"];

describe("where every write is denied, a program that runs code", () => {
  test.each([
    "python3 split.py",
    "node -e 'x()'",
    "make",
    "npm test",
    "bash build.sh",
    "sudo python3 x.py",
    "find . | xargs ruby x",
  ])("%s is asked about", (text) => expect(judge(text, policyOf(READ_ONLY)).decision).toBe("ask"));

  test.each(["git log | head", "ls -la", "sort x", "rg foo | wc -l", "mytool status"])("%s runs none", (text) =>
    expect(judge(text, policyOf(READ_ONLY)).decision).toBe("allow"),
  );

  test("the default counts like a rule for everything", () => {
    expect(judge("python3 x.py", policyOf(["deny file_write: *"], "allow")).decision).toBe("ask");
  });

  test.each([
    ["allow python3 *", ["allow python3 *", ...READ_ONLY]],
    ["some writes are denied", ["deny edit: /etc/**", "allow *"]],
    ["writes are asked about", ["ask edit: *", "allow *"]],
    ["writes are allowed in front", ["allow edit: *", "deny edit: *", "allow *"]],
  ])("not where %s", (_, lines) => expect(judge("python3 x.py", policyOf(lines)).decision).toBe("allow"));
});
