import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, posix, resolve } from "node:path";
import { entriesFromUser } from "../segment/extension.ts";
import type { Entry } from "../segment/spec.ts";
import { LIMITS, type Source, type Span } from "../text/index.ts";
import { strictest } from "./decision.ts";
import { checkExamples } from "./examples.ts";
import { parseOpenCode } from "./opencode.ts";
import type { DictionaryTables, DocumentSetting, EnvTable, ParsedDocument, ScopeTable } from "./parsed.ts";
import { readRegularFile } from "./regular-file.ts";
import { Report } from "./report.ts";
import type { Document, Layer, Located, Policy } from "./rule.ts";
import { parseSkill } from "./skill.ts";
import { parseToml } from "./toml.ts";
import { isTrusted, readTrust, trustFile } from "./trust.ts";

/** What policy files are looked up and read with. */
export interface LoadSetting {
  readonly cwd: string;
  readonly home: string;
  readonly env: ReadonlyMap<string, string>;
  readonly windows?: boolean;
  /** Folder of the presets that `extends = ["preset:NAME"]` names. */
  readonly presets?: string;
  /** Where the machine's own policy lies. */
  readonly managedPath?: string;
  /** Files of `--policy`. */
  readonly explicit?: readonly string[];
}

/** Everything that the policy files in force say. */
export interface LoadedPolicy {
  readonly policy: Policy;
  readonly files: readonly LoadedFile[];
  /** Dictionary entries of the files that are trusted, by each of their names. */
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface LoadedFile {
  readonly path: string;
  readonly text: string;
  readonly layer: Layer;
  readonly trusted: boolean;
  readonly document: Document;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly scope: ScopeTable | undefined;
  readonly env: EnvTable | undefined;
}

export const MANAGED_PATH = "/etc/guarded-sh/policy.toml";
const PROJECT_FILES = ["guarded-sh.toml", ".guarded-sh/policy.toml"];
const LONGEST_CHAIN = 8;

/** Finds and reads the documents of all layers, outermost first. Throws a `DiagnosticError` for one that does not load. */
export function findDocuments(setting: LoadSetting): LoadedPolicy {
  const places: { readonly path: string; readonly layer: Layer }[] = [
    { path: setting.managedPath ?? MANAGED_PATH, layer: "managed" as const },
    { path: userPath(setting), layer: "user" as const },
    ...projectPolicyPaths(setting.cwd).map((path) => ({ path, layer: "project" as const })),
  ].filter(({ path }) => existsSync(path));
  const given = (setting.explicit ?? []).map((path) => ({ path: resolve(setting.cwd, path), layer: "given" as const }));
  // A file that was found and named as well is what was named: naming it says that it counts.
  const all = [...places.filter(({ path }) => !given.some((other) => other.path === path)), ...given];
  const files = all.map(({ path, layer }) => loadFile(path, layer, setting));
  return {
    policy: { documents: files.map(({ document }) => document) },
    files,
    entries: mergeEntries(files.flatMap(({ trusted, entries }) => (trusted ? entries : []))),
  };
}

/** Reads one policy file: TOML, or OpenCode's JSON by its extension. Throws a `DiagnosticError`. */
export function loadPolicyFile(path: string, setting: LoadSetting): LoadedFile {
  return loadFile(resolve(setting.cwd, path), "given", setting);
}

/** What a skill lets pass, by its folder or its SKILL.md; undefined when it limits nothing. Throws a `DiagnosticError`. */
export function loadSkill(path: string, { home, env }: Pick<LoadSetting, "home" | "env">): Policy | undefined {
  const file = basename(path) === "SKILL.md" || !existsSync(join(path, "SKILL.md")) ? path : join(path, "SKILL.md");
  return parseSkill(readSource(file), { home, env, windows: false });
}

/** The user's own policy file, whether it exists or not. */
export function userPath({ env, home }: Pick<LoadSetting, "env" | "home">): string {
  const config = env.get("XDG_CONFIG_HOME");
  return join(config?.startsWith("/") ? config : join(home, ".config"), "guarded-sh", "policy.toml");
}

/** The project's policy files from the repository root down; without a repository those of the directory itself. */
export function projectPolicyPaths(cwd: string): string[] {
  const directories: string[] = [];
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    directories.unshift(directory);
    if (existsSync(join(directory, ".git"))) break;
    if (dirname(directory) === directory) {
      directories.splice(0, directories.length, resolve(cwd));
      break;
    }
  }
  return directories.flatMap((directory) => PROJECT_FILES.map((name) => join(directory, name)));
}

