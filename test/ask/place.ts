import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openExistingStore, type Store } from "../../src/ask/database.ts";
import { type Grant, listGrants } from "../../src/ask/grants.ts";
import { type PendingRequest, pendingRequests } from "../../src/ask/requests.ts";
import { type Guard, openGuard } from "../../src/guard.ts";
import { parseInline } from "../../src/policy/index.ts";

/** A home and a project of its own in a temporary directory. */
export interface Place {
  readonly home: string;
  readonly project: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
}

/** Makes a place; `files` are written below it (`home/…`, `project/…`). */
export function makePlace(files: Readonly<Record<string, string>> = {}): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "guarded-sh-ask-")));
  const home = join(root, "home");
  const project = join(root, "project");
  for (const folder of [home, project, join(project, ".git")]) mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return {
    home,
    project,
    state: join(home, ".local/state/guarded-sh"),
    env: { HOME: home, PATH: process.env.PATH ?? "/usr/bin:/bin" },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** `deny rm *`, `allow file_write: src/**`. */
export type RuleLine = string;

/** A policy in words, as `[[permissions.rule]]` tables of a TOML file. */
export function tomlOf(lines: readonly RuleLine[], otherwise = "ask"): string {
  const rules = lines
    .map(ruleOf)
    .map(({ tool, pattern, action, flags }) =>
      [
        "[[permissions.rule]]",
        `tool = ${JSON.stringify(tool)}`,
        `pattern = ${JSON.stringify(pattern)}`,
        `action = "${action}"`,
        ...(flags === undefined ? [] : [`flags = ${JSON.stringify(flags)}`]),
      ].join("\n"),
    );
  return [`[permissions]\ndefault_action = "${otherwise}"`, ...rules].join("\n\n");
}

/** A guard in a place with a policy from lines. */
export function guardIn(place: Place, lines: readonly RuleLine[], otherwise = "ask", cwd = place.project): Guard {
  const setting = { home: place.home, env: new Map(Object.entries(place.env)), windows: false };
  const policy = parseInline({ default_action: otherwise, rules: lines.map(ruleOf) }, setting);
  return openGuard({ cwd, env: place.env, policy });
}

function ruleOf(line: RuleLine) {
  const [, action = "", tool = "bash", pattern = "", flags] =
    /^(\w+) (?:([\w.*]+): )?(.*?)(?: \[([^\]]*)\])?$/s.exec(line) ?? [];
  return { action, tool, pattern, ...(flags === undefined ? {} : { flags: flags.split(" ") }) };
}

/** Looks into the place's database; undefined when there is none. */
export function inStore<T>(place: Pick<Place, "state">, work: (store: Store) => T): T | undefined {
  const store = openExistingStore(place.state);
  return store === undefined ? undefined : work(store);
}

/** What waits in a place. */
export function pendingIn(place: Place): readonly PendingRequest[] {
  return inStore(place, (store) => pendingRequests(store)) ?? [];
}

/** What is granted in a place. */
export function grantsIn(place: Place): readonly Grant[] {
  return inStore(place, (store) => listGrants(store, undefined)) ?? [];
}

/** Waits until something is so; fails after a while. */
export async function until<T>(look: () => T | undefined | false, what: string, ms = 60_000): Promise<T> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  throw new Error(`not within ${ms} ms: ${what}`);
}
