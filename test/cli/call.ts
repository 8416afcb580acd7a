import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { main } from "../../src/cli/main.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** What one call of guarded-sh gave. */
export interface Called {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project of its own: a repository with these files, and a home beside it that holds nothing. */
export class Project {
  readonly root = temporaryFolder("guarded-sh-cli-");
  readonly cwd = join(this.root, "project");
  readonly home = join(this.root, "home");

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(join(this.cwd, ".git"), { recursive: true });
    mkdirSync(this.home);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const path = join(this.cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Calls guarded-sh in this process, with standard input that is empty. */
  async call(...argv: readonly string[]): Promise<Called> {
    return this.callWith("", ...argv);
  }

  /** The same with a text on standard input. */
  async callWith(input: string | Buffer, ...argv: readonly string[]): Promise<Called> {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const status = await main(argv, {
      stdin: Readable.from(input.length === 0 ? [] : [input]),
      stdout,
      stderr,
      env: { PATH: process.env.PATH, HOME: this.home },
      cwd: this.cwd,
      colours: false,
    });
    return { status, stdout: this.#neutral(stdout.text), stderr: this.#neutral(stderr.text) };
  }

  /** Calls a verb that does not end; ends when `more` says no to what was printed. */
  async watch(argv: readonly string[], more: (printed: string) => boolean): Promise<void> {
    const stderr = new Sink();
    await new Promise<void>((done, fail) => {
      const stdout = new Writable({
        write: (chunk: Buffer, _encoding, written) => {
          // Its loop waits for a write that never ends: there is no other way to leave it from here.
          if (more(chunk.toString("utf8"))) written();
          else done();
        },
      });
      const env = { PATH: process.env.PATH, HOME: this.home };
      const terminal = { stdin: Readable.from([]), stdout, stderr, env, cwd: this.cwd, colours: false };
      main(argv, terminal).then(() => fail(new Error(`it ended: ${stderr.text}`)), fail);
    });
  }

  #neutral(text: string): string {
    return text.replaceAll(this.cwd, "/project").replaceAll(this.home, "/home");
  }
}

class Sink extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
}

/** The widest line of a text. */
export function widest(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}
