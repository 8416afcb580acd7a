import type { FileUse, Reading } from "./reading.ts";
import { type Hole, type Piece, shownValue, type Value, valueFrom } from "./value.ts";

/** A file that an invocation writes because it copies or moves others. Paths as they would be written, not resolved. */
export interface Copy {
  readonly access: "write" | "extract";
  readonly path: Value;
  /** Where it lands if the destination turns out to be a directory. */
  readonly otherPaths: readonly Value[];
  /** What is copied there; undefined when it cannot be told apart. */
  readonly source: Value | undefined;
}

/** The files that each destination of an invocation means, by the names of what is copied there. */
export function copiesOf(reading: Reading): ReadonlyMap<FileUse, readonly Copy[]> {
  const targets = reading.files.filter(({ access }) => isCopied(access));
  if (targets.length === 0) return new Map();
  // Programs refuse several, or take one of them: each with every source would be too much to list.
  if (targets.length > 1) return new Map(targets.map((use) => [use, [whole(use, undefined)]]));
  const operands = new Set(reading.operands.map(({ index }) => index));
  const sources = reading.files.filter(
    ({ access, index }) => SOURCES.has(access) && (access === "saved" || operands.has(index)),
  );
  return new Map(targets.map((use) => [use, onceEach(copied(use, sources))]));
}

/** Whether something is copied, moved or linked to such a path. */
export function isCopied(access: FileUse["access"]): access is "destination" | "onto" | "into" {
  return access === "destination" || access === "onto" || access === "into";
}

function copied(use: FileUse, sources: readonly FileUse[]): readonly Copy[] {
  if (use.access === "into") return sources.flatMap((source) => landed(use, source));
  return use.access === "onto" ? onto(use, sources) : destined(use, sources);
}

function onto({ path }: FileUse, [only]: readonly FileUse[]): readonly Copy[] {
  const copy: Copy = { access: "write", path, otherPaths: [], source: only?.path };
  return only?.access === "search" ? [copy, { ...copy, access: "extract" }] : [copy];
}

function onceEach(copies: readonly Copy[]): readonly Copy[] {
  if (copies.length < 2) return copies;
  const known = new Map<string, Copy>();
  for (const copy of copies) known.set(`${copy.access} ${shownValue(copy.path)}`, copy);
  return [...known.values()];
}

function whole({ path }: FileUse, source: Value | undefined): Copy {
  return { access: "extract", path, otherPaths: [], source };
}

const SOURCES: ReadonlySet<FileUse["access"]> = new Set<FileUse["access"]>(["read", "search", "edit", "saved"]);

/** Several files need a directory; one may as well be written under the destination's own name. */
function destined(use: FileUse, sources: readonly FileUse[]): readonly Copy[] {
  const [only] = sources;
  // `ln TARGET` alone makes a link of that name here.
  if (only === undefined) {
    const [path = use.path] = namesIn(".", use.path);
    return [{ access: "write", path, otherPaths: [], source: use.path }];
  }
  if (sources.length > 1 || isDirectoryName(use.path)) return sources.flatMap((source) => landed(use, source));
  const otherPaths = namesIn(use.path, only.path);
  const copy: Copy = { access: "write", path: use.path, otherPaths, source: only.path };
  return otherPaths.length === 0 || only.access === "search" ? [copy, { ...copy, access: "extract" }] : [copy];
}

/** A source whose name is known is written under it; of another one, anything may be written into the directory. */
function landed(use: FileUse, source: FileUse): readonly Copy[] {
  const [path, ...otherPaths] = namesIn(use.path, source.path);
  if (path === undefined) return [whole(use, source.path)];
  const copy: Copy = { access: "write", path, otherPaths, source: source.path };
  if (source.access !== "search") return [copy];
  // A copied tree brings files with it that nobody names; rsync takes `tree/` for its content.
  return [copy, { ...copy, access: "extract", path: shownValue(source.path).endsWith("/") ? use.path : path }];
}

function isDirectoryName(path: Value): boolean {
  return /(?:^|\/)\.{1,2}\/?$/.test(shownValue(path)) && typeof path === "string";
}

/** The path in a directory that a source's last component gives; none when nobody knows it, or it means the directory's content. */
function namesIn(directory: Value, source: Value): readonly Value[] {
  const name = lastComponent(source);
  if (name === undefined) return [];
  const start = typeof directory === "string" ? withoutSlashes(directory) || "/" : directory;
  const [only] = name;
  if (typeof start === "string" && typeof only === "string" && name.length === 1)
    return [start === "/" ? `/${only}` : `${start}/${only}`];
  return [valueFrom([...piecesOf(start), start === "/" ? "" : "/", ...name], false)];
}

function withoutSlashes(path: string): string {
  return path.endsWith("/") ? path.replace(/\/+$/, "") : path;
}

function lastComponent(path: Value): readonly Piece[] | undefined {
  const name: Piece[] = [];
  if (typeof path === "string") return nameOf(withoutSlashes(path) || path);
  for (const piece of [...path.pieces].reverse()) {
    if (typeof piece !== "string") {
      if (!isName(piece)) return undefined;
      name.unshift(piece);
      continue;
    }
    const slash = piece.lastIndexOf("/");
    name.unshift(piece.slice(slash + 1));
    if (slash >= 0) break;
  }
  const [first] = name.filter((piece) => piece !== "");
  // `.` and `..` mean a directory's content, and so may a glob like `.*`.
  if (first === undefined || name.join("") === "." || name.join("") === "..") return undefined;
  return first === "." && name.length > 1 ? undefined : name;
}

function nameOf(path: string): readonly Piece[] | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === "" || name === "." || name === ".." ? undefined : [name];
}

/** What a glob stands for is one component, unless the glob itself has several. */
function isName({ cause, text }: Hole): boolean {
  return cause === "path" && !text.includes("/");
}

function piecesOf(value: Value): readonly Piece[] {
  return typeof value === "string" ? [value] : value.pieces;
}
