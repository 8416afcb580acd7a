import { LIMITS } from "../text/index.ts";
import { decodeAnsi } from "./ansi.ts";
import { expandBraces } from "./braces.ts";
import {
  type Found,
  type FoundAt,
  NOTHING_FOUND,
  nested,
  note,
  opaque,
  type Region,
  rereadSubstitution,
  spanIn,
} from "./reader.ts";
import { afterAnsi, afterBackquote, afterPair, arithmeticEnd, skipContinuations } from "./scan.ts";
import { readScript, readScriptText } from "./script.ts";
import type { Parameter, Part, Statement, Word } from "./tree.ts";

/**
 * How bash reads a stretch of text. Quotes mean different things in different places, and that is where readers of
 * shell text are fooled: single quotes do not protect inside double quotes, here-documents, arithmetic and subscripts.
 */
interface Mode {
  /** `'…'` and `$'…'` quote. */
  readonly single: boolean;
  /** `'` is dropped, and protects nothing. */
  readonly bare?: true;
  /** `"` opens a quoted stretch. */
  readonly double: boolean;
  /** What a backslash escapes. */
  readonly backslash: "any" | "double" | "heredoc";
  /** Words are split and file names expanded here. */
  readonly quoted: boolean;
  /** `<(…)` is a substitution. */
  readonly process: boolean;
  /** The character that ends the stretch. */
  readonly stop: string;
}

const PLAIN: Mode = { single: true, double: true, backslash: "any", quoted: false, process: true, stop: "" };
const DOUBLE: Mode = { single: false, double: false, backslash: "double", quoted: true, process: false, stop: '"' };
const HEREDOC: Mode = { single: false, double: false, backslash: "heredoc", quoted: true, process: false, stop: "" };
const ARITHMETIC: Mode = { single: false, double: true, backslash: "double", quoted: true, process: false, stop: "" };

/**
 * `element`: a subscript inside `name=( … )`, which is split and expanded like a word and then evaluated. `pattern`: the right side of a comparison in `[[ ]]`, where extended globs and parentheses are always read.
 */
export type WordKind = "word" | "assignment-value" | "heredoc" | "arithmetic" | "subscript" | "element" | "pattern";