function loadFile(path: string, layer: Layer, setting: LoadSetting): LoadedFile {
  const source = readSource(path);
  if (layer === "managed") checkOwner(source);
  const trusted =
    layer !== "project" || isTrusted(readTrust(trustFile(setting.env, setting.home)), realpathSync(path), source.text);
  const read: DocumentSetting = {
    layer,
    trusted,
    home: setting.home,
    env: setting.env,
    windows: setting.windows ?? false,
  };
  const parsed = parseSource(source, read);
  const { document, dictionary } = loadBases(parsed, path, read, setting, [path]);
  const entries = mergeEntries(dictionary.map(readEntries));
  checkExamples(document, { cwd: setting.cwd, home: setting.home, env: setting.env, entries });
  return { path, text: source.text, layer, trusted, document, entries, scope: parsed.scope, env: parsed.env };
}

/** The dictionary tables of one file, checked. */
function readEntries(tables: DictionaryTables): ReadonlyMap<string, Entry> {
  const { entries, problems } = entriesFromUser(tables);
  const report = new Report(tables.source);
  for (const { path, message, help } of problems)
    report.add("bad-entry", tables.spanOf(path), `\`${path.join(".")}\` ${message}`, help);
  report.throwIfAny();
  return entries;
}

/** What an outer file says of a program stands: an inner one could make it more lenient. */
function mergeEntries(maps: readonly ReadonlyMap<string, Entry>[]): ReadonlyMap<string, Entry> {
  const merged = new Map<string, Entry>();
  for (const map of maps) for (const [name, entry] of map) if (!merged.has(name)) merged.set(name, entry);
  return merged;
}

function parseSource(source: Source, read: DocumentSetting): ParsedDocument {
  return [".json", ".jsonc"].includes(extname(source.name)) ? parseOpenCode(source, read) : parseToml(source, read);
}

/** Reads what a document extends, and what that extends, down to a depth. */
function loadBases(
  parsed: ParsedDocument,
  path: string,
  read: DocumentSetting,
  setting: LoadSetting,
  chain: readonly string[],
): { readonly document: Document; readonly dictionary: readonly DictionaryTables[] } {
  const bases = parsed.extends.map((name) => {
    const basePath = locateBase(name, path, setting, parsed.document.origin.source);
    if (chain.includes(basePath) || chain.length >= LONGEST_CHAIN) {
      fail(
        parsed.document.origin.source,
        name.span,
        "unknown-preset",
        `\`${name.text}\` extends itself or too deep a chain`,
      );
    }
    // A preset is known by its name: where the package lies says nothing to a reader.
    const source = readSource(basePath);
    const base = parseSource(name.text.startsWith("preset:") ? { ...source, name: name.text } : source, read);
    // The examples of the presets are tests of this package.
    if (!name.text.startsWith("preset:")) checkExamples(base.document, setting);
    return loadBases(base, basePath, read, setting, [...chain, basePath]);
  });
  const documents = bases.map(({ document }) => document);
  const dictionary = [...bases.flatMap((base) => base.dictionary), ...(parsed.dictionary ? [parsed.dictionary] : [])];
  const defaults = documents.flatMap(({ otherwise }) => otherwise ?? []);
  const otherwise = parsed.document.otherwise ?? (defaults.length === 0 ? undefined : strictest(defaults));
  return { document: { ...parsed.document, bases: documents, otherwise }, dictionary };
}

function locateBase({ text, span }: Located, from: string, setting: LoadSetting, source: Source): string {
  if (!text.startsWith("preset:")) return resolve(dirname(from), text);
  const name = text.slice("preset:".length);
  const path =
    /^[a-z0-9-]+$/.test(name) && setting.presets !== undefined ? posix.join(setting.presets, `${name}.toml`) : "";
  if (path === "" || !existsSync(path)) fail(source, span, "unknown-preset", `there is no preset \`${name}\``);
  return path;
}

function readSource(path: string): Source {
  const source = { name: path, text: "" };
  const bytes = readBytes(path, source);
  if (bytes.includes(0)) fail(source, START, "unreadable-file", "the file holds a NUL byte: it is not a policy");
  try {
    return { name: path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return fail(source, START, "unreadable-file", "the file is not UTF-8 text");
  }
}

const READABLE = "give the path of a policy file that you may read; `guarded-sh init` writes one";

function readBytes(path: string, source: Source): Buffer {
  const read = readRegularFile(path, LIMITS.policyBytes);
  return read.kind === "read"
    ? read.bytes
    : fail(source, START, "unreadable-file", read.message, read.help ?? READABLE);
}

/** A managed policy that others can write would let them decide for everybody. */
function checkOwner(source: Source): void {
  const stat = statSync(source.name);
  if (stat.uid === 0 && (stat.mode & 0o022) === 0) return;
  const message =
    stat.uid === 0 ? "the managed policy can be written by others" : "the managed policy does not belong to root";
  fail(source, START, "untrusted-file", message, `run: chown root ${source.name} && chmod go-w ${source.name}`);
}

const START: Span = { start: 0, end: 0 };

function fail(source: Source, span: Span, code: Parameters<Report["add"]>[0], message: string, help?: string): never {
  const report = new Report(source);
  report.add(code, span, message, help);
  report.throwIfAny();
  throw new TypeError("unreachable: a report with an entry throws");
}
