import { SESSION_OPTION } from "./approver.ts";
import { JSON_OPTION, type Verb } from "./command.ts";
import { runLog } from "./show-log.ts";

export const logVerb: Verb = {
  name: "log",
  summary: "decisions so far: what was asked, answered and denied",
  usage: ["log [--json] [--limit N] [--session ID]", "log --rules"],
  options: [
    JSON_OPTION,
    SESSION_OPTION,
    { name: "limit", value: "N", help: "only the last N (default 20; all with --json)" },
    { name: "rules", help: "rules for what people approved more than once, as TOML" },
  ],
  examples: [
    ["guarded-sh log", ""],
    ["guarded-sh log --json | jq 'select(.outcome == \"denied\") | .text'", ""],
  ],
  run: (parsed, terminal) => runLog(logVerb, parsed, terminal),
};
