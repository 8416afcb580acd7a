import resultSchema from "../../result/result.schema.json" with { type: "json" };

const { $schema: _dialect, $id: _id, ...outputSchema } = resultSchema;

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
    outputSchema: { ...outputSchema, type: "object" as const },
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
    outputSchema: { ...outputSchema, type: "object" as const },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
];

/** What a client shows its model once, at the start. */
export const INSTRUCTIONS =
  "Use the tool `bash` for every command line. The user's rules decide; a denial is final until the user changes them.";
