import { describe, expect, test } from "vitest";
import { deciding, guardAgainst } from "./decide.ts";

const guard = guardAgainst(["file_read: /etc/shadow", "file_write: /work/sub/keep.txt"], "/work");
const decisionOf = deciding(guard);

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
