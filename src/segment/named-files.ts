import type { FileUse } from "./reading.ts";
import { type Hole, literalStart, type Piece, shownValue, type Value, valueFrom } from "./value.ts";

/** A file that a word names in a spelling of its own, before it is known what it is used for. */
type Named = Omit<FileUse, "index">;

/**
 * Files behind a mark inside a value: `@f`, `name=@f;type=x`. A mark is a text with one `*` at its end, the file; another `*` is
 * a name without `=`. A mark that is only `*` is a whole value without `=`; one without `*` is in a text that is a file as a whole.
 */
export function markedFiles(value: Value, marks: readonly string[]): readonly Named[] {
  for (const mark of marks) {
    const file = behindMark(value, mark);
    if (file === undefined || file === "-" || file === "") continue;
    const parts = typeof file === "string" ? file.split(/[;,]/) : [];
    const others = parts.length < 2 ? [] : parts.filter((part) => part !== "" && !part.includes("="));
    return [file, ...others].map((path) => ({ access: "read", path }));
  }
  return [];
}

function behindMark(value: Value, mark: string): Value | undefined {
  if (!mark.includes("*")) return shownValue(value).includes(mark) ? value : undefined;
  const head = mark.slice(0, -1);
  const start = literalStart(value);
  if (head === "") return start.includes("=") ? undefined : value;
  const length = start.match(markPattern(head))?.[0].length;
  if (length === undefined) return undefined;
  const rest = start.slice(length);
  return typeof value === "string" ? rest : valueFrom([rest, ...value.pieces.slice(1)], false);
}

function markPattern(head: string): RegExp {
  const literal = head.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^=]*?")}`, "s");
}

/** `file:///etc/passwd` contacts nobody: it reads a file. */
export function contacted(value: Value): readonly Named[] {
  const files = braceChoices(value).flatMap((each): readonly Named[] => {
    const start = literalStart(each);
    const scheme = /^file:\/*(?:localhost(?=\/|$))?/i.exec(start)?.[0];
    if (scheme === undefined) return [];
    const [first, ...others] = typeof each === "string" ? [each] : each.pieces;
    const rest = typeof first === "string" ? `/${first.slice(scheme.length).replace(/^\/+/, "")}` : "/";
    const pieces = [rest, ...others].map((piece) => (typeof piece === "string" ? decoded(piece) : piece));
    return [{ access: "read", path: openGlob(valueFrom(pieces, false)) }];
  });
  return [{ access: "net", path: value }, ...files];
}

/** curl expands `fil{e,x}://…` itself: the texts that the braces in front of a colon may give. */
function braceChoices(value: Value): readonly Value[] {
  if (typeof value !== "string") return [value];
  const [all, before = "", inside = "", after = ""] = /^([^:{]*)\{([^{}]*)\}([^:]*:.*)$/s.exec(value) ?? [];
  return all === undefined ? [value] : inside.split(",").map((choice) => before + choice + after);
}

/** A URL, and the file that what it holds is saved in: its last component. */
export function downloaded(value: Value): readonly Named[] {
  const name = nameInUrl(value);
  // curl keeps what stands for another character, wget does not.
  const names: readonly Value[] = typeof name === "string" ? [...new Set([name, decoded(name)])] : [name];
  return [...contacted(value), ...names.map((path): Named => ({ access: "saved", path: openGlob(path) }))];
}

/** The last component in front of the query; of a host alone, the name that is usual. */
function nameInUrl(value: Value): Value {
  const pieces = withoutQuery(typeof value === "string" ? [value] : value.pieces);
  const at = pieces.findLastIndex((piece) => typeof piece === "string" && piece.includes("/"));
  const piece = pieces[at];
  if (typeof piece !== "string") return typeof value === "string" ? INDEX : valueFrom(pieces, false);
  const name = at === 0 ? /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/]*(.*)$/is.exec(piece)?.[1] : piece;
  const last = [(name ?? "").slice((name ?? "").lastIndexOf("/") + 1), ...pieces.slice(at + 1)];
  return valueFrom(last, false) || INDEX;
}

const INDEX = "index.html";

function withoutQuery(pieces: readonly Piece[]): readonly Piece[] {
  // Not quoted, its sign is a glob.
  const at = pieces.findIndex((piece) => /[?#]/.test(typeof piece === "string" ? piece : globText(piece)));
  const piece = pieces[at];
  if (piece === undefined) return pieces;
  return [...pieces.slice(0, at), typeof piece === "string" ? piece.slice(0, piece.search(/[?#]/)) : ""];
}

function globText({ cause, text }: Hole): string {
  return cause === "path" ? text : "";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A pattern that the program itself expands, with holes for what it stands for. */
export function openGlob(value: Value): Value {
  const pieces = typeof value === "string" ? [value] : value.pieces;
  const open = pieces.flatMap((piece): Piece[] => {
    if (typeof piece !== "string" || !/[*?[{]/.test(piece)) return [piece];
    const parts = piece.split(/(\*+|\?|\[[^\]]*\]|\{[^}]*\})/);
    return parts.map((part, i) => (i % 2 === 0 ? part : { cause: "path", text: part }));
  });
  return valueFrom(open, typeof value === "string" ? false : value.splits);
}

/** What a version control program is given: a path, a revision, or both (`HEAD:f`). `certain`: it stands behind `--`. */
export function trackedFiles(value: Value, access: "read" | "edit", certain: boolean): readonly Named[] {
  if (typeof value !== "string") {
    const path = certain ? value : behindRevision(value);
    if (path !== value) return [{ access, path, fromRoot: true }];
    const globbed = value.pieces.every((piece) => typeof piece === "string" || piece.cause === "path");
    return certain || globbed ? [{ access, path }] : [];
  }
  if (certain) return [{ access, path: openGlob(value.replace(/^:(?:\([^)]*\)|[/!^]*)/, "") || ".") }];
  const path = behindRevision(value);
  if (path !== value) return path === "" ? [] : [{ access, path, fromRoot: true }];
  // No revision begins with a dot or has one of these characters.
  const isPath = /^\.|[*?[]/.test(value);
  return [{ access, path: isPath ? openGlob(value) : value, ...(!isPath && { perhaps: true }) }];
}

function behindRevision(value: Value): Value {
  const pieces = typeof value === "string" ? [value] : value.pieces;
  const at = pieces.findIndex((piece) => typeof piece === "string" && piece.includes(":"));
  const piece = pieces[at];
  if (typeof piece !== "string") return value;
  const rest = piece.slice(piece.indexOf(":") + 1).replace(/^(?:\([^)]*\)|\d:)/, "");
  return valueFrom([rest, ...pieces.slice(at + 1)], false);
}

/** A file of an archive: what is taken out is written under its whole name. */
export function archived(value: Value): readonly Named[] {
  const name = typeof value === "string" ? value.replace(/^\/+/, "") : value;
  return shownValue(name) === "" ? [] : [{ access: "member", path: openGlob(name) }];
}
