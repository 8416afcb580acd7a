import type { Asker } from "../../ask/index.ts";
import { type Checked, check, checkRequest, checkWithGrants, decide, type Guard, proposalsFor } from "../../guard.ts";
import type { RequestVerdict } from "../../policy/index.ts";
import { type Refusal, reasonOf, refusalsOf } from "../../result/index.ts";
import { escapeText, shorten } from "../../text/index.ts";
import { fitting } from "./answer.ts";
import type { HookEvent, HookRequest, HookVerdict } from "./hook.ts";

/** How an event is judged. */
export interface JudgeSetting {
  /** Guards of every place whose policy speaks here; the strictest counts. */
  readonly guards: readonly [Guard, ...Guard[]];
  /** Whoever is asked instead of the host. */
  readonly asker?: Asker | undefined;
  /** ms to wait for that answer. */
  readonly askTimeoutMs?: number | undefined;
  /** Every call of the session comes by here: the same one again and again can be told from one with others between. */
  readonly seesAll: boolean;
}

interface Judged {
  readonly guard: Guard;
  readonly tool: string;
  readonly subject: string;
  readonly decision: "allow" | "ask" | "deny";
  readonly off: boolean;
  readonly checked: Checked | undefined;
  readonly verdict: RequestVerdict | undefined;
}

/** Judges every request of an event by every guard; the strictest decision is the verdict. */
export async function judgeEvent(event: HookEvent, setting: JudgeSetting): Promise<HookVerdict> {
  const all = event.requests.flatMap((request) => setting.guards.map((guard) => judgeRequest(guard, request)));
  const spoken = all.filter(({ off }) => !off);
  if (spoken.length === 0) return { kind: "pass", reason: "guarded-sh: there is no policy here, nothing was judged" };
  const denied = spoken.find(({ decision }) => decision === "deny");
  if (denied !== undefined) return refusal(denied, event, setting);
  const asked = await withoutGranted(spoken, event);
  if (asked.length === 0) return setting.seesAll ? allowance(spoken, event) : ALLOWED;
  if (event.asks && setting.asker === undefined) return { kind: "ask", reason: await askText(asked) };
  for (const one of asked) {
    const verdict = await refusal(one, event, setting);
    if (verdict.kind === "deny") return verdict;
  }
  return { kind: "allow", reason: "guarded-sh: allowed by a person" };
}

/** What has to be asked and no grant answers. */
async function withoutGranted(spoken: readonly Judged[], { session }: HookEvent): Promise<readonly Judged[]> {
  const open: Judged[] = [];
  for (const one of spoken) {
    if (one.decision !== "ask") continue;
    const checked = one.checked && (await checkWithGrants(one.guard, one.checked, session));
    if (checked?.result.decision !== "allow") open.push({ ...one, checked });
  }
  return open;
}

const ALLOWED: HookVerdict = { kind: "allow", reason: "guarded-sh: allowed by the policy" };

/** An allow, unless the same call comes again and again. */
async function allowance(spoken: readonly Judged[], { session, asks }: HookEvent): Promise<HookVerdict> {
  const [first] = spoken;
  if (session === undefined || first === undefined || first.decision !== "allow") return ALLOWED;
  for (const one of spoken.filter(({ guard }) => guard === first.guard)) {
    if (one.decision !== "allow") continue;
    const denial = await decide(one.guard, one, { session });
    if (denial === undefined) continue;
    const reason = fitting(selfContained(denial.message, { what: quoted(one.subject), why: "the same call again" }));
    return asks && denial.kind === "ask-unavailable" ? { kind: "ask", reason } : { kind: "deny", reason };
  }
  return ALLOWED;
}

function judgeRequest(guard: Guard, { tool, names, subject }: HookRequest): Judged {
  if (tool === "bash") {
    const checked = check(guard, subject);
    const { decision, off } = checked.result;
    return { guard, tool, subject, decision, off: off === true, checked, verdict: undefined };
  }
  const verdict = spokenVerdict([tool, ...names].map((name) => checkRequest(guard, name, subject)));
  const off = verdict.because[0].kind === "off";
  return { guard, tool: verdict.request.tool, subject, decision: verdict.decision, off, checked: undefined, verdict };
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** A rule may use any name of the tool; the default speaks only where no rule does. */
function spokenVerdict(verdicts: readonly RequestVerdict[]): RequestVerdict {
  const byRule = verdicts.filter(({ because }) => because[0].kind !== "default");
  const counted = byRule.length > 0 ? byRule : verdicts.slice(0, 1);
  const [strictest] = counted.toSorted((a, b) => STRICTNESS[b.decision] - STRICTNESS[a.decision]);
  if (strictest === undefined) throw new TypeError("verdicts: there is none");
  return strictest;
}

/** The denial's text; whoever can be asked is asked, and may allow it. */
async function refusal(judged: Judged, { session }: HookEvent, { asker }: JudgeSetting): Promise<HookVerdict> {
  const options = { ...(asker === undefined ? {} : { asker }), ...(session === undefined ? {} : { session }) };
  const denial = await decide(judged.guard, judged, options);
  if (denial === undefined) return { kind: "allow", reason: "" };
  return { kind: "deny", reason: fitting(selfContained(denial.message, partsOf(judged)[0])) };
}

/** Some hosts show no more than the first line. */
function selfContained(message: string, part: Part | undefined): string {
  if (part === undefined) return message;
  const end = `${message}\n`.indexOf("\n");
  return `${message.slice(0, end)}: ${part.what}: ${part.why}${message.slice(end)}`;
}

const MOST_PARTS = 3;

/** What a person is told before they answer in the host's own dialogue. */
async function askText(asked: readonly Judged[]): Promise<string> {
  const parts = asked.flatMap(partsOf);
  const lines = parts
    .slice(0, MOST_PARTS)
    .map(({ what, why }, i) => (i === 0 ? `${HEAD}${what}: ${why}` : `  ${what}: ${why}`));
  if (parts.length === 0) lines.push(`${HEAD}this call`);
  if (parts.length > MOST_PARTS) lines.push(`  and ${parts.length - MOST_PARTS} more`);
  const patterns = await patternsOf(asked);
  if (patterns.length > 0) lines.push(`a rule for ${patterns.join(", ")} would allow it`);
  return fitting(lines.join("\n"));
}

const HEAD = "guarded-sh: needs approval: ";

async function patternsOf(asked: readonly Judged[]): Promise<readonly string[]> {
  const patterns = new Set<string>();
  for (const { guard, checked } of asked)
    for (const { pattern } of checked === undefined ? [] : await proposalsFor(guard, checked))
      patterns.add(quoted(pattern));
  return [...patterns].slice(0, MOST_PARTS);
}

interface Part {
  readonly what: string;
  readonly why: string;
}

function partsOf({ checked, verdict, tool, subject }: Judged): readonly Part[] {
  if (checked !== undefined) return refusalsOf(checked.result).map((refusal) => partOf(refusal, subject));
  const why = verdict === undefined ? "" : reasonOf(verdict.because[0]).message;
  return [{ what: `${escapeText(tool)} ${quoted(subject)}`, why }];
}

function partOf({ subject, reason }: Refusal, command: string): Part {
  return { what: quoted(subject === "" ? command : subject), why: reason.message };
}

function quoted(text: string): string {
  return `\`${escapeText(shorten(text, 120))}\``;
}
