import { homedir } from "node:os";
import { createInterface, type Interface } from "node:readline";
import { ReadStream } from "node:tty";
import { isComplete } from "../guard.ts";
import { escapeText, isInside } from "../text/index.ts";
import type { Terminal } from "./command.ts";
import { messageOf } from "./error-message.ts";
import { EXIT } from "./exit.ts";
import { statusOf } from "./run.ts";
import type { ShellCall } from "./shell-call.ts";
import { denialForm, writeDenial } from "./shell-denial.ts";
import { DEEPEST, depthOf } from "./shell-depth.ts";
import { runShellText } from "./shell-text.ts";

/** What one input leaves for the next. */
interface State {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly status: number;
}

const EXIT_INPUT = /^\s*(?:exit|logout)(?:\s+(\d+))?\s*;?\s*$/;

/**
 * Reads commands from a person until `exit` or the end of the input; every one is judged. Each runs in a bash of its
 * own, which is given the directory and the exported variables that the one before it left.
 */
export async function runLoop(call: Extract<ShellCall, { kind: "input" }>, terminal: Terminal): Promise<number> {
  const depth = depthOf(terminal);
  if (depth >= DEEPEST) {
    terminal.stderr.write(`guarded-sh: it was started inside itself ${DEEPEST} times (GUARDED_SH_DEPTH)\n`);
    return EXIT.failed;
  }
  const lines = new Lines(terminal);
  let state: State = { cwd: terminal.cwd, env: { ...terminal.env, GUARDED_SH_DEPTH: `${depth + 1}` }, status: 0 };
  try {
    for (;;) {
      const text = await readText(lines, promptOf(state));
      if (text === undefined) return state.status;
      const leaving = EXIT_INPUT.exec(text);
      if (leaving !== null) return leaving[1] === undefined ? state.status : Number(leaving[1]) % 256;
      if (text.trim() !== "") state = await lines.aside(() => runInput(text, call, state, terminal));
    }
  } finally {
    lines.close();
  }
}

function promptOf({ cwd, env }: State): string {
  const home = env.HOME ?? homedir();
  return `guarded-sh ${escapeText(isInside(cwd, home) ? `~${cwd.slice(home.length)}` : cwd)}$ `;
}

/** Lines until bash would run them as they are; undefined at the end of the input. */
async function readText(lines: Lines, prompt: string): Promise<string | undefined> {
  let text = "";
  for (;;) {
    const line = await lines.next(text === "" ? prompt : "> ");
    if (line.kind === "end") return text === "" ? undefined : text;
    if (line.kind === "interrupt") text = "";
    else {
      text += (text === "" ? "" : "\n") + line.text;
      if (await isComplete(text)) return text;
    }
  }
}

async function runInput(
  text: string,
  { options, parameters }: Extract<ShellCall, { kind: "input" }>,
  state: State,
  terminal: Terminal,
): Promise<State> {
  const { cwd, env } = state;
  try {
    const job = { text, name: "bash", parameters, options, cwd, env, keepState: true };
    const outcome = await runShellText(job, { ...terminal, env, cwd });
    if (outcome.kind === "declined") return state;
    writeDenial(outcome, denialForm({ env }), terminal);
    const { execution } = outcome;
    const kept = execution?.exports === undefined ? {} : { env: execution.exports };
    return { ...state, ...kept, cwd: execution?.cwd ?? cwd, status: statusOf(outcome) };
  } catch (error) {
    terminal.stderr.write(`${messageOf(error, ", nothing was run")}\n`);
    return { ...state, status: EXIT.failed };
  }
}

type Line =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "interrupt" }
  | { readonly kind: "end" };

/** A person's lines, with editing and history. What was typed or pasted ahead waits for its turn. */
class Lines {
  readonly #interface: Interface;
  readonly #terminal: Terminal;
  readonly #ahead: Line[] = [];
  #waiting: ((line: Line) => void) | undefined;
  #closed = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#interface = createInterface({
      input: terminal.stdin,
      output: terminal.stderr,
      terminal: true,
      historySize: 1000,
      removeHistoryDuplicates: true,
    });
    this.#interface.on("line", (text) => this.#give({ kind: "line", text }));
    this.#interface.on("SIGINT", () => {
      this.#terminal.stderr.write("^C\n");
      this.#interface.write(null, { ctrl: true, name: "u" });
      this.#give({ kind: "interrupt" });
    });
    this.#interface.on("close", () => {
      this.#closed = true;
      this.#give({ kind: "end" });
    });
  }

  next(prompt: string): Promise<Line> {
    const ready = this.#ahead.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.#closed) return Promise.resolve({ kind: "end" });
    return new Promise((done) => {
      this.#waiting = done;
      this.#interface.setPrompt(prompt);
      this.#interface.prompt();
    });
  }

  /** Leaves the terminal to a command while it runs. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.#interface.pause();
    this.#raw(false);
    try {
      return await work();
    } finally {
      this.#raw(true);
      if (!this.#closed) this.#interface.resume();
    }
  }

  close(): void {
    this.#interface.close();
    this.#raw(false);
  }

  #give(line: Line): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#ahead.push(line);
    else waiting(line);
  }

  #raw(on: boolean): void {
    const { stdin } = this.#terminal;
    if (stdin instanceof ReadStream && stdin.isTTY && !(on && this.#closed)) stdin.setRawMode(on);
  }
}
