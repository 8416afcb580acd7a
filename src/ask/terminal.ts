import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { isatty, ReadStream, WriteStream } from "node:tty";
import { escapeText, shorten } from "../text/index.ts";
import {
  type Asker,
  type AskPart,
  type AskRequest,
  OWN_SESSION,
  type Proposal,
  type Reply,
  type Scope,
  type Storing,
} from "./asker.ts";
import { proposalText, questionLines } from "./question.ts";

/** The two ends of a terminal. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly columns?: number };
}

/** The terminal of this process (`/dev/tty`), or undefined when there is none, or it belongs to another job now. */
export function terminalAsker(): Asker | undefined {
  if (!hasTerminal()) return undefined;
  return {
    screen: screenName(),
    async ask(request, signal, storing) {
      const input = new ReadStream(openSync("/dev/tty", "r"));
      const output = new WriteStream(openSync("/dev/tty", "w"));
      try {
        return await askOnTerminal(request, signal, storing, { input, output });
      } finally {
        input.destroy();
        output.destroy();
      }
    },
  };
}

function hasTerminal(): boolean {
  // A host that owns the terminal starts us on pipes: a question there would be drawn into its screen.
  if (![0, 1, 2].some((descriptor) => isatty(descriptor)) || !inForeground()) return false;
  try {
    closeSync(openSync("/dev/tty", "r+"));
    return true;
  } catch {
    return false;
  }
}

/** A background job that reads the terminal is stopped, and would wait for ever. Where the system does not tell: yes. */
function inForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[2] === fields[5];
  } catch {
    return true;
  }
}

function screenName(): string {
  const descriptor = [0, 1, 2].find((one) => isatty(one));
  return `tty ${descriptor === undefined ? "" : fstatSync(descriptor).rdev}`;
}

/** ms in which keys that were meant for something else are thrown away before the question is put. */
const SETTLE_MS = 250;

/** Puts a question on a terminal and gives the answer. Keyboard only. */
export async function askOnTerminal(
  request: AskRequest,
  signal: AbortSignal,
  storing: Storing,
  streams: TerminalStreams,
): Promise<Reply> {
  const { elided, lines } = questionLines(request, columnsOf(streams));
  streams.output.write(`\n${lines.join("\n")}\n`);
  await dropTypedAhead(streams, signal);
  const prompts = await import("@clack/prompts");
  const dialogue: Dialogue = { request, storing, streams, prompts, common: { ...commonOf(streams), signal } };
  for (;;) {
    const choice = await dialogue.prompts.select({
      ...dialogue.common,
      message: "your answer",
      options: choicesFor(request, elided),
    });
    if (prompts.isCancel(choice)) return { kind: "cancelled" };
    const reply = await replyFor(choice, dialogue);
    if (reply !== undefined) return reply;
  }
}

function commonOf({ input, output }: TerminalStreams) {
  return { input: input as ReadStream, output: output as WriteStream };
}

function columnsOf({ output }: TerminalStreams): number {
  return Math.min(output.columns ?? 80, 120);
}

async function dropTypedAhead({ input }: TerminalStreams, signal: AbortSignal): Promise<void> {
  const raw = input as ReadStream;
  raw.setRawMode?.(true);
  const drop = () => {};
  raw.on("data", drop);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, SETTLE_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  raw.off("data", drop);
  raw.pause();
  raw.setRawMode?.(false);
}

interface Dialogue {
  readonly request: AskRequest;
  readonly storing: Storing;
  readonly streams: TerminalStreams;
  readonly prompts: typeof import("@clack/prompts");
  readonly common: { readonly input: ReadStream; readonly output: WriteStream; readonly signal: AbortSignal };
}

type Choice = "once" | Scope | "edit" | "reject" | "correct" | "read";

