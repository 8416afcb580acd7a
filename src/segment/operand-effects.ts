import { absolutePath } from "../text/index.ts";
import { type Collection, onlyLooks } from "./collect.ts";
import { type Copy, copiesOf, isCopied } from "./copies.ts";
import { addEffect, below, resolvePaths } from "./effects.ts";
import type { Flow } from "./flow.ts";
import { addLinks } from "./made-links.ts";
import type { Wrapped } from "./peel.ts";
import type { FileUse, Reading } from "./reading.ts";
import type { Effect } from "./segment.ts";
import { shownValue, type Value, valueFrom } from "./value.ts";

/** Adds the files that a known program's operands and options name, or that it uses when they name none. */
export function addOperandEffects(collection: Collection, wrapped: Wrapped): void {
  const { invocation, reading, flow, index: segment } = wrapped;
  const directories = below(flow.directories, reading.directories);
  const moves = reading.spec?.moves ?? reading.entry?.moves;
  const uses =
    moves === undefined
      ? usesOf(wrapped)
      : reading.directories.map(
          (path): OperandUse => ({ access: "list", path, otherPaths: [], named: path, index: 1 }),
        );
  let before: OperandUse | undefined;
  for (const use of uses) {
    const { access, path, named, index, file } = use;
    if (file?.perhaps === true && !isThere(collection, path, directories)) continue;
    const others = file?.fromRoot === true ? fromRoot(collection, path, directories) : landed(collection, use, wrapped);
    // A tree is written, and written into: that makes one link.
    if (use.source !== undefined && !isSamePlace(use, before))
      addLinks(collection, wrapped, use, use.source, directories);
    before = use;
    addEffect(collection, {
      access,
      value: path,
      others,
      text: shownValue(named),
      span: invocation.wordSpans[index] ?? invocation.span,
      segment,
      from: "operand",
      operator: undefined,
      directories: moves === undefined ? directories : flow.directories,
    });
  }
}

function isSamePlace({ path, otherPaths, source }: OperandUse, other: OperandUse | undefined): boolean {
  return path === other?.path && otherPaths === other.otherPaths && source === other.source;
}

/** The other paths that a use can have: those in a folder only where there may be one. */
function landed(
  collection: Collection,
  { path, otherPaths, source }: OperandUse,
  { index, reading, flow }: Wrapped,
): readonly Value[] {
  if (otherPaths.length === 0 || source === undefined) return otherPaths;
  return mayBeFolder(collection, index, path, below(flow.directories, reading.directories)) ? otherPaths : NONE;
}

// Shared: a text may use thousands of files, nearly all of them by one path.
const NONE: readonly never[] = [];

interface OperandUse {
  readonly access: Effect["access"];
  readonly path: Value;
  readonly otherPaths: readonly Value[];
  /** The word that names it. */
  readonly named: Value;
  readonly index: number;
  /** What is copied to the path. */
  readonly source?: Value | undefined;
  readonly file?: FileUse | undefined;
}

function isThere({ surroundings }: Collection, path: Value, directories: Flow["directories"]): boolean {
  const { exists } = surroundings;
  if (exists === undefined) return true;
  return resolvePaths(path, directories).some((each) => typeof each !== "string" || exists(each) !== false);
}

/** Whether something may be copied into a path rather than to it: not where a file lies, or nothing, and nobody made a folder first. */
function mayBeFolder(
  { surroundings, segments, doers }: Collection,
  segment: number,
  path: Value,
  directories: Flow["directories"],
): boolean {
  const { exists, readText } = surroundings;
  const own = segments[segment];
  const others = own === undefined || onlyLooks(own) ? doers : doers - 1;
  if (exists === undefined || readText === undefined || others > 0) return true;
  return resolvePaths(path, directories).some(
    (each) => typeof each !== "string" || (exists(each) !== false && readText(each) === undefined),
  );
}

/** The path below the directory that holds `.git`, for each directory that it may be used in. */
function fromRoot({ surroundings }: Collection, path: Value, directories: Flow["directories"]): readonly Value[] {
  return (directories ?? []).flatMap((directory) => {
    let at = directory;
    while (at !== "/" && surroundings.exists?.(absolutePath(".git", at)) !== true) at = absolutePath("..", at);
    return at === "/" || at === directory ? [] : resolvePaths(path, [at]);
  });
}

/** The uses in the order of words, with what copying writes where the destination stands. */
function usesOf(wrapped: Wrapped): readonly OperandUse[] {
  const { reading } = wrapped;
  const copies = copiesOf(reading);
  const uses: OperandUse[] = [];
  for (const file of reading.files) {
    const { access, path, index } = file;
    if (file.orInput && hasInput(wrapped)) continue;
    if (isCopied(access)) for (const copy of copies.get(file) ?? NONE) uses.push(copyUse(copy, file));
    else if (access === "saved") uses.push(...savedUses(reading, file));
    else if (access === "member") uses.push(...memberUses(reading, file));
    else uses.push({ access, path, otherPaths: file.others ?? NONE, named: path, index, source: undefined, file });
  }
  return uses;
}

function copyUse({ access, path, otherPaths, source }: Copy, { path: named, index }: FileUse): OperandUse {
  return { access, path, otherPaths, named, index, source, file: undefined };
}

/** What is downloaded is written here, unless there is a directory for it: then it is a copy. */
function savedUses({ files }: Reading, { path, index }: FileUse): readonly OperandUse[] {
  if (files.some(({ access }) => access === "into")) return [];
  if (shownValue(path).includes("/")) return [{ access: "extract", path: ".", otherPaths: [], named: path, index }];
  return [{ access: "write", path, otherPaths: [], named: path, index }];
}

function inFolder(folder: Value, path: Value): Value {
  const pieces = (value: Value) => (typeof value === "string" ? [value] : value.pieces);
  return valueFrom([...pieces(folder), "/", ...pieces(path)], false);
}

/** What is taken out of an archive is written below every directory that is named for it, else here. */
function memberUses({ files }: Reading, { path, index }: FileUse): readonly OperandUse[] {
  const folders = files.filter(({ access }) => access === "extract").map((folder) => folder.path);
  const [first = path, ...otherPaths] = folders.map((folder) => inFolder(folder, path));
  return [{ access: "extract", path: first, otherPaths, named: path, index }];
}

/** Whether something is sent to standard input, so that a program need not look for files. */
function hasInput({ place, redirects }: Wrapped): boolean {
  if (place.stdin.kind === "pipe") return true;
  return redirects.some(
    ({ operator, descriptor }) => operator.startsWith("<") && (descriptor === "" || descriptor === "0"),
  );
}
