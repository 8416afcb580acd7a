/** What a terminal is told to do, in the order it is told. Text holds no control characters. */
export interface TerminalActions {
  text(text: string, narrow: boolean): void;
  control(code: number): void;
  /** `ESC final`, with the intermediate character if there is one: `ESC ( 0` is ("0", "("). */
  escape(final: string, intermediate: string): void;
  /** `CSI parameters final`; `mark` is the private marker (`?`, `>` …) or an intermediate character. */
  sequence(final: string, parameters: readonly number[], mark: string): void;
}

type State = "text" | "escape" | "sequence" | "string";

const ESC = 0x1b;
const BEL = 0x07;
const LF = 0x0a;
/** A sequence longer than this is no sequence; what follows is shown. */
const MAX_SEQUENCE = 256;
/** Titles, links and pictures (OSC, DCS …) end here at the latest: one without an end must not hide the rest. */
const MAX_STRING = 1_048_576;

/** Splits terminal output into text and commands, across writes. Memory does not grow with the input. */
export class EscapeParser {
  readonly #actions: TerminalActions;
  #state: State = "text";
  #pending = "";
  #stringLength = 0;
  #lineEndsString = false;

  constructor(actions: TerminalActions) {
    this.#actions = actions;
  }

  /** Between sequences: what comes next is text. */
  get inText(): boolean {
    return this.#state === "text";
  }

  write(input: string): void {
    let at = 0;
    while (at < input.length) {
      switch (this.#state) {
        case "text":
          at = this.#text(input, at);
          break;
        case "escape":
          at = this.#escape(input, at);
          break;
        case "sequence":
          at = this.#sequence(input, at);
          break;
        case "string":
          at = this.#string(input, at);
          break;
      }
    }
  }

  #text(input: string, start: number): number {
    let at = start;
    let highest = 0;
    for (; at < input.length; at += 1) {
      const code = input.charCodeAt(at);
      if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) break;
      if (code > highest) highest = code;
    }
    if (at > start) this.#actions.text(input.slice(start, at), highest < 0x300);
    if (at === input.length) return at;
    const code = input.charCodeAt(at);
    if (code === ESC) this.#enter("escape");
    else if (code < 0x20) this.#actions.control(code);
    return at + 1;
  }

  #enter(state: State): void {
    this.#state = state;
    this.#pending = "";
    this.#stringLength = 0;
  }

  #escape(input: string, at: number): number {
    const character = input[at] ?? "";
    const code = input.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return this.#abandon(at, code);
    if (code <= 0x2f) {
      this.#pending = character;
      return at + 1;
    }
    const intermediate = this.#pending;
    this.#enter("text");
    if (intermediate === "" && character === "[") this.#enter("sequence");
    else if (intermediate === "" && "]PX^_".includes(character)) this.#enterString(character);
    else this.#actions.escape(character, intermediate);
    return at + 1;
  }

  #enterString(opener: string): void {
    this.#enter("string");
    // A title or a link is one line. Pictures (DCS) may hold newlines.
    this.#lineEndsString = opener === "]";
  }

  #sequence(input: string, start: number): number {
    let at = start;
    for (; at < input.length; at += 1) {
      const code = input.charCodeAt(at);
      if (code >= 0x40 && code <= 0x7e) break;
      if (code < 0x20 || code > 0x7e || this.#pending.length + at - start >= MAX_SEQUENCE)
        return this.#abandon(at, code);
    }
    const raw = this.#pending + input.slice(start, at);
    if (at === input.length) {
      this.#pending = raw;
      return at;
    }
    this.#state = "text";
    // Colours, by far the most frequent: nothing here knows them.
    if (input[at] !== "m") this.#actions.sequence(input[at] ?? "", parametersOf(raw), markOf(raw));
    return at + 1;
  }

  #string(input: string, start: number): number {
    for (let at = start; at < input.length; at += 1) {
      const code = input.charCodeAt(at);
      this.#stringLength += 1;
      if (code === BEL || code === 0x9c) {
        this.#enter("text");
        return at + 1;
      }
      const over = this.#stringLength > MAX_STRING || (code === LF && this.#lineEndsString);
      if (code === ESC || code === 0x18 || code === 0x1a || over) return this.#abandon(at, code);
    }
    return input.length;
  }

  /** Leaves a sequence that did not end as one. ESC begins the next, CAN and SUB vanish, the rest is read again. */
  #abandon(at: number, code: number): number {
    this.#enter(code === ESC ? "escape" : "text");
    return code === ESC || code === 0x18 || code === 0x1a ? at + 1 : at;
  }
}

function markOf(raw: string): string {
  return /[<=>?]/.exec(raw)?.[0] ?? /[ -/]/.exec(raw)?.[0] ?? "";
}

function parametersOf(raw: string): number[] {
  const numbers = raw.replace(/[^0-9;:]/g, "");
  if (numbers === "") return [];
  return numbers
    .split(/[;:]/)
    .slice(0, 16)
    .map((digits) => Math.min(Number(digits), 9_999));
}