function choicesFor({ proposals, session }: AskRequest, elided: boolean) {
  // "always in this project: " and the frame leave so much of 80 columns.
  const what = shorten(proposals.map(proposalText).join(", "), 48);
  const except = proposals.flatMap(({ except }) => except ?? []);
  const hint = except.length === 0 ? {} : { hint: shorten(`still denied: ${except.map(escapeText).join(", ")}`, 60) };
  return [
    ...(elided ? [{ value: "read" as Choice, label: "read the whole text" }] : []),
    { value: "once" as Choice, label: "allow once" },
    ...(proposals.length === 0
      ? []
      : [
          ...(session.startsWith(OWN_SESSION)
            ? []
            : [{ value: "session" as Choice, label: `always in this session: ${what}`, ...hint }]),
          { value: "project" as Choice, label: `always in this project: ${what}`, ...hint },
          { value: "edit" as Choice, label: "always, with another pattern" },
        ]),
    { value: "reject" as Choice, label: "reject" },
    { value: "correct" as Choice, label: "reject and say what to do instead" },
  ];
}

/** Undefined: back to the choices. */
async function replyFor(choice: Choice, dialogue: Dialogue): Promise<Reply | undefined> {
  const { request, streams } = dialogue;
  switch (choice) {
    case "once":
      return { kind: "once" };
    case "session":
    case "project":
      return { kind: "always", proposals: request.proposals, scope: choice };
    case "edit":
      return editedReply(dialogue);
    case "reject":
      return { kind: "reject" };
    case "correct":
      return correction(dialogue);
    case "read":
      streams.output.write(`${questionLines(request, columnsOf(streams), true).lines.join("\n")}\n`);
      return undefined;
  }
}

async function correction({ prompts, common }: Dialogue): Promise<Reply | undefined> {
  const feedback = await prompts.text({ ...common, message: "what to do instead" });
  if (prompts.isCancel(feedback)) return undefined;
  return feedback === undefined || feedback.trim() === "" ? { kind: "reject" } : { kind: "reject", feedback };
}

async function editedReply(dialogue: Dialogue): Promise<Reply | undefined> {
  const { request, storing, streams, prompts, common } = dialogue;
  const chosen: Proposal[] = [];
  for (const part of request.parts) {
    const proposal = await choosePattern(part, dialogue);
    if (proposal === undefined) return undefined;
    chosen.push(proposal);
  }
  const why = storing.whyNot(chosen);
  if (why !== undefined) {
    streams.output.write(`  ${escapeText(why)}\n`);
    return undefined;
  }
  const scope = await prompts.select({
    ...common,
    message: "for how long",
    options: [
      { value: "session" as Scope, label: "this session" },
      { value: "project" as Scope, label: "this project, also later" },
    ],
  });
  return prompts.isCancel(scope) ? undefined : { kind: "always", proposals: chosen, scope };
}

async function choosePattern(part: AskPart, { prompts, common }: Dialogue): Promise<Proposal | undefined> {
  const what = escapeText(shorten(part.subject.replace(/\s+/g, " "), 60));
  const known = part.proposals.map((proposal, i) => ({ value: i, label: proposalText(proposal) }));
  const choice = await prompts.select({
    ...common,
    message: `what covers \`${what}\``,
    options: [...known, { value: -1, label: "type a pattern" }],
  });
  if (prompts.isCancel(choice)) return undefined;
  const picked = part.proposals[choice];
  return picked ?? typedPattern(part, what, { prompts, common });
}

async function typedPattern(
  part: AskPart,
  what: string,
  { prompts, common }: Pick<Dialogue, "prompts" | "common">,
): Promise<Proposal | undefined> {
  const pattern = await prompts.text({
    ...common,
    message: `pattern for \`${what}\`: * is any text, ? one character`,
    initialValue: part.proposals[0]?.pattern ?? "",
  });
  if (prompts.isCancel(pattern) || pattern === undefined) return undefined;
  return part.proposals.find((proposal) => proposal.pattern === pattern) ?? { tool: part.tool, pattern, exact: false };
}
