import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { bench, describe } from "vitest";
import { check, openGuard, parseInline } from "../src/index.ts";
import { segmentsOf } from "../src/segment/index.ts";
import { parse } from "../src/syntax/index.ts";

// Every example line of the dictionary: some 3,000 lines of all kinds of programs.
const folder = resolve(import.meta.dirname, "../arity/curated");
const LINES = readdirSync(folder).flatMap((name) => {
  const { examples = [] } = JSON.parse(readFileSync(resolve(folder, name), "utf8")) as {
    examples?: { line: string }[];
  };
  return examples.map(({ line }) => line);
});

const PROGRAMS =
  "git npm ls cat grep find sed awk docker kubectl make cargo go python3 node curl tar ssh cp mv rm echo head sort xargs".split(
    " ",
  );
const DECISIONS = ["allow", "ask", "deny"] as const;

function guardWith(count: number) {
  const rules = Array.from({ length: count }, (_, i) => {
    const program = PROGRAMS[i % PROGRAMS.length] ?? "ls";
    return {
      tool: "bash",
      pattern: i < PROGRAMS.length ? `${program} *` : `${program} verb${i} *`,
      action: DECISIONS[i % 3],
    };
  });
  const policy = parseInline(
    { order: "first-match", default_action: "ask", rules },
    { home: "/root", env: new Map(), windows: false },
  );
  return openGuard({ policy, cwd: "/" });
}

const hundred = guardWith(100);
const tenThousand = guardWith(10_000);
const { surroundings } = hundred;
// Warm: every program's facts are read once, in the first call that names it.
for (let round = 0; round < 3; round++) for (const line of LINES) check(hundred, line);
let at = 0;
const next = () => LINES[at++ % LINES.length] ?? "";

describe("one line", () => {
  bench("parse", () => void parse({ name: "line", text: next() }));
  bench("parse and split", () => void segmentsOf({ name: "line", text: next() }, surroundings));
  bench("judge by 100 rules", () => void check(hundred, next()));
  bench("judge by 10,000 rules", () => void check(tenThousand, next()));
});

const SCRIPT = Array.from(
  { length: 8000 },
  (_, i) =>
    `if [ -f "$HOME/f${i}" ]; then cp "$src/${i}" out && echo "done ${i}" >> log; fi # a comment to fill the line`,
).join("\n");

describe("large and hostile texts", () => {
  bench("1 MiB of script", () => void segmentsOf({ name: "script", text: SCRIPT }, surroundings), {
    iterations: 3,
    time: 0,
  });
  for (const piece of ["$(", "<(", "((", "`", '"$(', "sudo ", "eval ", "find . -exec ", "x=${x}a;", "a;", "$(a)"]) {
    const text = piece.repeat(Math.ceil((32 * 1024) / piece.length));
    bench(`32 KiB of ${piece}`, () => void segmentsOf({ name: "hostile", text }, surroundings), {
      iterations: 5,
      time: 0,
    });
  }
});
