import { bench, describe } from "vitest";
import { findEntry } from "../src/segment/dictionary.ts";
import { readInvocation } from "../src/segment/read.ts";

/** Words of typical lines: reading them is a part of judging each segment. */
const LINES: readonly (readonly string[])[] = [
  ["git", "-C", "d", "-c", "x=y", "push", "--force", "origin"],
  ["docker", "compose", "-f", "a", "-f", "b", "up", "-d"],
  ["kubectl", "--context", "c", "-n", "n", "get", "pods", "-o", "wide"],
  ["npm", "--prefix", "d", "run", "build", "--", "--watch"],
  ["timeout", "-k", "3", "5", "git", "push", "origin"],
  ["find", ".", "-name", "*.ts", "-exec", "grep", "-l", "x", "{}", "+"],
  ["tar", "-xzf", "a.tgz", "-C", "d"],
  ["ls", "-la", "src"],
  ["no-such-program", "-x", "a"],
];

describe("reading one invocation by the dictionary", () => {
  for (const words of LINES) bench(words.join(" "), () => void readInvocation(words, findEntry));
});
