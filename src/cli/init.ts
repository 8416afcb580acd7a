import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { AGENTS, type Agent, type Change, type InitScope } from "../adapters/agents/index.ts";
import { type Guard, openGuard, quoteWords } from "../guard.ts";
import { revokeTrust, trust, trustFile, userPath } from "../policy/index.ts";
import { escapeText, nearestWord } from "../text/index.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { unifiedDiff } from "./diff.ts";
import { EXIT } from "./exit.ts";
import { changedText, EditError, withoutChange } from "./init-edit.ts";
import {
  dropRecord,
  type FileChange,
  missingFolders,
  readRecord,
  recordFile,
  restore,
  textOf,
  writeChanges,
} from "./init-record.ts";
import { selfTest } from "./init-self-test.ts";
import { packageFolder, presetsFolder } from "./package.ts";

const NAMES = AGENTS.map(({ name }) => name);

export const initVerb: Verb = {
  name: "init",
  summary: "configure an agent to use guarded-sh, write a starter policy, and try it",
  usage: ["init AGENT [--user] [--preset NAME] [--dry-run]", "init AGENT --remove"],
  options: [
    { name: "project", help: "in this directory (default)" },
    { name: "user", help: "for the user, in every project" },
    { name: "preset", value: "NAME", help: "what a new policy extends: read-only, developer (default) or catastrophe" },
    { name: "all-tools", help: "have every tool judged, not only command lines" },
    { name: "file", value: "PATH", help: "the agent's file, where it is not the usual one" },
    { name: "dry-run", help: "show the change and write nothing" },
    { name: "remove", help: "undo it: files that were not edited since are restored byte for byte" },
  ],
  examples: [
    ["guarded-sh init claude-code", `agents: ${NAMES.join(", ")}`],
    ["guarded-sh init codex --user --dry-run", "the exact change as a diff"],
  ],
  run: runInit,
};

interface Place {
  readonly agent: Agent;
  readonly scope: InitScope;
  readonly cwd: string;
  readonly home: string;
  readonly env: ReadonlyMap<string, string>;
  readonly record: string;
}

async function runInit(parsed: Parsed, terminal: Terminal): Promise<number> {
  const place = placeOf(parsed, terminal);
  const changes = changesOf(place, parsed);
  try {
    return parsed.is("remove") ? remove(place, changes, terminal) : await add(place, changes, parsed, terminal);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    terminal.stderr.write(`guarded-sh: ${error.message}, nothing was written\n`);
    return EXIT.found;
  }
}

function placeOf(parsed: Parsed, terminal: Terminal): Place {
  const agent = agentNamed(parsed.operands);
  if (parsed.is("user") && parsed.is("project")) throw new UsageError("--project or --user, not both", initVerb);
  const { surroundings } = openGuard({ cwd: terminal.cwd, env: terminal.env, policy: { documents: [] } });
  const { cwd, home, env } = surroundings;
  const scope: InitScope = parsed.is("user") ? "user" : "project";
  const given = env.get("XDG_STATE_HOME");
  const state = given?.startsWith("/") ? given : join(home, ".local/state");
  const record = recordFile(state, agent.name, scope === "user" ? `user ${home}` : cwd);
  return { agent, scope, cwd, home, env, record };
}

function agentNamed(operands: readonly string[]): Agent {
  const [name, ...more] = operands;
  if (name === undefined || more.length > 0) throw new UsageError(`name one agent: ${NAMES.join(", ")}`, initVerb);
  const agent = AGENTS.find((one) => one.name === name);
  if (agent !== undefined) return agent;
  const near = nearestWord(name, NAMES);
  const hint = near === undefined ? `: ${NAMES.join(", ")}` : `, did you mean \`${near}\`?`;
  throw new UsageError(`unknown agent \`${escapeText(name)}\`${hint}`, initVerb);
}

interface PlacedChange {
  readonly path: string;
  readonly change: Change;
}

function changesOf({ agent, scope, cwd, home }: Place, parsed: Parsed): readonly PlacedChange[] {
  const folder = packageFolder();
  const changes = agent.changes(scope, {
    program: programWords(folder),
    module: (name) => pathToFileURL(join(folder, "dist", `${name}.js`)).href,
    home,
    allTools: parsed.is("all-tools"),
  });
  const file = parsed.text("file");
  if (file !== undefined && changes.length > 1) throw new UsageError(`${agent.name} has more than one file`, initVerb);
  return changes.map((change) => ({
    change,
    path: existing(resolve(cwd, (file ?? change.path).replace(/^~(?=\/)/, home))),
  }));
}

/** `x.jsonc` where that is there instead of `x.json`. */
function existing(path: string): string {
  return path.endsWith(".json") && !existsSync(path) && existsSync(`${path}c`) ? `${path}c` : path;
}

/** By its absolute path: PATH may be another one where the agent starts the hook. */
function programWords(folder: string): string {
  return quoteWords([process.execPath, realpathSync(join(folder, "bin/guarded-sh.js"))]);
}

