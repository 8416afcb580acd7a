import { runRequests } from "./answer-requests.ts";
import { SESSION_OPTION } from "./approver.ts";
import { JSON_OPTION, type Verb } from "./command.ts";

export const requestsVerb: Verb = {
  name: "requests",
  summary: "answer what waits for approval",
  usage: [
    "requests",
    "requests list [--json]",
    "requests reply ID once|always|reject [--feedback TEXT] [--scope session|project] [--pattern P]…",
  ],
  options: [
    JSON_OPTION,
    SESSION_OPTION,
    { name: "feedback", value: "TEXT", help: "with reject: what to do instead" },
    { name: "scope", value: "SCOPE", help: "with always: session (default) or project" },
    { name: "pattern", value: "P", many: true, help: "with always: what to store, instead of what is proposed" },
  ],
  examples: [
    ["guarded-sh requests", "a screen of all that waits; ↑ ↓ and Enter"],
    ["guarded-sh requests reply 3f9c once", "the beginning of an id is enough"],
    ["guarded-sh requests reply 3f9c always --scope project --pattern 'git push origin *'", ""],
  ],
  run: (parsed, terminal) => runRequests(requestsVerb, parsed, terminal),
};
