import { posix } from "node:path";
import type { Redirect } from "../syntax/index.ts";
import { type AbsolutePath, absolutePath } from "../text/index.ts";
import { type Collection, type Place, spanAt } from "./collect.ts";
import { choicesOf, type Ends, type Flow, joinFlows } from "./flow.ts";
import { throughProcess } from "./process-files.ts";
import type { Effect } from "./segment.ts";
import { type Piece, shownValue, type Value, valueFrom } from "./value.ts";
import { evaluateWhole, evaluateWord, type Scope } from "./words.ts";

// Devices that keep nothing and belong to no project: using them is no effect.
const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|tty|zero|full|fd\/\d+)$/;

/** Adds what the redirects of a command read and write. Copies and closings of descriptors are no effects. */
export function addRedirectEffects(
  collection: Collection,
  redirects: readonly Redirect[],
  flow: Flow,
  place: Place,
  segment: number | undefined,
): void {
  for (const redirect of redirects) {
    const access = redirectAccess(redirect);
    // Without a target bash does not read the text at all.
    if (access === undefined || redirect.target.text === "") continue;
    const [target = "", ...others] = targetsOf(redirect, { flow, surroundings: collection.surroundings });
    if (redirect.operator.endsWith("&") && isDescriptor(target)) continue;
    const use: Omit<Use, "access"> = {
      value: target,
      others,
      text: shownValue(target),
      span: spanAt(place, redirect.target.span),
      segment: segment ?? place.parent ?? Math.max(0, collection.segments.length - 1),
      from: access === "write" ? "redirect" : "operand",
      operator: redirect.operator,
      directories: flow.directories,
    };
    addEffect(collection, { ...use, access });
    // `<>` opens for both.
    if (redirect.operator === "<>") addEffect(collection, { ...use, access: "read", from: "operand" });
  }
}

/** What a redirect names: of several words the first, which bash refuses unless the others are nothing. */
export function evaluateTarget(redirect: Redirect, scope: Scope): Value {
  return targetsOf(redirect, scope)[0] ?? "";
}

/** A file's name is expanded as any word is: braces, blanks and globs in it count. The text of a here-document is not. */
function targetsOf({ operator, target }: Redirect, scope: Scope): readonly Value[] {
  return operator.startsWith("<<") ? [evaluateWhole(target, scope)] : evaluateWord(target, scope);
}

/** A redirect that fails keeps the command from running at all: then what was known before still holds. */
export function orNotAtAll({ success, failure }: Ends, redirects: readonly Redirect[], before: Flow): Ends {
  return redirects.some(mayFail) ? { success, failure: joinFlows(before, failure) } : { success, failure };
}

function mayFail({ operator, target }: Redirect): boolean {
  return !operator.startsWith("<<") && !/^(?:\d+-?|-|\/dev\/null)$/.test(target.text);
}

function redirectAccess({ operator }: Redirect): "read" | "write" | undefined {
  if (operator === "<") return "read";
  if (operator === "<<" || operator === "<<-" || operator === "<<<" || operator === "<&") return undefined;
  return "write";
}

function isDescriptor(target: Value): boolean {
  return typeof target === "string" && /^(?:\d+-?|-)$/.test(target);
}

/** A use of a file before its path is resolved. */
export interface Use {
  readonly access: Effect["access"];
  readonly value: Value;
  readonly others?: readonly Value[];
  readonly text: string;
  readonly span: Effect["span"];
  readonly segment: number;
  readonly from: Effect["from"];
  readonly operator: string | undefined;
  readonly directories: Flow["directories"];
}

const READS = new Set<Effect["access"]>(["read", "list", "search", "net"]);

/** Adds one use, with every path that it can mean. */
export function addEffect(collection: Collection, use: Use): void {
  const { access, text, span, segment, from, operator } = use;
  const written = writtenPaths(use);
  const resolved = access === "net" ? [use.value] : mapped(written, (each) => resolvePaths(each, use.directories));
  const [path, ...others] = keptPaths(resolved);
  if (path === undefined) return;
  const tool = READS.has(access) ? "file_read" : "file_write";
  const climbing = access === "net" ? NONE : mapped(written, (each) => climbingPaths(each, use.directories));
  if (climbing.length > 0) collection.climbs.set(collection.effects.length, climbing);
  const otherPaths = others.length === 0 ? NONE : others;
  collection.effects.push({ tool, access, path, otherPaths, text, span, segment, from, operator });
}

// Shared: a text may use thousands of files, nearly all of them by one path.
const NONE: readonly never[] = [];

