import { isUtf8 } from "node:buffer";
import { check, type Guard, guardAt } from "../guard.ts";
import { type Policy, parseInline } from "../policy/index.ts";
import { failedResult, type Result } from "../result/index.ts";
import { DiagnosticError, LIMITS } from "../text/index.ts";
import type { Terminal } from "./command.ts";
import { EXIT } from "./exit.ts";

/** A command line of the largest size, every character of it escaped as JSON may do. */
const MOST_BYTES = LIMITS.textBytes * 7;

interface Question {
  readonly id?: unknown;
  readonly command?: unknown;
  readonly cwd?: unknown;
  readonly policy?: unknown;
}

/** Judges one JSON request a line and answers one JSON a line, in order. A line that cannot be read is answered with a no. */
export async function checkLines(guard: Guard, terminal: Terminal): Promise<number> {
  let failed = false;
  for await (const line of byteLines(terminal.stdin)) {
    if (line.length === 0) continue;
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

function answerLine(guard: Guard, line: Buffer): Answer {
  let question: Question = {};
  try {
    question = parseQuestion(line);
    return { id: question.id ?? null, ...check(guardFor(guard, question), commandOf(question)).result };
  } catch (error) {
    const { id = null, command } = question;
    const sent = typeof command === "string" ? command : "";
    return { id, ...failedResult(sent, guard.surroundings.cwd, messageOf(error)) };
  }
}

function parseQuestion(line: Buffer): Question {
  if (line.length > MOST_BYTES) throw new TypeError("bad-request: the line is too long");
  // What is no UTF-8 would be judged with other characters than it has.
  if (!isUtf8(line)) throw new TypeError("bad-request: the line is not UTF-8 text");
  const value: unknown = JSON.parse(line.toString("utf8"));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError("bad-request: a request is a JSON object");
  return value;
}

function commandOf({ command }: Question): string {
  if (typeof command !== "string") throw new TypeError("bad-request: `command` is a string");
  if (command.trim() === "") throw new TypeError("bad-request: the command line is empty");
  // Lone surrogates: no shell could be given it as it was judged.
  if (/\p{Surrogate}/u.test(command)) throw new TypeError("bad-request: `command` is not well-formed text");
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

/** The bytes of each line, without its end and blanks around it; of one that is too long only more than is read. */
async function* byteLines(input: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    if (length <= MOST_BYTES) parts.push(part);
    length += part.length;
  };
  const take = () => {
    const line = Buffer.concat(parts);
    parts = [];
    length = 0;
    return trimmed(line);
  };
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      add(bytes.subarray(from, end));
      yield take();
      from = end + 1;
    }
    add(bytes.subarray(from));
  }
  yield take();
}

function trimmed(line: Buffer): Buffer {
  const blank = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0d;
  let [start, end] = [0, line.length];
  while (start < end && blank(line[start])) start += 1;
  while (end > start && blank(line[end - 1])) end -= 1;
  return line.subarray(start, end);
}

function messageOf(error: unknown): string {
  if (error instanceof DiagnosticError || error instanceof TypeError) return error.message;
  return error instanceof SyntaxError ? `bad-request: the line is not JSON: ${error.message}` : String(error);
}
