import { StringDecoder } from "node:string_decoder";
import { BYTES, Excerpt, UTF8 } from "./excerpt.ts";
import type { Truncation } from "./execution.ts";
import { MAX_SPOOL_BYTES, type Size } from "./launch.ts";
import { Screen } from "./screen.ts";
import { removeQuietly, Spool } from "./spool.ts";

/** What an output is read with. */
export interface OutputOptions {
  readonly size: Size;
  readonly maxBytes: number;
  readonly raw: boolean;
  readonly spoolPath: string;
  readonly maxSpoolBytes?: number | undefined;
}

/** The bytes of a terminal on their way to the result: screen, head and tail, spool file. */
export class Output {
  readonly #options: OutputOptions;
  readonly #decoder = new StringDecoder("utf8");
  readonly #excerpt: Excerpt;
  readonly #screen: Screen;
  #early: Buffer[] = [];
  #bytes = 0;
  #spool: Spool | undefined;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#excerpt = new Excerpt(options.maxBytes, options.raw ? BYTES : UTF8);
    this.#screen = new Screen(options.size, (text) => this.#excerpt.add(text));
  }

  /** Takes bytes and returns them as text, whole characters only; invalid UTF-8 becomes U+FFFD. */
  write(chunk: Buffer): string {
    this.#keep(chunk);
    const text = this.#decoder.write(chunk);
    if (this.#options.raw) this.#excerpt.add(chunk.toString("latin1"));
    else this.#screen.write(text);
    return text;
  }

  /** The line on which a prompt would stand. */
  currentLine(): string {
    return this.#screen.currentLine();
  }

  finish(): { output: string; bytes?: Uint8Array; truncated: Truncation | null } {
    if (!this.#options.raw) {
      this.#screen.write(this.#decoder.end());
      this.#screen.finish();
    }
    this.#spool?.close();
    const { head, tail, omittedBytes } = this.#excerpt.result();
    if (omittedBytes === 0) {
      // Many bytes may end as few lines: a progress bar. Then nothing was left out and no file is needed.
      if (this.#spool?.usable) removeQuietly(this.#spool.path);
      return this.#result(head, null);
    }
    const truncated = { omittedBytes, file: this.#file(), complete: this.#spool?.complete ?? false };
    return this.#result(head + marker(head, truncated) + tail, truncated);
  }

  #keep(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#spool === undefined && this.#bytes > this.#options.maxBytes) {
      this.#spool = new Spool(this.#options.spoolPath, this.#options.maxSpoolBytes ?? MAX_SPOOL_BYTES);
      for (const early of this.#early) this.#spool.write(early);
      this.#early = [];
    }
    if (this.#spool === undefined) this.#early.push(chunk);
    else this.#spool.write(chunk);
  }

  #file(): string | undefined {
    return this.#spool?.usable ? this.#spool.path : undefined;
  }

  #result(text: string, truncated: Truncation | null) {
    if (!this.#options.raw) return { output: text, truncated };
    const bytes = Buffer.from(text, "latin1");
    return { output: bytes.toString("utf8"), bytes, truncated };
  }
}

function marker(head: string, { omittedBytes, file, complete }: Truncation): string {
  const where =
    file === undefined
      ? "no file could be written"
      : `${complete ? "the whole output" : "its beginning"} is in ${file}`;
  const start = head === "" || head.endsWith("\n") ? "" : "\n";
  return `${start}[guarded-sh: ${omittedBytes} bytes left out; ${where}]\n`;
}
