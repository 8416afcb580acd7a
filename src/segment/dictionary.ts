import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeUser, raiseWords } from "./merge.ts";
import type { Entry } from "./spec.ts";

/** A part of what the dictionary knows of a program, and the file it comes from. */
export interface EntryLayer {
  readonly kind: "curated" | "generated";
  /** Below the folder `arity`: `curated/git.json`. */
  readonly file: string;
  readonly entry: Entry;
}

// The cache of what was read: files of the package do not change while it runs.
let index: string | undefined;
let folder: string | undefined;
const files = new Map<string, Entry>();
const packaged = new Map<string, Entry>();
const unknown = new Set<string>();
const extended = new WeakMap<ReadonlyMap<string, Entry>, Map<string, Entry>>();

/**
 * What is known of a program, by its name without a directory: curated over generated (`beneath`), and `extra`, a user's entries by
 * each of their names, on top. Undefined for a program that nobody described. Throws when a file of the package is missing.
 */
export function findEntry(name: string, extra?: ReadonlyMap<string, Entry>): Entry | undefined {
  const user = extra?.get(name);
  if (extra === undefined || user === undefined) return packagedEntry(name);
  const known = extended.get(extra) ?? new Map<string, Entry>();
  extended.set(extra, known);
  const entry = known.get(name) ?? extendedEntry(name, user);
  known.set(name, entry);
  return entry;
}

/** The layers that `findEntry` merges, curated first, each as written. */
export function entryLayers(name: string): readonly EntryLayer[] {
  const layers: EntryLayer[] = [];
  for (const kind of ["curated", "generated"] as const) {
    const file = filesOf(name).find((path) => path.startsWith(kind));
    if (file !== undefined) layers.push({ kind, file, entry: readEntry(file) });
  }
  return layers;
}

/** Every name that the dictionary describes, sorted. */
export function describedNames(): readonly string[] {
  const names = readIndex()
    .split("\n")
    .flatMap((line) => line.split(" ").slice(1));
  return [...new Set(names)].sort();
}

/** Searches of the index as text, after which it is read as a whole. */
const MOST_SEARCHES = 64;
let searches = 0;
let filesByName: ReadonlyMap<string, readonly string[]> | undefined;

/** The files whose line of the index holds the name. For the few names of a line, reading all of it would take longer than all else. */
function filesOf(name: string): readonly string[] {
  if (!/^\S+$/.test(name)) return [];
  if (searches++ < MOST_SEARCHES) return searchIndex(name);
  filesByName ??= parsedIndex();
  return filesByName.get(name) ?? [];
}

function searchIndex(name: string): readonly string[] {
  const lines = readIndex();
  const files: string[] = [];
  for (let at = lines.indexOf(` ${name}`); at >= 0; at = lines.indexOf(` ${name}`, at + 1)) {
    const next = lines[at + 1 + name.length];
    if (next !== " " && next !== "\n") continue;
    const start = lines.lastIndexOf("\n", at) + 1;
    files.push(`${lines.slice(start, lines.indexOf(" ", start))}.json`);
  }
  return files;
}

function parsedIndex(): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const line of readIndex().split("\n")) {
    const [file, ...names] = line.split(" ");
    for (const name of names) {
      files.set(name, files.get(name) ?? []);
      files.get(name)?.push(`${file}.json`);
    }
  }
  return files;
}

function packagedEntry(name: string): Entry | undefined {
  const known = packaged.get(name);
  if (known !== undefined || unknown.has(name)) return known;
  const { curated, generated } = layersOf(name);
  const entry = generated === undefined ? curated : layered(curated ?? bare(generated), generated);
  // Names come from outside: only those of the index are kept for good.
  if (entry !== undefined) packaged.set(name, entry);
  else rememberUnknown(name);
  return entry;
}

/** The search costs most for a name that is not there; who serves for long is sent any number of them. */
function rememberUnknown(name: string): void {
  if (unknown.size >= 1000) unknown.clear();
  unknown.add(name);
}

/** A user's entry wins over a generated one, and only adds to a curated one. */
function extendedEntry(name: string, user: Entry): Entry {
  const { curated, generated } = layersOf(name);
  if (curated === undefined && generated === undefined) return user;
  const entry = curated && raiseWords(mergeUser(curated, user), user);
  if (generated === undefined) return entry ?? user;
  return layered(entry ?? { ...bare(generated), ...user }, raiseWords(generated, user));
}

function layered(entry: Entry, generated: Entry): Entry {
  return { ...entry, beneath: generated };
}

/** Nothing but what makes it an entry: the rest of it lies beneath. */
function bare({ names, syntax }: Entry): Entry {
  return { names, ...(syntax !== undefined && { syntax }) };
}

function layersOf(name: string): { curated: Entry | undefined; generated: Entry | undefined } {
  const layers = entryLayers(name);
  return {
    curated: layers.find((layer) => layer.kind === "curated")?.entry,
    generated: layers.find((layer) => layer.kind === "generated")?.entry,
  };
}

/** `arity/index.txt`: a line for each file, its path without the extension and then the names it describes. */
function readIndex(): string {
  const path = join(arityFolder(), "index.txt");
  index ??= readContent(path, (text) => text);
  return index;
}

function readEntry(file: string): Entry {
  const entry = files.get(file) ?? readContent<Entry>(join(arityFolder(), file), JSON.parse);
  files.set(file, entry);
  return entry;
}

function readContent<Content>(path: string, parse: (text: string) => Content): Content {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(`the dictionary file ${path} cannot be read: reinstall guarded-sh`, { cause });
  }
}

/** The package's own `arity`, found upwards from this module: it lies in `src/segment` or is part of a bundle in `dist`. */
export function arityFolder(): string {
  if (folder !== undefined) return folder;
  const start = import.meta.dirname ?? dirname(fileURLToPath(import.meta.url));
  for (let at = start; ; at = dirname(at)) {
    const candidate = join(at, "arity");
    if (existsSync(join(candidate, "index.txt"))) {
      folder = candidate;
      return candidate;
    }
    if (at === dirname(at)) throw new Error(`no folder arity/ above ${start}: reinstall guarded-sh`);
  }
}
