import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as delay } from "node:timers/promises";
import { Census, RUN_VARIABLE } from "./census.ts";
import { endTree } from "./ending.ts";
import { type Execution, notStarted } from "./execution.ts";
import type { Exit } from "./exit.ts";
import { DEFAULT_SIZE, type Launch, QUIET_MS, type Size } from "./launch.ts";
import { Output } from "./output.ts";
import { mayMove, takeReport, writePrologue } from "./prologue.ts";
import type { RunOptions } from "./run-terminal.ts";
import { makeSpoolDirectory, spoolPath } from "./spool.ts";
import { argvOf, argvWithoutFiles, startFault, systemFault } from "./start.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { waitsForInput } from "./waiting.ts";
import { watchOverRun } from "./watcher.ts";

/** How often a running command is looked at: who belongs to it, and whether it waits, in ms. */
const LOOK_MS = 1_000;
/** How long a process that was found at the end may take to end by itself before it counts as left behind, in ms. */
const SETTLE_MS = 25;

type Ended = Extract<Exit, { kind: "timed-out" | "cancelled" }>;

/** One command line on a terminal of its own, from the checks before its start to what it left behind. */
export class TerminalRun {
  readonly #launch: Launch;
  readonly #options: RunOptions;
  readonly #id = randomUUID();
  readonly #started = performance.now();
  readonly #output: Output;
  readonly #decoder = new StringDecoder("utf8");
  readonly #timers: NodeJS.Timeout[] = [];
  #terminal: Terminal | undefined;
  #census: Census | undefined;
  /** Text that waits to be typed: before the terminal is there, or before the command reads. */
  #untyped = "";
  #lastOutput = performance.now();
  #waiting: { line: string } | null = null;
  #ended: Ended | undefined;
  #ending: Promise<void> | undefined;
  #over = false;

