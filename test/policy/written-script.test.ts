import { expect, test } from "vitest";
import { judge, policyOf } from "./judge.ts";

// A script that the text itself writes cannot be read beforehand, wherever the text has moved to in between.
test.each([
  ["echo 'rm x' >a.sh; ./a.sh", "ask"],
  ["cd d; echo 'rm x' >a.sh; ./a.sh", "ask"],
  ['cd "$d"; echo "rm x" >a.sh; ./a.sh', "ask"],
  ["while :; do echo 'rm x' >a.sh; command ./a.sh; done", "ask"],
  ["f() { echo 'rm x' >a.sh; command ./a.sh; }; f", "ask"],
  ["cd d; tee a.sh <x; ./a.sh", "ask"],
  ["while :; do ./a.sh; echo 'rm x' >a.sh; done", "ask"],
  ["f() { ./a.sh; }; echo 'rm x' >a.sh; f", "ask"],
  ["{ sleep 1; ./a.sh; } & echo 'rm x' >a.sh", "ask"],
  ["trap ./a.sh EXIT; echo 'rm x' >a.sh", "ask"],
  ["./a.sh | tee a.sh", "ask"],
  ["chmod +x a.sh && ./a.sh", "allow"],
  ['./a.sh >"$log" && ls', "allow"],
  ["./a.sh >a.log", "allow"],
  ["cd d; make >out.log; ./a.sh", "allow"],
  ["cd d && ./a.sh", "allow"],
])("%s → %s", (text, decision) => {
  expect(judge(text, policyOf(["deny rm *"], "allow")).decision).toBe(decision);
});
