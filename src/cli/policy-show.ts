import { listGrants } from "../ask/grants.ts";
import { projectIdOf } from "../ask/project.ts";
import type { Guard } from "../guard.ts";
import { defaultOf, isOff } from "../policy/index.ts";
import { withStore } from "./answer-requests.ts";
import {
  CWD_OPTION,
  JSON_OPTION,
  type Parsed,
  POLICY_OPTION,
  type Terminal,
  UsageError,
  type Verb,
} from "./command.ts";
import { EXIT } from "./exit.ts";
import { openFor } from "./open.ts";
import { paintFor } from "./paint.ts";
import { type ShownDocument, shownDocument } from "./policy-document.ts";
import { renderPolicy } from "./policy-text.ts";

/** The JSON of `policy show`: every document in force, outermost first, with what it extends. */
export interface ShownPolicy {
  readonly version: 1;
  readonly cwd: string;
  /** There is no policy: everything runs. */
  readonly off: boolean;
  /** What holds where no rule speaks, and whose it is. */
  readonly default: { readonly decision: string; readonly source: string } | null;
  readonly documents: readonly ShownDocument[];
  /** What was answered with *always* in this project: it answers an ask, never a deny. */
  readonly grants: readonly ShownGrant[];
}

export interface ShownGrant {
  readonly id: number;
  readonly tool: string;
  readonly pattern: string;
  /** The pattern is a text, not a wildcard. */
  readonly exact: boolean;
  readonly scope: string;
}

export const policyShowVerb: Verb = {
  name: "policy show",
  summary: "all rules in force, with their layer, origin and trust",
  usage: ["policy show [--json]"],
  options: [JSON_OPTION, POLICY_OPTION, CWD_OPTION],
  examples: [
    ["guarded-sh policy show", "each file with its rules in order, outermost first; the strictest file wins"],
    ["guarded-sh policy show --json | jq '.documents[].rules[] | select(.action == \"deny\")'", ""],
  ],
  run: runShow,
};

async function runShow(parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.operands.length > 0) throw new UsageError("policy show takes no operand", policyShowVerb);
  const guard = openFor(policyShowVerb, parsed, terminal);
  const policy = { ...shownPolicy(guard), grants: grantsOf(guard, terminal) };
  const text = parsed.is("json")
    ? JSON.stringify(policy)
    : renderPolicy(policy, guard.surroundings.home, paintFor(terminal.colours));
  terminal.stdout.write(`${text}\n`);
  return EXIT.ok;
}

/** The policy of a guard as plain data. */
function shownPolicy({ loaded, surroundings: { cwd } }: Guard): Omit<ShownPolicy, "grants"> {
  const off = isOff(loaded.policy);
  const { decision, document } = defaultOf(loaded.policy);
  return {
    version: 1,
    cwd,
    off,
    default: off ? null : { decision, source: document },
    documents: loaded.policy.documents.map((document) =>
      shownDocument(
        document,
        loaded.files.find((file) => file.document === document),
      ),
    ),
  };
}

function grantsOf({ loaded, surroundings: { cwd } }: Guard, terminal: Terminal): readonly ShownGrant[] {
  const file = loaded.files.findLast(({ layer }) => layer === "project")?.path;
  const grants = withStore(terminal, (store) => listGrants(store, projectIdOf(cwd, file))) ?? [];
  return grants.map(({ id, tool, pattern, exact, scope }) => ({ id, tool, pattern, exact, scope }));
}
