import type { Decision } from "../decision.ts";
import { type Imported, type Item, lost, rule } from "./imported.ts";
import { type Call, type Literal, readCalls, type Unread } from "./starlark.ts";

const DECISIONS: ReadonlyMap<Literal | undefined, Decision> = new Map<Literal | undefined, Decision>([
  ["allow", "allow"],
  ["prompt", "ask"],
  ["forbidden", "deny"],
  // Without a word a rule allows.
  [undefined, "allow"],
]);
const ORDER: readonly Decision[] = ["deny", "ask", "allow"];

/** Codex's `*.rules`: the strictest of all rules that match decides, and what none is about is asked. */
export function importCodex(text: string): Imported {
  const items = readCalls(text).flatMap(itemsOf);
  const lostFirst = items.filter(({ kind }) => kind === "lost");
  const rules = ORDER.flatMap((decision) => items.filter((item) => item.kind === "rule" && item.decision === decision));
  return { agent: "codex", otherwise: "ask", items: [...lostFirst, ...rules] };
}

function itemsOf(call: Call | Unread): readonly Item[] {
  const from = shown(call);
  if (call.kind === "unread")
    return [lost(from, "only calls with literal arguments are read, and none is run", "bash")];
  if (call.name === "host_executable")
    return [lost(from, "a program given by path is covered where PATH finds that same file")];
  if (call.name === "network_rule") return [lost(from, "write a rule for webfetch", "webfetch")];
  if (call.name !== "prefix_rule") return [lost(from, `\`${call.name}\` is no rule that is known`, "bash")];
  return prefixRule(call, from);
}

function shown({ text, line }: Call | Unread): string {
  const oneLine = text.replace(/\s+/g, " ");
  return `line ${line}: ${oneLine.length > 160 ? `${oneLine.slice(0, 159)}…` : oneLine}`;
}

const MOST_ALTERNATIVES = 256;

function prefixRule(call: Call, from: string): readonly Item[] {
  const decision = DECISIONS.get(call.arguments.get("decision"));
  const prefixes = alternatives(call.arguments.get("pattern"));
  if (decision === undefined) return [lost(from, "its decision is not known", "bash")];
  const restricts = decision === "allow" ? undefined : "bash";
  if (prefixes === undefined || prefixes.length === 0)
    return [lost(from, "its pattern is no list of words", restricts)];
  if (prefixes.length > MOST_ALTERNATIVES)
    return [lost(from, `it has more than ${MOST_ALTERNATIVES} alternatives`, restricts)];
  const reason = call.arguments.get("justification");
  const why = typeof reason === "string" && reason !== "" ? { reason } : {};
  const texts = {
    match: examplesOf(call.arguments.get("match")),
    notMatch: examplesOf(call.arguments.get("not_match")),
  };
  return prefixes.map((words) => {
    const obstacle = decision === "allow" ? allowObstacle(words) : undefined;
    if (obstacle !== undefined) return lost(`${from} (${words.join(" ")})`, obstacle);
    return rule({ tool: "bash", pattern: `${words.join(" ")} *`, decision, from, ...why, ...texts });
  });
}

/** Words and alternatives of words, multiplied out. */
function alternatives(pattern: Literal | undefined): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined;
  let rows: (readonly string[])[] = [[]];
  for (const item of pattern as readonly Literal[]) {
    const words = typeof item === "string" ? [item] : item;
    if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) return undefined;
    rows = rows.flatMap((row) => words.map((word: string) => [...row, word]));
    if (rows.length > MOST_ALTERNATIVES) return rows;
  }
  return rows;
}

function allowObstacle(words: readonly string[]): string | undefined {
  if (words.some((word) => /[*?]/.test(word)))
    return "`*` and `?` are more than themselves here, so it would allow more";
  if (words.some((word) => word === "" || /[\s<>$~]/.test(word)))
    return "a word with blanks or signs is not told from several here";
  return undefined;
}

/** Examples as texts; a list of words is quoted. */
function examplesOf(value: Literal | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Literal[]).flatMap((item) => {
    if (typeof item === "string") return [item];
    return Array.isArray(item) && item.every((word) => typeof word === "string")
      ? [item.map(quotedWord).join(" ")]
      : [];
  });
}

function quotedWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
