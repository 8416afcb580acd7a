import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { openGuard } from "../guard.ts";
import {
  contentHash,
  type LoadSetting,
  loadPolicyFile,
  projectPolicyPaths,
  readRegularFile,
  readTrust,
  revokeTrust,
  trust,
  trustFile,
} from "../policy/index.ts";
import { escapeText, LIMITS } from "../text/index.ts";
import { JSON_OPTION, type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { presetsFolder } from "./package.ts";
import { paintFor } from "./paint.ts";
import { shownPath } from "./place.ts";
import { shownDocument } from "./policy-document.ts";
import { documentLines } from "./policy-text.ts";

export const trustVerb: Verb = {
  name: "trust",
  summary: "let the allow rules of a project's policy file count, as the file is now",
  usage: ["trust [FILE]", "trust --revoke [FILE]", "trust --list [--json]"],
  options: [
    { name: "revoke", help: "forget the file: its allow rules no longer count" },
    { name: "list", help: "every file that is trusted, and whether it still is as it was" },
    JSON_OPTION,
  ],
  examples: [
    ["guarded-sh trust", "shows the rules of the project's policy file and records its hash"],
    ["guarded-sh trust --revoke guarded-sh.toml", ""],
  ],
  run: runTrust,
};

async function runTrust(parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.operands.length > 1) throw new UsageError("one file at a time", trustVerb);
  const { surroundings } = openGuard({ cwd: terminal.cwd, env: terminal.env, policy: { documents: [] } });
  const { cwd, home, env } = surroundings;
  const setting: LoadSetting = { cwd, home, env, presets: presetsFolder() };
  const record = trustFile(env, home);
  if (parsed.is("list")) return list(record, parsed.is("json"), terminal);
  const paths = parsed.operands.length > 0 ? parsed.operands.map((file) => resolve(cwd, file)) : projectFiles(cwd);
  if (parsed.is("revoke")) return revoke(record, paths, setting, terminal);
  for (const path of paths) showAndRecord(record, path, setting, terminal);
  return EXIT.ok;
}

function projectFiles(cwd: string): readonly string[] {
  const paths = projectPolicyPaths(cwd).filter((path) => existsSync(path));
  if (paths.length > 0) return paths;
  throw new UsageError("there is no guarded-sh.toml from here up to the repository root: name a FILE", trustVerb);
}

/** Shows what counts from now on, then records the very text that was shown. */
function showAndRecord(record: string, path: string, setting: LoadSetting, terminal: Terminal): void {
  const file = loadPolicyFile(path, setting);
  const { cwd, home } = setting;
  const shown = shownDocument(file.document, file);
  const bases = shown.extends.map(({ source }) => `  extends ${shownPath(source, cwd, home)}`);
  const own = { ...shown, layer: "project", extends: [] };
  const lines = documentLines(own, "", (name) => shownPath(name, cwd, home), paintFor(terminal.colours));
  terminal.stdout.write(`${[...lines, ...bases].join("\n")}\n`);
  const entry = trust(record, realpathSync(path), file.text, new Date());
  terminal.stdout.write(`trusted as it is now, sha256 ${entry.sha256.slice(0, 16)}…; a change ends it\n`);
}

function revoke(record: string, paths: readonly string[], { cwd, home }: LoadSetting, terminal: Terminal): number {
  const forgotten = paths.filter((path) => revokeTrust(record, existsSync(path) ? realpathSync(path) : path));
  for (const path of paths) {
    const says = forgotten.includes(path) ? "no longer trusted" : "was not trusted";
    terminal.stdout.write(`${shownPath(path, cwd, home)}: ${says}\n`);
  }
  return forgotten.length === paths.length ? EXIT.ok : EXIT.found;
}

function list(record: string, json: boolean, terminal: Terminal): number {
  const entries = readTrust(record).map((entry) => ({ ...entry, state: stateOf(entry) }));
  if (json) terminal.stdout.write(`${JSON.stringify({ version: 1, files: entries })}\n`);
  else if (entries.length === 0) terminal.stdout.write("nothing is trusted\n");
  else for (const { path, at, state } of entries) terminal.stdout.write(`${escapeText(path)}  ${at}  ${state}\n`);
  return EXIT.ok;
}

function stateOf({
  path,
  sha256,
}: {
  readonly path: string;
  readonly sha256: string;
}): "trusted" | "changed" | "missing" {
  const read = readRegularFile(path, LIMITS.policyBytes);
  if (read.kind === "fault") return "missing";
  return contentHash(read.bytes.toString("utf8")) === sha256 ? "trusted" : "changed";
}
