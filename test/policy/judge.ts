import { type Evaluation, evaluate, type Policy, parseInline, parseToml } from "../../src/policy/index.ts";
import { type Segmentation, segmentsOf } from "../../src/segment/index.ts";
import { absolutePath } from "../../src/text/index.ts";

export const HOME = "/home/u";
export const CWD = "/work/project";
export const ENV = new Map([
  ["HOME", HOME],
  ["PATH", "/usr/bin:/bin"],
]);

/** `deny rm *`, `allow file_write: src/**`, `deny rm * [-f --force]`: a decision, a tool if it is not bash, a pattern, flags. */
export type RuleLine = string;

/** A policy from lines of rules and a default. */
export function policyOf(lines: readonly RuleLine[], otherwise = "ask", order = "first-match"): Policy {
  return parseInline(
    { order, default_action: otherwise, rules: lines.map(ruleOf) },
    { home: HOME, env: ENV, windows: false },
  );
}

/** A policy from the text of a TOML file. */
export function policyOfToml(text: string): Policy {
  const setting = { layer: "given", trusted: true, home: HOME, env: ENV, windows: false } as const;
  return { documents: [parseToml({ name: "policy.toml", text }, setting).document] };
}

/** What a text runs, in a project at `CWD` with no files and these programs on PATH. */
export function segmentsIn(
  text: string,
  programs: readonly string[] = ["git", "rm", "cat", "npm", "bash"],
): Segmentation {
  return segmentsOf(
    { name: "command line", text },
    {
      cwd: absolutePath(CWD),
      home: absolutePath(HOME),
      env: ENV,
      findProgram: (name) => (programs.includes(name) ? `/bin/${name}` : undefined),
      realPath: (path) => path,
    },
  );
}

/** The evaluation of a text under a policy. */
export function judge(text: string, policy: Policy): Evaluation {
  return evaluate(segmentsIn(text), policy, { cwd: CWD, home: HOME, projectRoot: CWD, env: ENV });
}

function ruleOf(line: RuleLine) {
  const [, action, tool = "bash", pattern, flags] = /^(\w+) (?:([\w.*]+): )?(.*?)(?: \[([^\]]*)\])?$/s.exec(line) ?? [];
  return { action, tool, pattern, ...(flags === undefined ? {} : { flags: flags.split(" ") }) };
}
