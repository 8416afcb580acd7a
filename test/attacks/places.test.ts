import { describe, expect, test } from "vitest";
import { check, openGuard, parseInline } from "../../src/index.ts";

const guard = openGuard({
  cwd: "/work",
  policy: parseInline(
    {
      default_action: "allow",
      rules: [
        { tool: "file_read", pattern: "/etc/shadow", action: "deny" },
        { tool: "file_write", pattern: "/work/sub/keep.txt", action: "deny" },
      ],
    },
    { home: "/home/ada", env: new Map<string, string>(), windows: false },
  ),
});
const decisionOf = (text: string) => check(guard, text).result.decision;

// Each was seen to read or write that file, as its owner, in bash 5.2 (with another file in its place).
describe("a file by the root, the directory or a descriptor of a process", () => {
  test.each([
    "cat /proc/1/root/etc/shadow",
    "cat /proc/$$/root/etc/shadow",
    "cat /proc/*/root/etc/shadow",
    "cat /proc/self/task/1/root/etc/shadow",
    "sleep 9 & cat /proc/$!/root/etc/shadow",
    "exec 9</etc; cat /proc/self/fd/9/shadow",
    "exec 9</etc; cat /dev/fd/9/shadow",
    "cd /etc; sleep 9 & cd /; cat /proc/$!/cwd/shadow",
    "find sub -name x -execdir touch keep.txt ';'",
  ])("%s", (text) => expect(decisionOf(text)).not.toBe("allow"));

  test.each(["cat /proc/cpuinfo", "cat /proc/self/status", "ls /proc/self/fd", "cat /dev/fd/3"])(
    "%s is no other file",
    (text) => expect(decisionOf(text)).toBe("allow"),
  );
});
