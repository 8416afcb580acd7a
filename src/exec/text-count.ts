/** How many bytes of text a terminal's bytes would show, found without reading them as a screen. */
export class TextCount {
  bytes = 0;
  #previous = 0;
  #sequence: "none" | "begun" | "open" = "none";

  /** Carriage returns before newlines are the terminal's own; colours and the like are no text. */
  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#sequence === "none") this.#addText(byte);
      else if (this.#sequence === "begun") this.#sequence = byte === 0x5b ? "open" : "none";
      else if (byte >= 0x40 && byte <= 0x7e) this.#sequence = "none";
    }
  }

  /** Begins behind a chunk that was shown: the sequence that it ends in goes on, and is no text. */
  beginBehind(shown: Uint8Array): void {
    const counted = this.bytes;
    this.add(shown);
    this.bytes = counted;
    this.#previous = 0;
  }

  #addText(byte: number): void {
    if (byte === 0x1b) this.#sequence = "begun";
    else if (byte !== 0x0a || this.#previous !== 0x0d) this.bytes += 1;
    this.#previous = byte;
  }
}

/** Bytes at the end of a chunk that are the beginning of a UTF-8 character. */
export function begunBytes(chunk: Uint8Array): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = chunk.at(-back) ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
