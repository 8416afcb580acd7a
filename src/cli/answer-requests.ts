import type { AskRequest, Reply, Scope, Storing } from "../ask/asker.ts";
import { openExistingStore, type Store } from "../ask/database.ts";
import { proposalText, questionLines, questionSummary } from "../ask/question.ts";
import { answerRequest, findPending, type PendingRequest, pendingRequests } from "../ask/requests.ts";
import { openGuard, stateFolderFor, storingOf } from "../guard.ts";
import { escapeText, wrapFrom } from "../text/index.ts";
import { sessionOf } from "./approver.ts";
import { type Parsed, type Terminal, UsageError, type Verb } from "./command.ts";
import { EXIT } from "./exit.ts";
import { presetsFolder } from "./package.ts";

/** `requests`, `requests list`, `requests reply`. */
export async function runRequests(verb: Verb, parsed: Parsed, terminal: Terminal): Promise<number> {
  const [what, ...rest] = parsed.operands;
  switch (what) {
    case undefined:
      return showScreen(verb, parsed, terminal);
    case "list":
      if (rest[0] !== undefined) throw new UsageError(`\`${escapeText(rest[0])}\` is one word too many`, verb);
      return list(parsed, terminal);
    case "reply":
      return reply(verb, rest, parsed, terminal);
    default:
      throw new UsageError(`\`${escapeText(what)}\` is not list or reply`, verb);
  }
}

async function showScreen(verb: Verb, parsed: Parsed, terminal: Terminal): Promise<number> {
  const { requestsScreen } = await import("./requests-screen.ts");
  if (!("isTTY" in terminal.stdin) || !terminal.stdin.isTTY)
    throw new UsageError("the screen needs a terminal: use `requests list` and `requests reply`", verb);
  return requestsScreen({ session: sessionOf(parsed, terminal), terminal });
}

function list(parsed: Parsed, terminal: Terminal): number {
  const requests = withStore(terminal, (store) => pendingRequests(store, sessionOf(parsed, terminal))) ?? [];
  if (parsed.is("json")) terminal.stdout.write(`${JSON.stringify(requests)}\n`);
  else if (requests.length === 0) terminal.stdout.write("nothing waits for approval\n");
  else for (const request of requests) terminal.stdout.write(`${listing(request)}\n`);
  return EXIT.ok;
}

function listing(request: PendingRequest): string {
  return [`${request.id}  ${questionSummary(request, 64)}`, ...questionLines(request, 80).lines.slice(1)].join("\n");
}

async function reply(
  verb: Verb,
  [id, kind, ...more]: readonly string[],
  parsed: Parsed,
  terminal: Terminal,
): Promise<number> {
  if (id === undefined || kind === undefined || more.length > 0)
    throw new UsageError("an id and once, always or reject are wanted", verb);
  const store = openExistingStore(stateFolderFor(terminal.env));
  if (store === undefined)
    throw new Error(`request-gone: \`${escapeText(id)}\` is not pending: nothing waits for approval`);
  const request = findPending(store, id);
  const answer = await replyOf(verb, kind, request, parsed, terminal);
  answerRequest(store, request.id, answer);
  const json = JSON.stringify({ id: request.id, reply: answer });
  terminal.stdout.write(`${parsed.is("json") ? json : answeredText(request.id, answer)}\n`);
  return EXIT.ok;
}

/** What was answered, and what of it stays. */
function answeredText(id: string, answer: Reply): string {
  if (answer.kind !== "always") return `${id} is answered: ${answer.kind}`;
  const stored = answer.proposals.map((proposal) => `\`${proposalText(proposal)}\``).join(", ");
  return wrapFrom(0, `${id} is answered: always, ${stored} for the ${answer.scope}`).join("\n");
}

async function replyOf(
  verb: Verb,
  kind: string,
  request: AskRequest,
  parsed: Parsed,
  terminal: Terminal,
): Promise<Reply> {
  const feedback = parsed.text("feedback");
  const patterns = parsed.texts("pattern");
  const scope = scopeOf(verb, parsed);
  if (kind !== "reject" && feedback !== undefined) throw new UsageError("--feedback is for reject", verb);
  if (kind !== "always" && (patterns.length > 0 || parsed.text("scope") !== undefined))
    throw new UsageError("--pattern and --scope are for always", verb);
  if (kind === "once") return { kind };
  if (kind === "reject") return feedback === undefined ? { kind } : { kind, feedback };
  if (kind !== "always") throw new UsageError(`\`${escapeText(kind)}\` is not once, always or reject`, verb);
  const storing = await storingFor(request, terminal);
  const proposals = storing.complete(patterns);
  if (typeof proposals === "string") throw new Error(`not-storable: ${proposals}`);
  return { kind, proposals, scope };
}

function scopeOf(verb: Verb, parsed: Parsed): Scope {
  const scope = parsed.text("scope") ?? "session";
  if (scope !== "session" && scope !== "project") throw new UsageError("--scope is session or project", verb);
  return scope;
}

/** What can be stored for a request of another process, judged by the policy of its directory. */
export async function storingFor(request: AskRequest, { env }: Pick<Terminal, "env">): Promise<Storing> {
  const { cwd, policyFiles } = request;
  return storingOf(openGuard({ cwd, env, policyFiles, presets: presetsFolder() }), request);
}

/** Runs with the database when there is one. */
export function withStore<T>({ env }: Pick<Terminal, "env">, work: (store: Store) => T): T | undefined {
  const store = openExistingStore(stateFolderFor(env));
  return store === undefined ? undefined : work(store);
}