async function add(
  place: Place,
  changes: readonly PlacedChange[],
  parsed: Parsed,
  terminal: Terminal,
): Promise<number> {
  const policy = policyChange(place, parsed.text("preset"), terminal);
  const files = [...changes.map(fileChange), ...(policy === undefined ? [] : [policy])];
  const real = files.filter(({ before, after }) => before !== after);
  for (const { path, before, after } of real) terminal.stdout.write(`${unifiedDiff(path, before, after)}\n`);
  if (parsed.is("dry-run")) return done(terminal, "nothing was written (--dry-run)");
  if (real.length === 0) terminal.stderr.write("guarded-sh: everything is there already\n");
  else writeChanges(place.record, real);
  // A person has just asked for this very policy: what it allows may count.
  if (policy !== undefined && place.scope === "project")
    trust(trustFile(place.env, place.home), realpathSync(policy.path), policy.after, new Date());
  return tryOut(place, changes, terminal);
}

function done(terminal: Terminal, message: string): number {
  terminal.stderr.write(`guarded-sh: ${message}\n`);
  return EXIT.ok;
}

function fileChange({ path, change }: PlacedChange): FileChange {
  const before = textOf(path);
  try {
    const after = changedText(before, change);
    const executable = change.kind === "file" && change.executable;
    return { path, before, after, executable, madeFolders: missingFolders(path) };
  } catch (error) {
    throw error instanceof EditError ? new EditError(`${escapeText(path)}: ${error.message}`) : error;
  }
}

/** A starter policy where there is none. */
function policyChange(place: Place, preset: string | undefined, terminal: Terminal): FileChange | undefined {
  const name = preset ?? "developer";
  if (!existsSync(join(presetsFolder(), `${name}.toml`)) || !/^[a-z-]+$/.test(name))
    throw new UsageError(`there is no preset \`${escapeText(name)}\``, initVerb);
  const inForce = openPlaced(place).loaded.files.map(({ path }) => path);
  if (inForce.length > 0) {
    terminal.stderr.write(`guarded-sh: policy in force: ${inForce.map(escapeText).join(", ")}\n`);
    return undefined;
  }
  const path = place.scope === "user" ? userPath(place) : join(place.cwd, "guarded-sh.toml");
  return {
    path,
    before: textOf(path),
    after: starterPolicy(name),
    executable: false,
    madeFolders: missingFolders(path),
  };
}

function starterPolicy(preset: string): string {
  return `# What an agent may run. The first rule that matches decides;
# \`guarded-sh check 'COMMAND'\` shows which.
extends = ["preset:${preset}"]

[permissions]
default_action = "ask"

# Rules of your own stand in front of the preset's:
#
# [[permissions.rule]]
# tool = "bash"
# pattern = "rm -rf build"
# action = "deny"
# reason = "build output is recreated"
# suggest = "npm run clean"
`;
}

function openPlaced({ cwd, env }: Place): Guard {
  return openGuard({ cwd, env: Object.fromEntries(env), presets: presetsFolder() });
}

async function tryOut(place: Place, changes: readonly PlacedChange[], terminal: Terminal): Promise<number> {
  const trials = await selfTest(place.agent, changes, openPlaced(place), terminal.env);
  for (const { command, expected, answered, ok } of trials)
    terminal.stderr.write(
      `${ok ? "ok" : "FAILED"}: \`${command}\` ${ok ? meaningOf(answered) : `should be ${expected}, the hook said ${answered}`}\n`,
    );
  if (trials.some(({ ok }) => !ok)) return EXIT.found;
  const tried = trials.length > 0 ? "configured and tried" : "configured";
  const undo = `guarded-sh init ${place.agent.name}${place.scope === "user" ? " --user" : ""} --remove`;
  return done(terminal, `${place.agent.title} is ${tried}; start it anew\nundo: ${undo}`);
}

/** Beside the name of something harmful `ask` alone would alarm. */
function meaningOf(answered: "allow" | "ask" | "deny"): string {
  return answered === "ask" ? "ask: it runs only if a person says yes" : answered;
}

function remove(place: Place, changes: readonly PlacedChange[], terminal: Terminal): number {
  const recorded = readRecord(place.record);
  for (const file of recorded) removeRecorded(file, changes, place, terminal);
  for (const placed of changes.filter(({ path }) => !recorded.some((file) => file.path === path)))
    removeFrom(placed, [], terminal);
  dropRecord(place.record);
  return done(terminal, `${place.agent.title} is as it was`);
}

function removeRecorded(file: FileChange, changes: readonly PlacedChange[], place: Place, terminal: Terminal): void {
  const now = textOf(file.path);
  if (now === undefined) return;
  const placed = changes.find(({ path }) => path === file.path);
  if (now === file.after) {
    if (placed === undefined) revokeTrust(trustFile(place.env, place.home), realpathSync(file.path));
    terminal.stdout.write(`${unifiedDiff(file.path, now, file.before)}\n`);
    restore(file);
  } else if (placed === undefined)
    terminal.stderr.write(`guarded-sh: kept, it was edited since: ${escapeText(file.path)}\n`);
  else removeFrom(placed, file.madeFolders, terminal);
}

/** Takes out what is ours of a file that was edited since. */
function removeFrom({ path, change }: PlacedChange, madeFolders: readonly string[], terminal: Terminal): void {
  const now = textOf(path);
  if (now === undefined) return;
  const before = withoutChange(now, change);
  if (before === now) return;
  terminal.stdout.write(`${unifiedDiff(path, now, before)}\n`);
  restore({ path, before, madeFolders });
}
