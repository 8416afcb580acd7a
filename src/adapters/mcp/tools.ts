import resultSchema from "../../result/result.schema.json" with { type: "json" };

// `id` belongs to `check --stdin-jsonl` only, and clients take no boolean in place of a property's schema.
const { $schema: _dialect, $id: _id, properties, $defs, ...schema } = resultSchema;
const { id: _line, ...results } = properties;
/** The result's schema in what the old and the new dialects have in common: clients compile either. */
const outputSchema = { ...older({ ...schema, properties: results, $defs }), type: "object" as const };

/** A list of fixed length is `prefixItems` with `items: false` in the new dialect, which lets nothing in for the old one. */
function older(node: object): Record<string, unknown> {
  const table = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, olderValue(value)]));
  const { prefixItems, ...rest } = table;
  return Array.isArray(prefixItems) ? { ...rest, items: prefixItems[0] as unknown } : table;
}

function olderValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(olderValue);
  return typeof value === "object" && value !== null ? older(value) : value;
}

/** The longest time limit of one call, in ms. */
export const LONGEST_MS = 24 * 60 * 60 * 1000;

const BASH = [
  "Run a bash command line. Every command in it is judged by the user's rules before any of it runs: if one is refused, nothing has run.",
  "A refusal names the part, the rule and what to do instead: do that, or ask the user; do not rephrase the command to get around it.",
  "The directory persists between calls, there is nobody at the keyboard, and `check` says beforehand what is allowed.",
].join("\n");

const CHECK = [
  "Judge a bash command line by the user's rules and run nothing.",
  "The answer lists every command in it with the decision (allow, ask, deny), the deciding rule and its place.",
].join("\n");

const command = { type: "string", description: "the bash command line" };
const cwd = { type: "string", description: "the directory, relative to the present one; for this call only" };

/** The tools as a client lists them. */
export const TOOLS = [
  {
    name: "bash",
    title: "Bash under rules",
    description: BASH,
    inputSchema: {
      type: "object" as const,
      properties: {
        command,
        timeout_ms: { type: "integer", minimum: 1, maximum: LONGEST_MS, description: "time limit, default 120000" },
        cwd,
        stdin: { type: "string", description: "text on standard input; without it standard input is empty" },
        background: { type: "boolean", description: "answer at once with the number of a job" },
        job: {
          type: "string",
          description: "instead of a command: wait up to timeout_ms for a job and give its result",
        },
        description: { type: "string", description: "what the command is for, in a few words" },
      },
      additionalProperties: false,
    },
    outputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: "check",
    title: "Judge a command line",
    description: CHECK,
    inputSchema: {
      type: "object" as const,
      properties: { command, cwd },
      required: ["command"],
      additionalProperties: false,
    },
    outputSchema,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
];

/** What a client shows its model once, at the start. */
export const INSTRUCTIONS =
  "Use the tool `bash` for every command line. The user's rules decide; a denial is final until the user changes them.";
