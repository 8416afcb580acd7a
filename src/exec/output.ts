import { StringDecoder } from "node:string_decoder";
import { BYTES, Excerpt, UTF8 } from "./excerpt.ts";
import type { Truncation } from "./execution.ts";
import { MAX_SPOOL_BYTES, type Size } from "./launch.ts";
import { Screen } from "./screen.ts";
import { removeQuietly, Spool } from "./spool.ts";
import { begunBytes, TextCount } from "./text-count.ts";

/** What an output is read with. */
export interface OutputOptions {
  readonly size: Size;
  readonly maxBytes: number;
  readonly raw: boolean;
  readonly spoolPath: string;
  readonly maxSpoolBytes?: number | undefined;
}

/** How many of the last bytes are kept unread for the tail; colours and frames make them more than they show. */
const MIN_RECENT_BYTES = 524_288;

/**
 * The bytes of a terminal on their way to the result: screen, head and tail, spool file. Once the head is full the
 * bytes are only kept, the oldest dropped, and read at the end: a program that prints faster than a person could ever
 * read is not slowed down for it.
 */
export class Output {
  readonly #options: OutputOptions;
  readonly #decoder = new StringDecoder("utf8");
  readonly #excerpt: Excerpt;
  readonly #screen: Screen;
  readonly #recentLimit: number;
  #recent: Buffer[] = [];
  #recentStart = 0;
  #recentBytes = 0;
  readonly #dropped = new TextCount();
  #dropping = false;
  #lastRead: Buffer = Buffer.alloc(0);
  #early: Buffer[] = [];
  #bytes = 0;
  #spool: Spool | undefined;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#excerpt = new Excerpt(options.maxBytes, options.raw ? BYTES : UTF8);
    this.#screen = new Screen(options.size, (text) => this.#excerpt.add(text));
    this.#recentLimit = Math.max(MIN_RECENT_BYTES, options.maxBytes * 4);
  }

  write(chunk: Buffer): void {
    this.#keep(chunk);
    if (this.#options.raw) this.#excerpt.add(chunk.toString("latin1"));
    else if (this.#excerpt.headIsFull) this.#postpone(chunk);
    else {
      this.#screen.write(this.#decoder.write(chunk));
      this.#lastRead = chunk;
    }
  }

  /** The line on which a prompt would stand. */
  currentLine(): string {
    if (this.#recentBytes === 0) return this.#screen.currentLine();
    const last = new Screen(this.#options.size, () => {});
    last.write(Buffer.concat(this.#recent.slice(-4)).toString("utf8"));
    return last.currentLine();
  }

  finish(): { output: string; bytes?: Uint8Array; truncated: Truncation | null } {
    if (!this.#options.raw) this.#readRecent();
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

  #postpone(chunk: Buffer): void {
    this.#recent.push(chunk);
    this.#recentBytes += chunk.length;
    for (;;) {
      const first = this.#recent[this.#recentStart];
      if (first === undefined || this.#recentBytes - first.length < this.#recentLimit) break;
      this.#recentStart += 1;
      this.#recentBytes -= first.length;
      this.#drop(first);
    }
    if (this.#recentStart < 1_024) return;
    this.#recent = this.#recent.slice(this.#recentStart);
    this.#recentStart = 0;
  }

  #readRecent(): void {
    let recent: Buffer = Buffer.concat(this.#recent.slice(this.#recentStart));
    if (this.#recentStart > 0 || this.#dropped.bytes > 0) {
      this.#decoder.end();
      this.#screen.finish();
      const line = startOfText(recent);
      this.#drop(recent.subarray(0, line));
      this.#excerpt.skip(begunBytes(this.#lastRead) + this.#dropped.bytes);
      recent = recent.subarray(line);
    }
    this.#screen.write(this.#decoder.write(recent));
    this.#screen.write(this.#decoder.end());
    this.#screen.finish();
  }

  #drop(chunk: Uint8Array): void {
    if (!this.#dropping) this.#dropped.beginBehind(this.#lastRead);
    this.#dropping = true;
    this.#dropped.add(chunk);
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

/** Behind the first newline, if one is near; else behind the rest of a character that was cut. */
function startOfText(bytes: Buffer): number {
  const line = bytes.indexOf(0x0a) + 1;
  if (line > 0 && line < bytes.length / 2) return line;
  let at = 0;
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
