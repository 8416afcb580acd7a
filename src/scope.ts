import { join, resolve } from "node:path";
import type { Scope } from "./exec/scope.ts";
import type { LoadedFile } from "./policy/index.ts";
import { isInside } from "./text/index.ts";

/** What `[scope]` tables are read with. */
export interface ScopeSetting {
  readonly home: string;
  readonly projectRoot: string;
  readonly env: ReadonlyMap<string, string>;
}

/** The boundary that all policy files ask for together, or why they cannot have it. */
export type PolicyScope =
  | { readonly kind: "none" }
  | { readonly kind: "scope"; readonly scope: Scope; readonly sources: readonly string[] }
  | { readonly kind: "unusable"; readonly message: string };

/**
 * Brings the `[scope]` tables of all layers together: only what every one lets be written, whatever any of them hides,
 * a network only if none forbids it. A table can only tighten, so those of files that nobody trusted count as well.
 */
export function scopeOf(files: readonly LoadedFile[], setting: ScopeSetting): PolicyScope {
  const asked = files.flatMap(({ path, scope }) => (scope === undefined ? [] : [{ path, scope }]));
  const wild = asked.flatMap(({ path, scope }) =>
    [...(scope.write ?? []), ...scope.readDeny].filter((text) => /[*?[]/.test(text)).map((text) => ({ path, text })),
  )[0];
  // A wildcard that is no path would hide nothing.
  if (wild !== undefined)
    return { kind: "unusable", message: `\`${wild.text}\` in [scope] of ${wild.path}: paths there have no wildcards` };
  const paths = (texts: readonly string[]) => texts.map((text) => pathOf(text, setting));
  const writes = asked.map(({ scope }) => scope.write).flatMap((write) => (write === undefined ? [] : [paths(write)]));
  const readDeny = [...new Set(asked.flatMap(({ scope }) => paths(scope.readDeny)))];
  const network = asked.every(({ scope }) => scope.network !== false);
  if (writes.length === 0 && readDeny.length === 0 && network) return { kind: "none" };
  const write = writes.length === 0 ? undefined : writes.reduce<readonly string[]>(commonPaths, writes[0] ?? []);
  const scope: Scope = { ...(write === undefined ? {} : { write }), readDeny, network };
  return { kind: "scope", scope, sources: asked.map(({ path }) => path) };
}

/** What lies in both: of a folder and a path in it, the path. */
function commonPaths(a: readonly string[], b: readonly string[]): readonly string[] {
  const inOther = (paths: readonly string[], others: readonly string[]) =>
    paths.filter((path) => others.some((other) => isInside(path, other)));
  return [...new Set([...inOther(a, b), ...inOther(b, a)])];
}

/** `.` is the project, as in the patterns of rules. */
function pathOf(text: string, { home, projectRoot, env }: ScopeSetting): string {
  const [, name, rest = ""] = /^(~|\$HOME|\$\{HOME\}|\$TMPDIR|\$\{TMPDIR\})(\/.*)?$/.exec(text) ?? [];
  if (name === undefined) return resolve(projectRoot, text);
  return resolve(join(name.includes("TMPDIR") ? env.get("TMPDIR") || "/tmp" : home, rest));
}

/** Something that a command wanted and the boundary did not give. */
export interface ScopeFault {
  readonly access: "write" | "read" | "network";
  /** null when the output does not name it. */
  readonly path: string | null;
}

const READ_ONLY = /read-only file system/i;
const HIDDEN = /permission denied|no such file or directory|operation not permitted/i;
const NO_NETWORK =
  /could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|EAI_AGAIN|ENETUNREACH|ENOTFOUND/i;
const MOST_FAULTS = 5;

/** What the paths in an output mean. */
export interface FaultSetting {
  readonly cwd: string;
  readonly home: string;
  readonly realPath?: ((path: string) => string) | undefined;
}

/** Finds in what a failed command printed the failures that the boundary caused. */
export function scopeFaults(scope: Scope, output: string, setting: FaultSetting): readonly ScopeFault[] {
  const found = new Map<string, ScopeFault>();
  for (const line of output.split("\n")) {
    const fault = faultIn(line, scope, setting);
    if (fault !== undefined) found.set(`${fault.access} ${fault.path}`, fault);
    if (found.size >= MOST_FAULTS) break;
  }
  return [...found.values()];
}

function faultIn(line: string, scope: Scope, { cwd, home, realPath }: FaultSetting): ScopeFault | undefined {
  const paths = namedPaths(line)
    .map((path) => resolve(cwd, path.replace(/^~(?=\/|$)/, home)))
    .map((path) => realPath?.(path) ?? path);
  if (scope.write !== undefined && READ_ONLY.test(line)) {
    const outside = paths.find((path) => !scope.write?.some((folder) => isInside(path, folder)));
    return paths.length > 0 && outside === undefined ? undefined : { access: "write", path: outside ?? null };
  }
  if (HIDDEN.test(line)) {
    const hidden = paths.find((path) => scope.readDeny.some((folder) => isInside(path, folder)));
    if (hidden !== undefined) return { access: "read", path: hidden };
  }
  return !scope.network && NO_NETWORK.test(line) ? { access: "network", path: null } : undefined;
}

/** What could be a path in a line of an error: quoted, or a field between colons. */
function namedPaths(line: string): string[] {
  const quoted = [...line.matchAll(/['"‘`]([^'"’`]+)['"’`]/g)].map((match) => match[1] ?? "");
  // The one nearest to the message first: in front of it may stand the path of the program that says so.
  const fields = line
    .split(/:\s+/)
    .map((field) => field.trim())
    .reverse();
  const pathLike = fields.filter((field) => /^[~./]?[\w@+%=,./~-]*\/[^\s]*$/.test(field) && !field.startsWith("//"));
  return [...quoted, ...pathLike].filter((path) => path !== "");
}
