import { Bench } from "tinybench";
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
  ["rm", "-rf", "build", "dist"],
];

/** The cost of the dictionary: one read of a typical line, one of a program nobody knows. */
export async function benchDictionary(): Promise<Bench> {
  const bench = new Bench({ name: "dictionary", time: 300 });
  for (const words of LINES) bench.add(words.join(" "), () => void readInvocation(words, findEntry));
  bench.add("an unknown program", () => void readInvocation(["no-such-program", "-x", "a"], findEntry));
  await bench.run();
  return bench;
}
