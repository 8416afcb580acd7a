import { resolve } from "node:path";
import { type Store, transaction } from "../ask/database.ts";
import { clearGrants, type Grant, listGrants, revokeGrant } from "../ask/grants.ts";
import { projectIdOf } from "../ask/project.ts";
import { openGuard } from "../guard.ts";
import { escapeText } from "../text/index.ts";
import { withStore } from "./answer-requests.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { presetsFolder } from "./package.ts";

/** `grants list|revoke|clear|export`. */
export async function runGrants(verb: Verb, parsed: Parsed, terminal: Terminal): Promise<number> {
  const [what = "list", ...ids] = parsed.operands;
  if (what !== "revoke" && ids.length > 0)
    throw new UsageError(`\`${escapeText(ids[0] ?? "")}\` is one word too many`, verb);
  const project = parsed.is("all") ? undefined : projectHere(parsed, terminal);
  switch (what) {
    case "list":
      return printGrants(withStore(terminal, (store) => listGrants(store, project)) ?? [], parsed, terminal);
    case "export":
      return exportGrants(withStore(terminal, (store) => listGrants(store, project)) ?? [], terminal);
    case "clear":
      return told(withStore(terminal, (store) => clearGrants(store, project)) ?? 0, terminal);
    case "revoke":
      return revoke(verb, ids, terminal);
    default:
      throw new UsageError(`\`${escapeText(what)}\` is not list, revoke, clear or export`, verb);
  }
}

/** The project that grants of this directory are kept for, even when its policy does not load. */
function projectHere(parsed: Parsed, { cwd, env }: Terminal): string {
  const directory = resolve(cwd, parsed.text("cwd") ?? ".");
  return projectIdOf(directory, policyFileHere(directory, env));
}

function policyFileHere(cwd: string, env: Terminal["env"]): string | undefined {
  try {
    const { loaded } = openGuard({ cwd, env, presets: presetsFolder() });
    return loaded.files.findLast(({ layer }) => layer === "project")?.path;
  } catch {
    return undefined;
  }
}

function printGrants(grants: readonly Grant[], parsed: Parsed, { stdout }: Terminal): number {
  if (parsed.is("json")) stdout.write(`${JSON.stringify(grants)}\n`);
  else if (grants.length === 0) stdout.write("nothing is granted\n");
  else for (const grant of grants) stdout.write(`${lineOf(grant, parsed.is("all"))}\n`);
  return EXIT.ok;
}

function lineOf(grant: Grant, withProject: boolean): string {
  const { id, tool, pattern, exact, scope, session, createdAt, lastUsedAt, project } = grant;
  const named = tool === "bash" ? "" : `${tool} `;
  const what = `${exact ? "exactly " : ""}${named}${pattern}`;
  const reach = scope === "session" ? `session ${session}` : "project";
  const used = lastUsedAt === null ? "never used" : `used ${lastUsedAt.slice(0, 10)}`;
  const where = withProject ? `, ${project}` : "";
  return escapeText(`${String(id).padStart(4)}  ${what}  (${reach}, given ${createdAt.slice(0, 10)}, ${used}${where})`);
}

function exportGrants(grants: readonly Grant[], { stdout, stderr }: Terminal): number {
  const rules = grants.filter(({ scope, pattern, exact }) => scope === "project" && !(exact && /[*?]/.test(pattern)));
  for (const rule of rules) stdout.write(ruleText(rule));
  const left = grants.length - rules.length;
  if (left > 0)
    stderr.write(`guarded-sh: ${left} left out: for a session only, or an exact text with \`*\` or \`?\` in it\n`);
  return EXIT.ok;
}

function ruleText({ tool, pattern, createdAt, request }: Grant): string {
  const fields = [`tool = ${JSON.stringify(tool)}`, `pattern = ${JSON.stringify(pattern)}`, 'action = "allow"'];
  return `# granted ${createdAt}, request ${request}\n[[permissions.rule]]\n${fields.join("\n")}\n\n`;
}

function revoke(verb: Verb, ids: readonly string[], terminal: Terminal): number {
  const numbers = ids.map(Number);
  if (numbers.length === 0 || numbers.some((id) => !Number.isInteger(id)))
    throw new UsageError("the numbers of grants are wanted, as `grants list` shows them", verb);
  const gone = withStore(terminal, (store) => revokeAll(store, numbers)) ?? numbers;
  if (gone.length > 0) throw new UsageError(`there is no grant ${gone.join(", ")}: nothing was revoked`, verb);
  return told(numbers.length, terminal);
}

/** All of them or none. */
function revokeAll(store: Store, ids: readonly number[]): readonly number[] {
  const known = new Set(listGrants(store, undefined).map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === 0) transaction(store, () => ids.map((id) => revokeGrant(store, id)));
  return missing;
}

function told(count: number, { stdout }: Terminal): number {
  stdout.write(`${count} ${count === 1 ? "grant" : "grants"} revoked\n`);
  return EXIT.ok;
}