// What can make a word other than its own text. Everything else is read at a glance.
const SPECIAL = /[\\'"`$*?[{~<>()]/;

/** Reads the text from `start` to `end` of a region as one word of the given kind. */
export function readWord(region: Region, start: number, end: number, kind: WordKind, found: () => FoundAt): Word {
  const text = region.text.slice(start, end);
  const span = spanIn(region, start, end);
  if (!SPECIAL.test(text)) {
    if (region.reading.oddCharacters) noteOddCharacters(region, text, start);
    return {
      text,
      span,
      parts: text === "" ? [] : [{ kind: "literal", value: text, quoted: kind === "heredoc" }],
      braces: undefined,
    };
  }
  const reader = new PartReader(
    region,
    end,
    found,
    kind === "pattern" || start + region.shift > region.reading.extglobFrom,
    kind === "pattern" || (kind === "word" && ARRAY_WORD.test(text)),
  );
  const parts = reader.read(start, modeOf(kind), kind);
  return { text, span, parts, braces: kind === "word" ? readBraces(region, text, start, end) : undefined };
}

// `declare name=( … )`: the array stands in an argument.
const ARRAY_WORD = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=\(/;

function modeOf(kind: WordKind): Mode {
  switch (kind) {
    case "word":
    case "assignment-value":
    case "pattern":
      return PLAIN;
    case "heredoc":
      return HEREDOC;
    case "arithmetic":
    case "subscript":
      return ARITHMETIC;
    case "element":
      return { ...ARITHMETIC, process: true, bare: true };
  }
}

/** A word that is nothing, for where the grammar has a place but the text does not. */
export function emptyWord(region: Region, at: number): Word {
  return { text: "", span: spanIn(region, at, at), parts: [], braces: undefined };
}

function readBraces(region: Region, text: string, start: number, end: number): readonly Word[] | undefined {
  const texts = expandBraces(text, LIMITS.braceWords);
  if (texts === undefined) return undefined;
  if (texts.length === 0)
    note(region, "limit-exceeded", `brace expansion makes more than ${LIMITS.braceWords} words`, start, end);
  return texts.map((word) => {
    const made: Region = {
      reading: region.reading,
      text: word,
      fixed: spanIn(region, start, end),
      shift: 0,
      reprinted: region.reprinted,
    };
    const parts = new PartReader(made, word.length, () => NOTHING_FOUND, true).read(0, PLAIN, "word");
    return { text: word, span: spanIn(region, start, end), parts, braces: undefined };
  });
}

const ODD_CHARACTER = /[\u0001\r\u007f]/;

/**
 * Whether a text holds a carriage return, which many take for the end of a line and bash does not, or one of the two
 * characters that bash uses inside itself to mark quoted text.
 */
export function hasOddCharacter(text: string): boolean {
  return ODD_CHARACTER.test(text);
}

function noteOddCharacters(region: Region, text: string, start: number): void {
  const at = text.search(ODD_CHARACTER);
  if (at >= 0) opaque(region, "a carriage return or control character outside quotes", start + at, start + at + 1);
}

/** Reads the parts of one word. `end` is where the word ends for sure: the parser and bash agree on it or it is noted. */
class PartReader {
  private readonly region: Region;
  private readonly text: string;
  private readonly end: number;
  private readonly found: () => FoundAt;
  private readonly extglob: boolean;
  /** Parentheses may stand in the word. */
  private pattern: boolean;
  private parts: Part[] = [];
  private literal = "";
  private literalQuoted = false;
  /** Offset of the last closing bracket in front of the end. */
  private lastBracket: number | undefined;

  constructor(region: Region, end: number, found: () => FoundAt, extglob: boolean, pattern = false) {
    this.region = region;
    this.text = region.text;
    this.end = end;
    this.found = found;
    this.extglob = extglob;
    this.pattern = pattern;
  }

  read(start: number, mode: Mode, kind: WordKind): Part[] {
    const from = mode === PLAIN ? this.tilde(start) : start;
    const at = this.stretch(from, mode, kind === "assignment-value");
    if (at < this.end) opaque(this.region, "text that ends a word where the parser goes on", at, this.end);
    this.flush();
    return this.parts;
  }

  /** Reads until the mode's stop character (not taken) or the end; gives the offset reached. */
  private stretch(start: number, mode: Mode, assignment = false): number {
    let i = start;
    while (i < this.end) {
      const c = this.text[i] ?? "";
      if (c === mode.stop) return i;
      if (c === "\\") i = this.backslash(i, mode);
      else if (c === "'" && mode.single) i = this.single(i);
      else if (c === "'" && mode.bare) i++;
      else if (c === '"' && mode.double) i = this.double(i);
      else if (c === "$") i = this.dollar(i, mode);
      else if (c === "`") i = this.backquote(i, mode);
      else if (mode.process && (c === "<" || c === ">")) i = this.process(i);
      else if (!mode.quoted) i = this.unquoted(i, c, assignment);
      else i = this.put(i, c, true);
    }
    return i;
  }

  private put(i: number, text: string, quoted: boolean): number {
    if (quoted !== this.literalQuoted) this.flush();
    this.literalQuoted = quoted;
    this.literal += text;
    return i + text.length;
  }

  private push(part: Part): void {
    this.flush();
    this.parts.push(part);
  }

  private flush(): void {
    if (this.literal !== "") {
      if (!this.literalQuoted && this.region.reading.oddCharacters)
        noteOddCharacters(this.region, this.literal, this.end - 1);
      this.parts.push({ kind: "literal", value: this.literal, quoted: this.literalQuoted });
    }
    this.literal = "";
  }

  /** An empty quoted part still makes a word: `""` is an argument. */
  private quote(): void {
    this.flush();
    this.literalQuoted = true;
  }

  private backslash(i: number, mode: Mode): number {
    const next = this.text[i + 1];
    if (next === undefined || i + 1 >= this.end) return this.put(i, "\\", mode.quoted);
    if (next === "\n") return i + 2;
    const escapes = mode.backslash === "any" || "$`\\".includes(next) || (mode.backslash === "double" && next === '"');
    if (!escapes) return this.put(i, "\\", mode.quoted);
    this.put(i, next, true);
    return i + 2;
  }

  private single(i: number): number {
    const close = this.text.indexOf("'", i + 1);
    this.quote();
    if (close < 0 || close >= this.end) {
      opaque(this.region, "a quote that does not end inside its word", i, this.end);
      return this.end;
    }
    this.put(i, this.text.slice(i + 1, close), true);
    if (close === i + 1) this.parts.push({ kind: "literal", value: "", quoted: true });
    return close + 1;
  }

  private double(i: number): number {
    this.quote();
    const before = this.parts.length;
    const close = this.stretch(i + 1, DOUBLE);
    if (this.text[close] !== '"' || close >= this.end) {
      opaque(this.region, "a quote that does not end inside its word", i, this.end);
      return this.end;
    }
    if (this.parts.length === before && this.literal === "")
      this.parts.push({ kind: "literal", value: "", quoted: true });
    this.flush();
    return close + 1;
  }

  /** Glob characters, extended globs, blanks that should not be there. */
  private unquoted(i: number, c: string, assignment: boolean): number {
    if ("?*+@!".includes(c) && this.text[i + 1] === "(" && i + 1 < this.end) return this.extended(i);
    if (c === "*" || c === "?") {
      this.push({ kind: "glob", text: c });
      return i + 1;
    }
    if (c === "[") return this.bracket(i);
    if ((c === "(" || c === ")") && !this.pattern)
      note(this.region, "syntax-error", "a parenthesis inside a word", i, i + 1);
    if (assignment && c === ":") return this.tilde(this.put(i, c, false));
    return this.put(i, c, false);
  }

  /** `[…]` is a glob when something closes it in the same word. */
  private bracket(i: number): number {
    this.lastBracket ??= this.text.lastIndexOf("]", this.end - 1);
    if (this.lastBracket < i + 2) return this.put(i, "[", false);
    // Only the opening bracket becomes a glob part: the rest may hold expansions and is read on.
    this.push({ kind: "glob", text: "[" });
    return i + 1;
  }

  /** `+(a|b)`: bash -c has extglob off, so this is an error there unless the text switched it on or stands in `[[ ]]`. */
  private extended(i: number): number {
    const close = afterPair(this.text, i + 1);
    if (close > this.end) {
      opaque(this.region, "an extended glob that does not end inside its word", i, this.end);
      return this.put(i, this.text[i] ?? "", false);
    }
    if (!this.extglob) note(this.region, "syntax-error", "bash -c reads extended globs as a syntax error", i, close);
    this.pattern = true;
    this.push({ kind: "glob", text: this.text.slice(i, i + 2) });
    return i + 2;
  }

  private tilde(i: number): number {
    if (this.text[i] !== "~" || i >= this.end) return i;
    const user = /^[A-Za-z0-9_.+-]*/.exec(this.text.slice(i + 1, Math.min(this.end, i + 65)))?.[0] ?? "";
    const next = this.text[i + 1 + user.length];
    const ends = i + 1 + user.length >= this.end || next === "/" || next === ":";
    if (!ends) return i;
    this.push({ kind: "tilde", user });
    return i + 1 + user.length;
  }

  private dollar(i: number, mode: Mode): number {
    const at = skipContinuations(this.text, i + 1);
    const c = at < this.end ? (this.text[at] ?? "") : "";
    if (c === "'" && mode.single) return this.ansi(at);
    if (c === '"' && mode.double && !mode.quoted) return this.double(at);
    if (c === "(") return this.parenthesis(i, at, mode);
    if (c === "{") return this.parameter(i, at, mode);
    if (c === "[") return this.oldArithmetic(i, at, mode);
    const name = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/.exec(
      this.text.slice(at, Math.min(this.end, at + 256)),
    )?.[0];
    if (name === undefined) return this.put(i, "$", mode.quoted);
    this.push({ ...plainParameter(name, `$${name}`), quoted: mode.quoted });
    return at + this.nameEnd(at, name);
  }

  /** Names longer than the first look are read to their end. */
  private nameEnd(at: number, name: string): number {
    let length = name.length;
    if (/^[A-Za-z_]/.test(name))
      while (at + length < this.end && /[A-Za-z0-9_]/.test(this.text[at + length] ?? "")) length++;
    return length;
  }

  private ansi(quote: number): number {
    const after = afterAnsi(this.text, quote);
    this.quote();
    if (after > this.end || this.text[after - 1] !== "'") {
      opaque(this.region, "a quote that does not end inside its word", quote, this.end);
      return this.end;
    }
    const value = decodeAnsi(this.text.slice(quote + 1, after - 1));
    this.put(0, value, true);
    if (value === "") this.parts.push({ kind: "literal", value, quoted: true });
    return after;
  }

  /** `$(…)` or `$((…))`. */
  private parenthesis(i: number, at: number, mode: Mode): number {
    const found = this.found().get(i);
    if (this.text[at + 1] === "(") {
      const end = arithmeticEnd(this.text, at);
      if (end !== undefined && end <= this.end) return this.arithmetic(i, at + 2, end, 2, mode, found);
    }
    if (found !== undefined && found.kind !== "script")
      opaque(this.region, "`$((` that bash reads as a command", i, found.end);
    return this.substitution(i, at + 1, "$(", mode, found?.kind === "script" ? found : undefined);
  }

  private arithmetic(
    i: number,
    from: number,
    end: number,
    closer: number,
    mode: Mode,
    found: Found | undefined,
  ): number {
    if (found !== undefined && (found.kind !== "arithmetic" || found.end !== end))
      opaque(this.region, "arithmetic that the parser reads differently", i, end);
    const expression = nested(this.region, i, emptyWord(this.region, i), () =>
      readWord(this.region, from, end - closer, "arithmetic", this.found),
    );
    this.push({ kind: "arithmetic", text: this.text.slice(i, end), quoted: mode.quoted, expression });
    return end;
  }

  /** `$[…]`, the old spelling of `$((…))`. */
  private oldArithmetic(i: number, at: number, mode: Mode): number {
    const end = afterPair(this.text, at);
    if (end > this.end) {
      note(this.region, "syntax-error", "`$[` without `]`", i, this.end);
      return this.put(i, "$[", mode.quoted);
    }
    return this.arithmetic(i, at + 1, end, 1, mode, this.found().get(i));
  }

  private substitution(i: number, from: number, opener: string, mode: Mode, known: Found | undefined): number {
    const closed = known !== undefined && known.end <= this.end && this.text[known.end - 1] === ")";
    const usable = closed && known.script !== undefined && known.script.errors === undefined ? known : undefined;
    const reread = usable === undefined ? rereadSubstitution(this.region, opener, from) : undefined;
    const found = usable ?? reread;
    if (found?.script === undefined || found.end + (reread?.shift ?? 0) > this.end) {
      this.noteUnreadable(i, from, known);
      this.pattern = true;
      this.put(i, this.text.slice(i, from), mode.quoted);
      return from;
    }
    const shift = reread?.shift ?? 0;
    const end = found.end + shift;
    const inner: Region = {
      ...this.region,
      text: reread === undefined ? this.text : reread.text,
      shift: this.region.shift + shift,
      reprinted: true,
    };
    const { script } = found;
    const statements = nested(this.region, i, [] as readonly Statement[], () =>
      readScript(inner, script, from - shift, found.end - 1),
    );
    this.push(this.substitutionPart(i, end, opener, mode, statements));
    return end;
  }

  /** bash reads `$( … )` together with the text around it: an error in it is an error of the whole. */
  private noteUnreadable(i: number, from: number, known: Found | undefined): void {
    const error = known?.script?.errors?.[0];
    const end = Math.min(this.end, i + 20);
    if (error !== undefined && this.text[from] !== "(") note(this.region, "syntax-error", error.message, i, end);
    else opaque(this.region, "a substitution that cannot be read", i, end);
  }

  private substitutionPart(i: number, end: number, opener: string, mode: Mode, statements: readonly Statement[]): Part {
    return {
      kind: opener === "<(" || opener === ">(" ? "process" : "command",
      text: this.text.slice(i, end),
      opener,
      quoted: mode.quoted,
      statements,
      span: spanIn(this.region, i, end),
    };
  }

  private process(i: number): number {
    const at = skipContinuations(this.text, i + 1);
    if (this.text[at] !== "(" || at >= this.end) {
      if (!this.pattern) opaque(this.region, "a redirection inside a word", i, i + 1);
      return this.put(i, this.text[i] ?? "", false);
    }
    const found = this.found().get(i);
    return this.substitution(i, at + 1, `${this.text[i]}(`, PLAIN, found?.kind === "script" ? found : undefined);
  }

  /**
   * Backquotes: bash takes the text to the next unescaped backquote, removes one level of backslashes and reads what is
   * left as a script.
   */
  private backquote(i: number, mode: Mode): number {
    const end = afterBackquote(this.text, i);
    if (end > this.end || this.text[end - 1] !== "`" || end === i + 1) {
      opaque(this.region, "a backquote that does not end inside its word", i, this.end);
      return this.end;
    }
    const written = this.text.slice(i + 1, end - 1);
    // bash drops backslash-newline while it looks for the closing backquote, whatever quotes stand around it.
    const body = written.replace(/\\(\n|.)/gs, (pair, next) => (next === "\n" ? "" : pair));
    const escapes = mode.quoted && mode.backslash === "double" ? /\\([$`\\"])/g : /\\([$`\\])/g;
    const statements = nested(this.region, i, [] as readonly Statement[], () =>
      readScriptText(this.region, body.replace(escapes, "$1"), i + 1, end - 1, written.includes("\\")),
    );
    this.push(this.substitutionPart(i, end, "`", mode, statements));
    return end;
  }

  /** `${…}` with `i` at the dollar sign and `at` at the brace. */
  private parameter(i: number, at: number, mode: Mode): number {
    const known = this.found().get(i);
    const head = parameterHead(this.text, at + 1, this.end);
    if (head === undefined) {
      return this.commandBraces(i, at, mode);
    }
    const subscript =
      head.subscript && readWord(this.region, head.subscript.start, head.subscript.end, "subscript", this.found);
    const operands: Word[] = [];
    const close = this.operand(head, mode, operands);
    if (this.text[close] !== "}" || close >= this.end) {
      opaque(this.region, "a parameter expansion that does not end inside its word", i, this.end);
      this.push({ ...plainParameter(head.name, this.text.slice(i, this.end)), quoted: mode.quoted });
      return this.end;
    }
    if (known !== undefined && known.end !== close + 1)
      opaque(this.region, "a parameter expansion that the parser ends elsewhere", i, close + 1);
    this.push({ ...head.part, text: this.text.slice(i, close + 1), quoted: mode.quoted, subscript, operands });
    return close + 1;
  }

  /** `${ …; }`: bash 5.3 runs the commands, older ones refuse the expansion. They are judged for both. */
  private commandBraces(i: number, at: number, mode: Mode): number {
    const end = afterPair(this.text, at);
    if (end > this.end) {
      opaque(this.region, "a brace expansion of commands that does not end inside its word", i, this.end);
      return this.end;
    }
    const from = this.text[at + 1] === "|" ? at + 2 : at + 1;
    const body = this.text.slice(from, end - 1);
    const statements = nested(this.region, i, [] as readonly Statement[], () =>
      readScriptText(this.region, body, from, end - 1, false),
    );
    this.push(this.substitutionPart(i, end, "$(", mode, statements));
    return end;
  }

  /** Reads the operand after the operator, if any; gives the offset of the closing brace. */
  private operand(head: ParameterHead, mode: Mode, operands: Word[]): number {
    const { operator } = head.part;
    const patternOperator = /^[#%/^,]/.test(operator);
    const arithmetic = operator === ":";
    const quoted = mode.quoted;
    const operandMode: Mode = arithmetic
      ? { ...ARITHMETIC, stop: "}" }
      : quoted
        ? {
            single: patternOperator,
            double: true,
            backslash: "double",
            quoted: true,
            process: patternOperator,
            stop: "}",
          }
        : { ...PLAIN, stop: "}" };
    const inner = new PartReader(this.region, this.end, this.found, true, true);
    const close = nested(this.region, head.operandStart, this.end, () =>
      inner.stretch(quoted ? head.operandStart : inner.tilde(head.operandStart), operandMode),
    );
    inner.flush();
    if (close > head.operandStart)
      operands.push({
        text: this.text.slice(head.operandStart, close),
        span: spanIn(this.region, head.operandStart, close),
        parts: inner.parts,
        braces: undefined,
      });
    return close;
  }
}

function plainParameter(name: string, text: string): Parameter {
  return {
    kind: "parameter",
    text,
    name,
    quoted: false,
    indirect: false,
    length: false,
    operator: "",
    subscript: undefined,
    operands: [],
  };
}

interface ParameterHead {
  readonly part: Parameter;
  readonly name: string;
  readonly subscript: { readonly start: number; readonly end: number } | undefined;
  readonly operandStart: number;
}

const NAME = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])/;
const OPERATOR = /^(?::[-=?+]|[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|@[A-Za-z]|:)/;

/** Reads `!`, `#`, name, subscript and operator of `${…}`, from the offset after the brace. */
function parameterHead(text: string, start: number, end: number): ParameterHead | undefined {
  const first = text[start] ?? "";
  if (/[\s|]/.test(first)) return undefined;
  const rest = text.slice(start, Math.min(end, start + 512));
  const indirect = /^!(?:[A-Za-z_0-9@*#?$!-])/.test(rest) && rest[1] !== "}";
  const length =
    !indirect && /^#(?:[A-Za-z_0-9@*?$!-]|#\})/.test(rest) && !/^#[-?]./.test(rest.replace(/^#[-?]\}/, "#x}"));
  let at = start + (indirect || length ? 1 : 0);
  const name = NAME.exec(text.slice(at, Math.min(end, at + 512)))?.[0] ?? "";
  at += name.length;
  const subscript = text[at] === "[" && name !== "" ? subscriptAt(text, at, end) : undefined;
  if (subscript !== undefined) at = subscript.end + 1;
  const operator = OPERATOR.exec(text.slice(at, at + 2))?.[0] ?? "";
  const part: Parameter = { ...plainParameter(name, ""), indirect, length, operator };
  return { part, name, subscript, operandStart: at + operator.length };
}

/** The text between the brackets of a subscript at `i`; bash counts nested brackets and skips quotes and expansions. */
export function subscriptAt(
  text: string,
  i: number,
  end: number,
): { readonly start: number; readonly end: number } | undefined {
  const close = afterPair(text, i);
  return close <= end ? { start: i + 1, end: close - 1 } : undefined;
}