  constructor(launch: Launch, options: RunOptions) {
    this.#launch = launch;
    this.#options = options;
    this.#output = new Output({
      size: launch.size ?? DEFAULT_SIZE,
      maxBytes: launch.maxOutputBytes,
      raw: launch.raw === true,
      spoolPath: spoolPath(launch.spoolDirectory, this.#id, "output"),
      maxSpoolBytes: launch.maxSpoolBytes,
    });
  }

  async execute(): Promise<Execution> {
    const fault = startFault(this.#launch) ?? this.#prepare();
    if (fault !== undefined) return this.#refuse(fault);
    if (this.#options.signal?.aborted) return this.#refuse(cancelled(this.#options.signal));
    try {
      this.#terminal = await openTerminal(this.#launch.size ?? DEFAULT_SIZE, (chunk) => this.#receive(chunk));
    } catch (error) {
      return this.#refuse(systemFault("no-terminal", "no terminal could be opened", error));
    }
    try {
      return await this.#run(this.#terminal);
    } finally {
      this.#finish();
    }
  }

  write(text: string): boolean {
    if (this.#over || this.#launch.terminalInput !== true) return false;
    if (this.#terminal === undefined || this.#untyped !== "") this.#untyped += text;
    else this.#terminal.write(text);
    return true;
  }

  resize(size: Size): void {
    this.#terminal?.resize(size);
  }

  #refuse(exit: Parameters<typeof notStarted>[0]): Execution {
    this.#finish();
    return notStarted(exit, this.#launch.cwd);
  }

  /** Makes the files that have to be there before the shell starts. */
  #prepare(): Extract<Exit, { kind: "not-started" }> | undefined {
    const { spoolDirectory, stdin } = this.#launch;
    if (spoolDirectory === "") return undefined;
    try {
      makeSpoolDirectory(spoolDirectory);
      if (stdin === undefined || this.#launch.terminalInput) return undefined;
      writeFileSync(spoolPath(spoolDirectory, this.#id, "stdin"), stdin, { mode: 0o600, flag: "wx" });
      return undefined;
    } catch (error) {
      return systemFault("no-spool", `\`${spoolDirectory}\` cannot be used`, error);
    }
  }

  async #run(terminal: Terminal): Promise<Execution> {
    const child = this.#spawn(terminal);
    if ("kind" in child) return this.#refuse(child);
    const { pid } = child;
    if (pid === undefined) {
      const [error] = await once(child, "error");
      return this.#refuse(systemFault("system", "bash could not be started", error));
    }
    const exited = once(child, "exit");
    this.#census = new Census(this.#id, pid, true);
    const stopWatching = watchOverRun(this.#launch.shell, this.#id, pid, true);
    try {
      this.#supervise(this.#census);
      const [code, signal] = await exited;
      return await this.#settle(terminal, this.#census, code, signal);
    } finally {
      stopWatching();
    }
  }

  #spawn(terminal: Terminal): ChildProcess | Extract<Exit, { kind: "not-started" }> {
    const opened: number[] = [];
    const open = (descriptor: number) => {
      opened.push(descriptor);
      return descriptor;
    };
    try {
      const output = open(terminal.openForOutput());
      const withFiles = this.#launch.spoolDirectory !== "";
      const [program, ...argv] = withFiles ? argvOf(this.#launch) : argvWithoutFiles(this.#launch);
      const { stdin, terminalInput } = this.#launch;
      const piped = !withFiles && stdin !== undefined && !terminalInput;
      const child = spawn(program, argv, {
        stdio: [piped ? "pipe" : open(this.#openInput(terminal)), output, output],
        // A session and group of its own. It gets no controlling terminal: what asks for a password on /dev/tty fails
        // at once, and background processes are not hung up when the shell ends.
        detached: true,
        cwd: this.#launch.cwd,
        env: this.#environment(terminal),
      });
      // A command that does not read its input is no fault.
      child.stdin?.on("error", () => {}).end(stdin);
      return child;
    } catch (error) {
      return systemFault("system", "bash could not be started", error);
    } finally {
      for (const descriptor of opened) closeSync(descriptor);
    }
  }

  #openInput(terminal: Terminal): number {
    const { stdin, terminalInput, spoolDirectory } = this.#launch;
    if (terminalInput) return terminal.openForInput();
    if (stdin === undefined) return openSync("/dev/null", constants.O_RDONLY);
    return openSync(spoolPath(spoolDirectory, this.#id, "stdin"), constants.O_RDONLY);
  }

  #environment(terminal: Terminal): Record<string, string> {
    const { env, cwd, commandLine, captureState, terminalInput, spoolDirectory } = this.#launch;
    const prologue = {
      directory: mayMove(commandLine),
      exports: captureState?.exports === true,
      ...(terminalInput ? { terminal: terminal.path } : {}),
    };
    const outer = env[RUN_VARIABLE];
    return {
      ...env,
      PWD: cwd,
      // A run inside a run belongs to both.
      [RUN_VARIABLE]: outer === undefined ? this.#id : `${outer}:${this.#id}`,
      ...(spoolDirectory === "" ? {} : { BASH_ENV: writePrologue(spoolDirectory, this.#id, prologue, commandLine) }),
    };
  }

  #receive(chunk: Buffer): void {
    this.#lastOutput = performance.now();
    // What a program prints while it is ended does not answer its question.
    if (this.#ended === undefined) this.#waiting = null;
    this.#options.onBytes?.(chunk);
    this.#output.write(chunk);
    if (this.#options.onOutput === undefined) return;
    const text = this.#decoder.write(chunk);
    if (text !== "") this.#options.onOutput(text);
  }

  /** Starts everything that may end the run before it ends itself. */
  #supervise(census: Census): void {
    const { timeoutMs, stdin, terminalInput, quietMs = QUIET_MS } = this.#launch;
    const { signal } = this.#options;
    if (timeoutMs !== undefined) {
      const left = Math.max(0, timeoutMs - (performance.now() - this.#started));
      this.#timers.push(setTimeout(() => this.#end({ kind: "timed-out", afterMs: timeoutMs }), left));
    }
    if (signal !== undefined) {
      signal.addEventListener("abort", this.#onAbort);
      if (signal.aborted) this.#onAbort();
    }
    if (terminalInput) this.#prepareTyping(census, stdin);
    const everyMs = Math.min(LOOK_MS, Math.max(50, quietMs / 2));
    this.#timers.push(setInterval(() => this.#look(census, quietMs), everyMs));
  }

  readonly #onAbort = (): void => {
    if (this.#options.signal !== undefined) this.#end(cancelled(this.#options.signal));
  };

  /**
   * Input that is given beforehand is typed when the command reads for the first time: a password prompt throws away
   * what was typed before it, and until it has switched echo off the text would show.
   */
  #prepareTyping(census: Census, stdin: string | undefined): void {
    if (stdin === undefined) {
      this.#terminal?.write(this.#untyped);
      this.#untyped = "";
      return;
    }
    this.#untyped = `${stdin}${stdin.endsWith("\n") ? "" : "\n"}\u0004${this.#untyped}`;
    const timer = setInterval(() => {
      if (this.#terminal === undefined || !waitsForInput(census, this.#terminal.path)) return;
      clearInterval(timer);
      this.#terminal.write(this.#untyped);
      this.#untyped = "";
    }, 50);
    this.#timers.push(timer);
  }

  #look(census: Census, quietMs: number): void {
    census.glance();
    if (this.#terminal === undefined || this.#waiting !== null || this.#untyped !== "") return;
    // A busy process runs its timers before it reads what has come.
    this.#terminal.drain((chunk) => this.#receive(chunk));
    if (performance.now() - this.#lastOutput < quietMs || !waitsForInput(census, this.#terminal.path)) return;
    this.#waiting = { line: this.#output.currentLine() };
    this.#options.onPrompt?.(this.#waiting.line);
    const { onWaiting = this.#launch.terminalInput ? "report" : "end" } = this.#launch;
    if (onWaiting === "end") this.#end({ kind: "cancelled", by: "waiting" });
  }

  /** The first cause to end the run is the one that is reported. */
  #end(exit: Ended): void {
    if (this.#ended !== undefined || this.#over || this.#census === undefined) return;
    this.#ended = exit;
    this.#ending = endTree(this.#census);
  }

  async #settle(terminal: Terminal, census: Census, code: number | null, signal: string | null): Promise<Execution> {
    terminal.drain((chunk) => this.#receive(chunk));
    const durationMs = Math.round(performance.now() - this.#started);
    await this.#ending;
    this.#over = true;
    if (this.#ending !== undefined) terminal.drain((chunk) => this.#receive(chunk));
    const background = await this.#leftBehind(census);
    if (background.length > 0) terminal.handOver(this.#launch.shell);
    const report = takeReport(this.#launch.spoolDirectory, this.#id);
    const moved = mayMove(this.#launch.commandLine);
    return {
      exit: this.#ended ?? (signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signaled", signal }),
      ...this.#output.finish(),
      durationMs: this.#ended === undefined ? durationMs : Math.round(performance.now() - this.#started),
      cwd: report.directory ?? this.#launch.cwd,
      cwdKnown: !moved || report.directory !== undefined,
      background,
      waiting: this.#waiting,
      ...(report.exports === undefined ? {} : { exports: report.exports }),
    };
  }

  /** Found at the end and still there a moment later: not the last breath of a pipeline. */
  async #leftBehind(census: Census): Promise<Execution["background"]> {
    const found = census.background();
    if (found.length === 0) return found;
    await delay(SETTLE_MS);
    return census.background();
  }

  #finish(): void {
    this.#over = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#terminal?.close();
    takeReport(this.#launch.spoolDirectory, this.#id);
  }
}

function cancelled(signal: AbortSignal): Extract<Exit, { kind: "cancelled" }> {
  const { reason } = signal;
  if (typeof reason === "string" && /^SIG[A-Z]+$/.test(reason))
    return { kind: "cancelled", by: "signal", signal: reason };
  return { kind: "cancelled", by: "caller" };
}