function mapped<From, To>(items: readonly From[], map: (item: From) => readonly To[]): readonly To[] {
  return items.length === 1 ? map(items[0] as From) : items.flatMap(map);
}

function writtenPaths({ value, others = NONE }: Use): readonly Value[] {
  return typeof value === "string" && others.length === 0 ? [value] : [value, ...others].flatMap(filled);
}

/** The paths and what they are as well, those left out that are no files. */
function keptPaths(resolved: readonly Value[]): readonly Value[] {
  if (!resolved.some(isSystemPath)) return resolved;
  const paths = [...resolved, ...resolved.flatMap(throughProcess)];
  return paths.filter((path) => typeof path !== "string" || !NO_FILE.test(path));
}

function isSystemPath(path: Value): boolean {
  const start = typeof path === "string" ? path : path.pieces[0];
  return typeof start === "string" && (start.startsWith("/dev/") || start.startsWith("/proc/"));
}

/** A path, and what it is when its hole is filled with what is known of it. */
function filled(value: Value): readonly Value[] {
  if (typeof value === "string") return [value];
  const at = value.pieces.findIndex((piece) => typeof piece !== "string" && piece.fills !== undefined);
  const hole = value.pieces[at];
  if (typeof hole !== "object") return [value];
  const made = (hole.fills ?? []).map((fill) =>
    valueFrom([...value.pieces.slice(0, at), ...fill, ...value.pieces.slice(at + 1)], value.splits),
  );
  return [value, ...made];
}

/** The absolute paths as written where they go up: the kernel does so from where a link leads, and `cd` stays where it was named. */
function climbingPaths(value: Value, directories: Flow["directories"]): readonly string[] {
  if (typeof value !== "string" || !/(?:^|\/)\.\.(?:\/|$)/.test(value)) return NONE;
  return value.startsWith("/") ? [value] : (directories ?? []).map((directory) => `${directory}/${value}`);
}

/** Where steps lead from some directories, each from where the one before has led (`git -C a -C b`). */
export function below(from: Flow["directories"], steps: readonly Value[]): Flow["directories"] {
  const last = steps.findLastIndex((step) => typeof step !== "string" || step.startsWith("/"));
  const start = last < 0 ? from : knownDirectory(steps[last] ?? "");
  // All at once: thousands of steps, one by one, would each go over the path so far.
  const path = steps.slice(last + 1).filter((step) => step !== "");
  return path.length === 0 ? start : start?.map((directory) => absolutePath(path.join("/"), directory));
}

function knownDirectory(step: Value): Flow["directories"] {
  return typeof step === "string" ? [absolutePath(step)] : undefined;
}

/** The absolute paths that a path as written can mean, the likeliest first. */
export function resolvePaths(value: Value, directories: Flow["directories"]): readonly Value[] {
  if (typeof value === "string") return resolvePath(value, directories);
  const values: readonly Value[] = choicesOf(value) ?? [value];
  return mapped(values, (each) => resolvePath(each, directories));
}

function resolvePath(value: Value, directories: Flow["directories"]): readonly Value[] {
  const first = typeof value === "string" ? value : value.pieces[0];
  const absolute = typeof first === "string" && first.startsWith("/");
  // An unknown beginning may be absolute: only what a glob makes is surely below the directory.
  if (typeof first !== "string" && first?.cause !== "path") return [value];
  if (absolute) return [typeof value === "string" ? absolutePath(value) : normalized(value.pieces, "")];
  if (directories === undefined)
    return [valueFrom([{ cause: "directory", text: "?" }, "/", ...piecesOf(value)], false)];
  return directories.map((directory) => resolvedIn(directory, value));
}

function resolvedIn(directory: AbsolutePath, value: Value): Value {
  return typeof value === "string" ? absolutePath(value, directory) : normalized(value.pieces, directory);
}

function piecesOf(value: Value): readonly Piece[] {
  return typeof value === "string" ? [posix.normalize(value)] : value.pieces;
}

/** Resolves `.` and `..` in the literal part in front of the first hole. */
function normalized(pieces: readonly Piece[], directory: AbsolutePath | ""): Value {
  const [first, ...rest] = pieces;
  const start = typeof first === "string" ? first : "";
  const others = typeof first === "string" ? rest : pieces;
  const cut = start.lastIndexOf("/") + 1;
  const folder = absolutePath(start.slice(0, cut) || ".", directory || "/");
  const prefix = folder === "/" ? "/" : `${folder}/`;
  return valueFrom([prefix + start.slice(cut), ...others], false);
}
