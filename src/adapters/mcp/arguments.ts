import { z } from "zod";
import { LONGEST_MS } from "./tools.ts";

const commandLine = z.string().refine((text) => text.trim() !== "", { message: "the command line is empty" });

const bash = z
  .strictObject({
    command: commandLine.optional(),
    timeout_ms: z.number().int().positive().max(LONGEST_MS).optional(),
    cwd: z.string().optional(),
    stdin: z.string().optional(),
    background: z.boolean().optional(),
    job: z.string().optional(),
    description: z.string().optional(),
  })
  .refine((input) => (input.command === undefined) !== (input.job === undefined), {
    message: "give either `command` or `job`",
  });

const check = z.strictObject({ command: commandLine, cwd: z.string().optional() });

export type BashArguments = z.infer<typeof bash>;
export type CheckArguments = z.infer<typeof check>;

/** The arguments of `bash`. Throws an error with one line for the model. */
export function readBash(input: unknown): BashArguments {
  return read(bash, input);
}

/** The arguments of `check`. Throws an error with one line for the model. */
export function readCheck(input: unknown): CheckArguments {
  return read(check, input);
}

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue === undefined || issue.path.length === 0 ? "" : `\`${issue.path.join(".")}\`: `;
  throw new TypeError(`arguments: ${path}${issue?.message ?? "not as the schema says"}`);
}
