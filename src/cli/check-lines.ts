import { createInterface } from "node:readline";
import { check, type Guard, guardAt } from "../guard.ts";
import { type Policy, parseInline } from "../policy/index.ts";
import { failedResult, type Result } from "../result/index.ts";
import { DiagnosticError, LIMITS } from "../text/index.ts";
import type { Terminal } from "./command.ts";
import { EXIT } from "./exit.ts";

interface Question {
  readonly id?: unknown;
  readonly command?: unknown;
  readonly cwd?: unknown;
  readonly policy?: unknown;
}

/** Judges one JSON request a line and answers one JSON a line, in order. A line that cannot be read is answered with a no. */
export async function checkLines(guard: Guard, terminal: Terminal): Promise<number> {
  let failed = false;
  for await (const line of createInterface({ input: terminal.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const answer = answerLine(guard, line);
    failed ||= answer.kind === "failed";
    if (!terminal.stdout.write(`${JSON.stringify(answer)}\n`)) await drained(terminal.stdout);
  }
  return failed ? EXIT.usage : EXIT.ok;
}

/** No `once` of Node: it would take an error for itself, of which the process has to end. */
function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((done) => {
    stream.once("drain", done);
  });
}

type Answer = Result & { readonly id: unknown };

function answerLine(guard: Guard, line: string): Answer {
  let id: unknown = null;
  try {
    if (line.length > LIMITS.textBytes * 7) throw new TypeError("the line is too long");
    const question = parseQuestion(line);
    id = question.id ?? null;
    return { id, ...check(guardFor(guard, question), commandOf(question)).result };
  } catch (error) {
    return { id, ...failedResult("", guard.surroundings.cwd, messageOf(error)) };
  }
}

function parseQuestion(line: string): Question {
  const value: unknown = JSON.parse(line);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError("bad-request: a request is a JSON object");
  return value;
}

function commandOf({ command }: Question): string {
  if (typeof command !== "string") throw new TypeError("bad-request: `command` is a string");
  return command;
}

function guardFor(guard: Guard, { cwd, policy }: Question): Guard {
  if (cwd !== undefined && typeof cwd !== "string") throw new TypeError("bad-request: `cwd` is a string");
  const there = cwd === undefined ? guard : guardAt(guard, cwd);
  return policy === undefined ? there : withPolicy(there, inlinePolicy(there, policy));
}

function withPolicy(guard: Guard, policy: Policy): Guard {
  return { ...guard, loaded: { policy, files: [], entries: new Map() } };
}

function inlinePolicy({ surroundings }: Guard, policy: unknown): Policy {
  const { home, env } = surroundings;
  return parseInline(policy, { home, env, windows: false });
}

function messageOf(error: unknown): string {
  if (error instanceof DiagnosticError || error instanceof TypeError) return error.message;
  return error instanceof SyntaxError ? `bad-request: the line is not JSON: ${error.message}` : String(error);
}
