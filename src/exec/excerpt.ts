/** How lengths are counted and where text may be cut. */
export interface Measure {
  bytes(text: string): number;
  /** The longest beginning of at most `limit` bytes that ends between characters, as an index. */
  cut(text: string, limit: number): number;
}

/** Text counted as UTF-8 and cut between code points. */
export const UTF8: Measure = {
  bytes: (text) => Buffer.byteLength(text),
  cut(text, limit) {
    let bytes = 0;
    let at = 0;
    for (const character of text) {
      bytes += Buffer.byteLength(character);
      if (bytes > limit) break;
      at += character.length;
    }
    return at;
  },
};

/** Bytes kept one a character (latin1), cut between UTF-8 characters. */
export const BYTES: Measure = {
  bytes: (text) => text.length,
  cut(text, limit) {
    let at = Math.min(limit, text.length);
    for (let back = 0; back < 3 && (text.charCodeAt(at) & 0xc0) === 0x80; back += 1) at -= 1;
    return Math.max(at, 0);
  },
};

/** Keeps the head and the tail of a stream of text in memory that does not grow. */
export class Excerpt {
  readonly #measure: Measure;
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head = "";
  #headBytes = 0;
  #headOpen = true;
  #tail: { text: string; bytes: number }[] = [];
  #tailStart = 0;
  #tailBytes = 0;
  #omitted = 0;

  constructor(maxBytes: number, measure: Measure) {
    this.#measure = measure;
    this.#headLimit = Math.ceil(maxBytes / 2);
    this.#tailLimit = Math.floor(maxBytes / 2);
  }

  add(text: string): void {
    if (text === "") return;
    const rest = this.#headOpen ? this.#addToHead(text) : text;
    if (rest !== "") this.#addToTail(rest);
  }

  /** The head will not grow any more: from here on only the end of what comes matters. */
  get headIsFull(): boolean {
    return !this.#headOpen;
  }

  /** Counts bytes that were never added, and with them everything since the head. */
  skip(bytes: number): void {
    this.#omitted += bytes + this.#tailBytes;
    this.#tail = [];
    this.#tailStart = 0;
    this.#tailBytes = 0;
    this.#headOpen = false;
  }

  /** Head and tail, cut at line ends where those are near, and the bytes that lie between. */
  result(): { head: string; tail: string; omittedBytes: number } {
    const tail = this.#tail
      .slice(this.#tailStart)
      .map((piece) => piece.text)
      .join("");
    if (this.#headBytes + this.#tailBytes + this.#omitted <= this.#headLimit + this.#tailLimit) {
      return { head: this.#head + tail, tail: "", omittedBytes: 0 };
    }
    const head = this.#head.slice(0, lineEndBefore(this.#head));
    const keptTail = this.#cutTail(tail);
    const lost = this.#headBytes - this.#measure.bytes(head) + this.#tailBytes - this.#measure.bytes(keptTail);
    return { head, tail: keptTail, omittedBytes: this.#omitted + lost };
  }

  #addToHead(text: string): string {
    const bytes = this.#measure.bytes(text);
    if (this.#headBytes + bytes <= this.#headLimit) {
      this.#head += text;
      this.#headBytes += bytes;
      return "";
    }
    const at = this.#measure.cut(text, this.#headLimit - this.#headBytes);
    this.#head += text.slice(0, at);
    this.#headBytes += this.#measure.bytes(text.slice(0, at));
    this.#headOpen = false;
    return text.slice(at);
  }

  #addToTail(text: string): void {
    const bytes = this.#measure.bytes(text);
    this.#tail.push({ text, bytes });
    this.#tailBytes += bytes;
    for (;;) {
      const first = this.#tail[this.#tailStart];
      if (first === undefined || this.#tailBytes - first.bytes < this.#tailLimit) break;
      this.#tailStart += 1;
      this.#tailBytes -= first.bytes;
      this.#omitted += first.bytes;
    }
    if (this.#tailStart < 1_024) return;
    this.#tail = this.#tail.slice(this.#tailStart);
    this.#tailStart = 0;
  }

  #cutTail(tail: string): string {
    const over = this.#measure.bytes(tail) - this.#tailLimit;
    const from = over > 0 ? this.#cutAfter(tail, over) : 0;
    return tail.slice(lineStartAfter(tail, from));
  }

  /** The first index between characters that leaves out at least `bytes`. */
  #cutAfter(tail: string, bytes: number): number {
    const at = this.#measure.cut(tail, bytes);
    return this.#measure.bytes(tail.slice(0, at)) < bytes ? at + this.#nextCharacter(tail, at) : at;
  }

  #nextCharacter(tail: string, at: number): number {
    for (let size = 1; size <= 4; size += 1) {
      if (this.#measure.cut(tail.slice(at), size) > 0) return this.#measure.cut(tail.slice(at), size);
    }
    return 1;
  }
}

/** The end of the last whole line, unless that would give up more than half of the text. */
function lineEndBefore(text: string): number {
  const end = text.lastIndexOf("\n") + 1;
  return end >= text.length / 2 ? end : text.length;
}

/** The start of the first whole line from an index on, unless that would give up more than half of the rest. */
function lineStartAfter(text: string, from: number): number {
  if (from === 0 || text[from - 1] === "\n") return from;
  const end = text.indexOf("\n", from) + 1;
  return end > 0 && end - from <= (text.length - from) / 2 ? end : from;
}
