/** One frame that an agent puts around the commands it runs: data, read from the JSON files beside this one. */
export interface Frame {
  readonly name: string;
  /** What a text in this frame can begin with: the cheap question in front of the exact one. */
  readonly starts: readonly string[];
  readonly parts: readonly Part[];
  /** A text in this frame is refused, for this reason, without asking anybody. */
  readonly declined?: string;
  /** Words the payload may not hold: the frame's own variables, which it could turn against the frame. */
  readonly reserved?: readonly string[];
  /** The frame switches aliases on: nothing in its command may be read a second time, when an alias would count. */
  readonly aliases?: boolean;
  /** A start-up file that the frame reads; it has to be inert. */
  readonly startup?: string;
  /** The frame moves to this one of the text's parameters, which has to be the directory it starts in. */
  readonly directoryParameter?: number;
}

export interface FrameFile {
  readonly agents: readonly string[];
  readonly frames: readonly Frame[];
}

/** A piece of a frame. A string stands for itself, to the character. */
export type Part =
  | string
  /** The command: one word that bash makes it of, or the text itself. */
  | { readonly payload: "word" | "text" }
  /** More text that is judged in front of the command, by its regular expression. */
  | { readonly judged: string }
  /** A path by its regular expression, and what has to be true of it. */
  | { readonly path: string; readonly is: "written" | "snapshot" | "any" }
  | { readonly optional: readonly Part[] }
  | { readonly either: readonly (Part | readonly Part[])[] }
  /** A line's end and the next line's indentation. */
  | { readonly indent: true }
  /** Whatever follows; only in a frame that is declined. */
  | { readonly rest: true };

/** Paths that frames name in braces: `{home}`. Each may have several spellings. */
export type Places = ReadonlyMap<string, readonly string[]>;

/** What a group of the expression stands for. */
export type Role = "word" | "text" | "judged" | "written" | "snapshot" | "any";

/** A frame as one anchored regular expression and the roles of its groups, in order. */
export interface CompiledFrame {
  readonly frame: Frame;
  readonly expression: RegExp;
  readonly roles: readonly Role[];
}

/** One static shell word: no expansion in it, every character accounted for. */
const WORD = String.raw`(?:'[^']*'|"(?:[^"\\$${"`"}]|\\[^])*"|\\[^\n]|[A-Za-z0-9_@%+=:,./-])+`;

/** Compiles a frame for these places; undefined when a place it needs is not known. */
export function compileFrame(frame: Frame, places: Places): CompiledFrame | undefined {
  const roles: Role[] = [];
  const source = frame.parts.map((part) => sourceOf(part, roles, places)).join("");
  // A place that is not known leaves its name in braces behind.
  if (/\{[a-z]+\}/.test(source)) return undefined;
  return { frame, expression: new RegExp(`^${source}$`), roles };
}

function sourceOf(part: Part, roles: Role[], places: Places): string {
  if (typeof part === "string") return literal(part);
  if ("payload" in part) return group(part.payload, part.payload === "word" ? WORD : "[^]*", roles);
  if ("judged" in part) return group("judged", part.judged, roles);
  if ("path" in part) return group(part.is, withPlaces(part.path, places), roles);
  if ("optional" in part) return `(?:${part.optional.map((inner) => sourceOf(inner, roles, places)).join("")})?`;
  if ("either" in part) {
    const ways = part.either.map((way) =>
      [way]
        .flat()
        .map((inner) => sourceOf(inner, roles, places))
        .join(""),
    );
    return `(?:${ways.join("|")})`;
  }
  return "rest" in part ? "[^]*" : "\\n[ \\t]*";
}

function group(role: Role, source: string, roles: Role[]): string {
  roles.push(role);
  return `(${source})`;
}

function withPlaces(path: string, places: Places): string {
  return path.replace(/\{([a-z]+)\}/g, (named, name: string) => {
    const known = places.get(name);
    return known === undefined || known.length === 0 ? named : `(?:${known.map(literal).join("|")})`;
  });
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
